// SPDX-License-Identifier: MIT
// Requests for twist joints: their checks and defaults, and the search for bones that benefit.
#include "../base/exact.h"

#include "twist.h"

#include <ctype.h>
#include <string.h>

enum
{
    COUNT_DEFAULT = 3,
    COUNT_MAX = 16,
};

// The least rotation of a part that gets a share of the joints: 5 degrees.
static const float worth = 5.0f * PELT_PI / 180.0f;

const char* pelt_twist_source_name(pelt_twist_source source)
{
    static const char* const names[] = {"auto", "child", "own", "both"};
    PELT_ASSERT((uint32_t)source < sizeof names / sizeof names[0]);
    return names[source];
}

// ---------------------------------------------------------------------------------------------
// The law

float pelti_twist_fraction(const pelt_twist_bone* bone, uint32_t k)
{
    float n = (float)bone->count;
    return bone->source == PELT_TWIST_BOTH ? ((float)k - 1.0f) / (n - 1.0f) : (float)k / (n + 1.0f);
}

double pelti_twist_roll(const pelt_twist_bone* bone, pelti_twist_angles angles, uint32_t k)
{
    double n = bone->count;
    switch (bone->source)
    {
    case PELT_TWIST_OWN:
        return angles.own * (k / (n + 1.0) - 1.0);
    case PELT_TWIST_BOTH:
        return angles.own * (k / n - 1.0) + angles.child * (k - 1.0) / n;
    case PELT_TWIST_AUTO:
    case PELT_TWIST_CHILD:
        break;
    }
    return angles.child * k / (n + 1.0);
}

// ---------------------------------------------------------------------------------------------
// Requests

static bool has_twist_joints(const pelti_twist_rig* rig, uint32_t node)
{
    const pelt_node* nodes = rig->scene->nodes;
    size_t length = strlen(nodes[node].name);
    for (uint32_t i = rig->first_child[node]; i != PELT_NONE; i = rig->next_child[i])
    {
        const char* name = nodes[i].name;
        if (strncmp(name, nodes[node].name, length) == 0 &&
            strncmp(name + length, "_twist", 6) == 0)
        {
            return true;
        }
    }
    return false;
}

static pelt_result check_request(const pelti_twist_rig* rig, const pelt_twist* request,
                                 pelt_error* error)
{
    PELT_ASSERT(request->node < rig->scene->node_count);
    const char* name = rig->scene->nodes[request->node].name;
    if (!pelti_twist_is_joint(rig, request->node))
    {
        return pelt_error_set(
            error, PELT_ERROR_ARGUMENT,
            "node \"%s\" is not a joint: no skin has it, so it carries no weights "
            "to split",
            name);
    }
    if (rig->requests[request->node] != PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "joint \"%s\" is named twice", name);
    }
    if (has_twist_joints(rig, request->node))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "joint \"%s\" has twist joints already; start from the file without "
                              "them",
                              name);
    }
    uint32_t least = request->source == PELT_TWIST_BOTH ? 2 : 1;
    if (request->count != 0 && (request->count < least || request->count > COUNT_MAX))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "joint \"%s\" cannot get %u twist joints: from %u to %d", name,
                              request->count, least, COUNT_MAX);
    }
    bool needs_parent = request->source == PELT_TWIST_OWN || request->source == PELT_TWIST_BOTH;
    PELT_TRY(pelti_twist_bone_check(rig, request->node, error));
    if (needs_parent && rig->joint_parent[request->node] == PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "joint \"%s\" has no parent joint, so it has no twist of its own to "
                              "spread",
                              name);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Whose twist

// The twist that a bone spreads, when those of the bones above it are known.
// @param bones  of all requests
static pelt_twist_source choose_source(const pelti_twist_bone* bones, const pelti_twist_rig* rig,
                                       const pelti_twist_bone* bone)
{
    uint32_t child = bone->facts.child;
    // The bone that ends at this joint may spread its roll.
    uint32_t above = bone->parent != PELT_NONE ? rig->requests[bone->parent] : PELT_NONE;
    bool is_taken_above = above != PELT_NONE && bones[above].facts.child == bone->facts.node &&
                          bones[above].facts.source != PELT_TWIST_OWN;
    bool can_own = bone->parent != PELT_NONE && !is_taken_above;
    bool has_own = bone->facts.own_twist >= worth && can_own;
    // A bone at a root cannot spread its own twist: its only use is to spread the next one's.
    bool is_taken =
        pelti_twist_has_helpers(rig, child) || (can_own && rig->requests[child] != PELT_NONE);
    bool is_childs_own = is_taken || pelti_twist_keeps_roll(rig, child);
    // A twist that the child's bone could spread, but does not, is better spread here than not at
    // all.
    bool is_left = !is_childs_own || (!is_taken && !has_own);
    bool has_child = bone->facts.child_twist >= worth && is_left;
    // A single joint can be at one end only: that of the larger twist.
    if (has_own && has_child && bone->facts.count == 1)
    {
        has_own = bone->facts.own_twist > bone->facts.child_twist;
        has_child = !has_own;
    }
    if (has_own && has_child)
    {
        return PELT_TWIST_BOTH;
    }
    if (has_own || has_child)
    {
        return has_own ? PELT_TWIST_OWN : PELT_TWIST_CHILD;
    }
    return is_childs_own && can_own ? PELT_TWIST_OWN : PELT_TWIST_CHILD;
}

