// SPDX-License-Identifier: MIT
// From requests for twist joints to bones: what is meant, and whether it can be.
#include "../base/exact.h"

#include "twist.h"

#include <string.h>

enum
{
    COUNT_DEFAULT = 3,
    COUNT_MAX = 16,
};

// What a part has to turn by to be worth a share of the joints: 5 degrees.
static const float worth = 5.0f * PELT_PI / 180.0f;

const char* pelt_twist_source_name(pelt_twist_source source)
{
    static const char* const names[] = {"auto", "child", "own", "both"};
    PELT_ASSERT((uint32_t)source < sizeof names / sizeof names[0]);
    return names[source];
}

// ---------------------------------------------------------------------------------------------
// The law

float pelti_twist_place(const pelt_twist_bone* bone, uint32_t k)
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
// Wishes

typedef struct requests
{
    const pelti_twist_rig* rig;
    const pelt_twist* list;
    uint32_t count;
    pelti_twist_bone* bones; // one for each request
} requests;

static bool ends_with_twist(const char* name, const char* joint)
{
    size_t length = strlen(joint);
    return strncmp(name, joint, length) == 0 && strncmp(name + length, "_twist", 6) == 0;
}

static bool has_twist_joints(const pelt_scene* scene, uint32_t node)
{
    for (uint32_t i = node + 1; i < scene->node_count; ++i)
    {
        if (scene->nodes[i].parent == node &&
            ends_with_twist(scene->nodes[i].name, scene->nodes[node].name))
        {
            return true;
        }
    }
    return false;
}

static uint32_t find_request(const requests* all, uint32_t node)
{
    for (uint32_t i = 0; i < all->count; ++i)
    {
        if (all->list[i].node == node)
        {
            return i;
        }
    }
    return PELT_NONE;
}

static pelt_result check_request(const requests* all, uint32_t index, pelt_error* error)
{
    const pelt_scene* scene = all->rig->scene;
    const pelt_twist* request = &all->list[index];
    PELT_ASSERT(request->node < scene->node_count);
    const char* name = scene->nodes[request->node].name;
    if (!all->rig->is_joint[request->node])
    {
        return pelt_error_set(
            error, PELT_ERROR_ARGUMENT,
            "node \"%s\" is not a joint: no skin has it, so it carries no weights "
            "to split",
            name);
    }
    if (find_request(all, request->node) != index)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "joint \"%s\" is named twice", name);
    }
    if (has_twist_joints(scene, request->node))
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
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Whose twist

// Whether the bone that ends at this joint spreads its roll. Its source is settled: parents first.
static bool is_taken_by_parent(const requests* all, const pelti_twist_bone* bone)
{
    uint32_t request = find_request(all, bone->parent);
    return request != PELT_NONE && all->bones[request].facts.child == bone->facts.node &&
           all->bones[request].facts.source != PELT_TWIST_OWN;
}

static pelt_twist_source choose_source(const requests* all, const pelti_twist_bone* bone)
{
    uint32_t child = bone->facts.child;
    bool can_own = bone->parent != PELT_NONE && !is_taken_by_parent(all, bone);
    bool has_own = bone->facts.own_twist >= worth && can_own;
    // A bone that cannot spread its own, at a root, has no other use than to take the next one's.
    bool is_taken = pelti_twist_has_helpers(all->rig->scene, child) ||
                    (can_own && find_request(all, child) != PELT_NONE);
    bool is_childs_own = is_taken || pelti_twist_keeps_roll(all->rig, child);
    // What could go along the child's bone, but does not, is better spread here than not at all.
    bool is_left = !is_childs_own || (!is_taken && !has_own);
    bool has_child = bone->facts.child_twist >= worth && is_left;
    // A single joint can stand at one end only; the larger twist has it.
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

static pelt_result find_one(const requests* all, uint32_t index, pelt_error* error)
{
    const pelt_twist* request = &all->list[index];
    pelti_twist_bone* bone = &all->bones[index];
    pelt_result result = check_request(all, index, error);
    result =
        result == PELT_OK ? pelti_twist_bone_find(bone, all->rig, request->node, error) : result;
    if (result != PELT_OK)
    {
        return result;
    }
    pelti_twist_bone_measure(bone, all->rig->scene);
    if (pelti_twist_bone_watch(bone, all->rig) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    bone->facts.count = request->count != 0 ? request->count : COUNT_DEFAULT;
    bone->facts.source = request->source;
    bool needs_parent = request->source == PELT_TWIST_OWN || request->source == PELT_TWIST_BOTH;
    return needs_parent && bone->parent == PELT_NONE
               ? pelt_error_set(
                     error, PELT_ERROR_ARGUMENT,
                     "joint \"%s\" has no parent joint, so it has no twist of its own to "
                     "spread",
                     all->rig->scene->nodes[request->node].name)
               : PELT_OK;
}

static void settle_sources(const requests* all)
{
    for (uint32_t node = 0; node < all->rig->scene->node_count; ++node)
    {
        uint32_t request = find_request(all, node);
        if (request != PELT_NONE && all->list[request].source == PELT_TWIST_AUTO)
        {
            all->bones[request].facts.source = choose_source(all, &all->bones[request]);
        }
    }
}

// The roll of a joint along both bones that meet there would turn the skin by it twice.
static pelt_result check_shares(const requests* all, pelt_error* error)
{
    for (uint32_t i = 0; i < all->count; ++i)
    {
        const pelt_twist_bone* bone = &all->bones[i].facts;
        uint32_t next = find_request(all, bone->child);
        if (bone->source != PELT_TWIST_OWN && next != PELT_NONE &&
            all->bones[next].facts.source != PELT_TWIST_CHILD)
        {
            const pelt_node* nodes = all->rig->scene->nodes;
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
    requests all = {rig, twists, count, out};
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_result result = find_one(&all, i, error);
        if (result != PELT_OK)
        {
            return result;
        }
    }
    settle_sources(&all);
    return check_shares(&all, error);
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
