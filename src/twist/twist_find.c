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

static bool is_limb_name(const char* name)
{
    static const char* const words[] = {"arm", "thigh", "shin", "calf", "leg", "elbow", NULL};
    return has_any(name, words);
}

bool pelti_twist_has_helpers(const pelt_scene* scene, uint32_t node)
{
    static const char* const words[] = {"twist", "roll", NULL};
    for (uint32_t i = node + 1; i < scene->node_count; ++i)
    {
        if (scene->nodes[i].parent == node && has_any(scene->nodes[i].name, words))
        {
            return true;
        }
    }
    return has_any(scene->nodes[node].name, words);
}

bool pelti_twist_keeps_roll(const pelti_twist_rig* rig, uint32_t node)
{
    pelti_twist_bone bone;
    // Helpers have taken the weights over, so that the bone no longer looks long.
    if (pelti_twist_has_helpers(rig->scene, node))
    {
        return true;
    }
    if (pelti_twist_bone_find(&bone, rig, node, NULL) != PELT_OK)
    {
        return false;
    }
    pelti_twist_bone_measure(&bone, rig->scene);
    return bone.facts.is_long;
}

// At which ends of a bone its skin goes over into that of others, and twist can be spread.
typedef struct smooth_ends
{
    bool own, child;
} smooth_ends;

static smooth_ends find_smooth_ends(const pelt_twist_bone* bone)
{
    return (smooth_ends){bone->own_blend >= smooth_blend, bone->child_blend >= smooth_blend};
}

static pelt_twist_source source_of(smooth_ends ends)
{
    return ends.own == ends.child ? PELT_TWIST_AUTO : ends.own ? PELT_TWIST_OWN : PELT_TWIST_CHILD;
}

// @param out  a request for the bone of the joint
static pelt_result judge(pelt_twist* out, bool* is_worthy, const pelti_twist_rig* rig,
                         uint32_t node)
{
    const pelt_scene* scene = rig->scene;
    pelti_twist_bone bone;
    *is_worthy = false;
    if (!rig->is_joint[node] || pelti_twist_has_helpers(scene, node) ||
        pelti_twist_bone_find(&bone, rig, node, NULL) != PELT_OK)
    {
        return PELT_OK;
    }
    pelti_twist_bone_measure(&bone, scene);
    smooth_ends ends = find_smooth_ends(&bone.facts);
    *out = (pelt_twist){.node = node, .source = source_of(ends)};
    // The roll of a child with a long bone is spread there.
    ends.child = ends.child && !pelti_twist_keeps_roll(rig, bone.facts.child);
    bool is_hinted = is_limb_name(scene->nodes[node].name);
    bool is_possible = bone.facts.is_long && (ends.own || ends.child);
    if (!is_possible || scene->clip_count == 0)
    {
        *is_worthy = is_possible && is_hinted;
        return PELT_OK;
    }
    pelt_result result = pelti_twist_bone_watch(&bone, rig);
    float own = ends.own ? bone.facts.own_twist : 0.0f;
    float child = ends.child ? bone.facts.child_twist : 0.0f;
    *is_worthy = result == PELT_OK && fmaxf(own, child) >= (is_hinted ? hinted_twist : clear_twist);
    return result;
}

static pelt_result find_in(pelt_arena* arena, pelt_twist* out, uint32_t* count,
                           const pelt_scene* scene)
{
    pelti_twist_rig rig;
    if (!pelti_twist_rig_create(&rig, scene, arena))
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        bool is_worthy;
        pelt_result result = judge(&out[*count], &is_worthy, &rig, node);
        if (result != PELT_OK)
        {
            return result;
        }
        *count += is_worthy;
    }
    return PELT_OK;
}

pelt_result pelt_twist_find(pelt_twist** out, uint32_t* count, const pelt_scene* scene)
{
    *count = 0;
    *out = pelt_allocate(scene->node_count, sizeof **out);
    pelt_arena* scratch = pelt_arena_create();
    pelt_result result =
        *out != NULL && scratch != NULL ? find_in(scratch, *out, count, scene) : PELT_ERROR_MEMORY;
    pelt_arena_destroy(scratch);
    if (result != PELT_OK)
    {
        pelt_release(*out);
        *out = NULL;
        *count = 0;
    }
    return result;
}