// The roll of a joint along both bones that meet there would rotate the skin by it twice.
static pelt_result check_shares(const pelti_twist_bone* bones, uint32_t count,
                                const pelti_twist_rig* rig, pelt_error* error)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelt_twist_bone* bone = &bones[i].facts;
        uint32_t next = rig->requests[bone->child];
        if (bone->source != PELT_TWIST_OWN && next != PELT_NONE &&
            bones[next].facts.source != PELT_TWIST_CHILD)
        {
            const pelt_node* nodes = rig->scene->nodes;
            return pelt_error_set(
                error, PELT_ERROR_ARGUMENT,
                "the twist of joint \"%s\" would be spread twice: as the child of "
                "\"%s\" and as its own; take one of them",
                nodes[bone->child].name, nodes[bone->node].name);
        }
    }
    return PELT_OK;
}

pelt_result pelti_twist_plan(pelti_twist_bone* out, const pelti_twist_rig* rig,
                             const pelt_twist* twists, uint32_t count, pelt_error* error)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        PELT_TRY(check_request(rig, &twists[i], error));
        rig->requests[twists[i].node] = i;
        out[i] = rig->bones[twists[i].node];
    }
    // Before sources are set: all twists are looked at.
    if (pelti_twist_bones_watch(out, count, rig) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i].facts.count = twists[i].count != 0 ? twists[i].count : COUNT_DEFAULT;
        out[i].facts.source = twists[i].source;
    }
    pelti_twist_rig_use(rig, NULL);
    for (uint32_t node = 0; node < rig->scene->node_count; ++node) // parents first
    {
        uint32_t request = rig->requests[node];
        if (request == PELT_NONE)
        {
            continue;
        }
        pelti_twist_bone* bone = &out[request];
        if (bone->facts.source == PELT_TWIST_AUTO)
        {
            bone->facts.source = choose_source(out, rig, bone);
        }
        bone->rest = pelti_twist_angles_at(bone, rig, 0.0f, (pelti_twist_angles){0.0, 0.0});
    }
    return check_shares(out, count, rig, error);
}

static pelt_result plan_in(pelt_arena* arena, pelt_twist_bone* out, const pelt_scene* scene,
                           const pelt_twist_options* options, pelt_error* error)
{
    pelti_twist_rig rig;
    pelti_twist_bone* bones = pelt_arena_alloc(arena, options->twist_count, sizeof *bones);
    if (bones == NULL || !pelti_twist_rig_create(&rig, scene, arena))
    {
        return pelt_error_memory(error);
    }
    pelt_result result =
        pelti_twist_plan(bones, &rig, options->twists, options->twist_count, error);
    for (uint32_t i = 0; i < options->twist_count && result == PELT_OK; ++i)
    {
        out[i] = bones[i].facts;
    }
    return result;
}

pelt_result pelt_twist_plan(pelt_twist_bone* out, const pelt_scene* scene, const pelt_twist* twists,
                            uint32_t count, pelt_error* error)
{
    pelt_arena* scratch = pelt_arena_create();
    pelt_result result =
        scratch != NULL
            ? plan_in(scratch, out, scene,
                      &(pelt_twist_options){.twist_count = count, .twists = twists}, error)
            : pelt_error_memory(error);
    pelt_arena_destroy(scratch);
    return result;
}

// =============================================================================================
// Which joints deserve twist joints: by the shape of the skin and by the clips; names are a hint.

static const float clear_twist = 30.0f * PELT_PI / 180.0f, hinted_twist = 10.0f * PELT_PI / 180.0f;

// The parts of a machine follow one joint each, and are not twisted. With linear weights this is a
// zone of 4 % of the bone's length on either side of a joint; thinner ones are creases.
static const float smooth_blend = 0.02f;

