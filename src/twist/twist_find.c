// SPDX-License-Identifier: MIT
// Which joints deserve twist joints: by the shape of the skin and by the clips; names are a hint.
#include "../base/exact.h"

#include "twist.h"

#include <ctype.h>
#include <string.h>

static const float clear_twist = 30.0f * PELT_PI / 180.0f, hinted_twist = 10.0f * PELT_PI / 180.0f;

// The parts of a machine follow one joint each, and are not to be twisted. With linear weights this
// is a zone of 4 % of the bone's length to either side of a joint; thinner ones are creases.
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
    // Helpers have taken the weights over, so that the bone no longer looks long.
    return pelti_twist_has_helpers(rig, node) || rig->bones[node].facts.is_long;
}

// A bone that may deserve twist joints, and at which ends its skin goes over into that of others,
// so that twist can be spread.
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