static bool has_word(const char* text, const char* word)
{
    size_t length = strlen(word);
    for (; *text != '\0'; ++text)
    {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == word[i])
        {
            ++i;
        }
        if (i == length)
        {
            return true;
        }
    }
    return false;
}

static bool has_any(const char* text, const char* const* words)
{
    for (; *words != NULL; ++words)
    {
        if (has_word(text, *words))
        {
            return true;
        }
    }
    return false;
}

bool pelti_twist_has_helpers(const pelti_twist_rig* rig, uint32_t node)
{
    static const char* const words[] = {"twist", "roll", NULL};
    const pelt_node* nodes = rig->scene->nodes;
    for (uint32_t i = rig->first_child[node]; i != PELT_NONE; i = rig->next_child[i])
    {
        if (has_any(nodes[i].name, words))
        {
            return true;
        }
    }
    return has_any(nodes[node].name, words);
}

bool pelti_twist_keeps_roll(const pelti_twist_rig* rig, uint32_t node)
{
    // Helpers have taken weights, so that the bone looks short.
    return pelti_twist_has_helpers(rig, node) || rig->bones[node].facts.is_long;
}

// A candidate for twist joints, and the ends at which its skin blends into that of other bones, so
// that twist can be spread.
typedef struct candidate
{
    bool is_hinted, is_own_smooth, is_child_smooth;
    pelt_twist_source source;
} candidate;

// @return whether the bone of a joint is a candidate
static bool look_at(candidate* out, const pelti_twist_rig* rig, uint32_t node)
{
    static const char* const limbs[] = {"arm", "thigh", "shin", "calf", "leg", "elbow", NULL};
    const pelt_twist_bone* bone = &rig->bones[node].facts;
    if (bone->child == PELT_NONE || !bone->is_long || pelti_twist_has_helpers(rig, node))
    {
        return false;
    }
    bool is_own = bone->own_blend >= smooth_blend, is_child = bone->child_blend >= smooth_blend;
    *out = (candidate){
        .is_hinted = has_any(rig->scene->nodes[node].name, limbs),
        .is_own_smooth = is_own,
        // The roll of a child with a long bone is spread there.
        .is_child_smooth = is_child && !pelti_twist_keeps_roll(rig, bone->child),
        .source = is_own == is_child ? PELT_TWIST_AUTO
                  : is_own           ? PELT_TWIST_OWN
                                     : PELT_TWIST_CHILD,
    };
    return out->is_own_smooth || out->is_child_smooth;
}

static pelt_result find_in(pelt_twist* out, uint32_t* count, const pelt_scene* scene,
                           pelt_arena* scratch)
{
    pelti_twist_rig rig;
    candidate* candidates = pelt_arena_alloc(scratch, scene->node_count, sizeof *candidates);
    pelti_twist_bone* bones = pelt_arena_alloc(scratch, scene->node_count, sizeof *bones);
    if (candidates == NULL || bones == NULL || !pelti_twist_rig_create(&rig, scene, scratch))
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t bone_count = 0;
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        if (look_at(&candidates[bone_count], &rig, node))
        {
            bones[bone_count++] = rig.bones[node];
        }
    }
    pelt_result result = pelti_twist_bones_watch(bones, bone_count, &rig);
    for (uint32_t i = 0; i < bone_count && result == PELT_OK; ++i)
    {
        const candidate* c = &candidates[i];
        float own = c->is_own_smooth ? bones[i].facts.own_twist : 0.0f;
        float child = c->is_child_smooth ? bones[i].facts.child_twist : 0.0f;
        bool is_worthy = scene->clip_count > 0
                             ? fmaxf(own, child) >= (c->is_hinted ? hinted_twist : clear_twist)
                             : c->is_hinted;
        out[*count] = (pelt_twist){.node = bones[i].facts.node, .source = c->source};
        *count += is_worthy;
    }
    return result;
}

pelt_result pelt_twist_find(pelt_twist** out, uint32_t* count, const pelt_scene* scene)
{
    *count = 0;
    *out = pelt_allocate(scene->node_count, sizeof **out);
    pelt_arena* scratch = pelt_arena_create();
    pelt_result result =
        *out != NULL && scratch != NULL ? find_in(*out, count, scene, scratch) : PELT_ERROR_MEMORY;
    pelt_arena_destroy(scratch);
    if (result != PELT_OK)
    {
        pelt_release(*out);
        *out = NULL;
        *count = 0;
    }
    return result;
}
