// SPDX-License-Identifier: MIT
#include "proportions.h"

#include <stdlib.h>
#include <string.h>

static void mark_joints(bool* out, const pelt_scene* scene)
{
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        for (uint32_t j = 0; j < scene->skins[s].joint_count; ++j)
        {
            out[scene->skins[s].joints[j]] = true;
        }
    }
}

static float bone_length(const pelt_scene* scene, uint32_t node)
{
    return pelt_vec3_length(scene->nodes[node].rest.translation);
}

static float longest_bone(const pelt_scene* scene, const bool* is_joint)
{
    float longest = 0.0f;
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        uint32_t parent = scene->nodes[i].parent;
        bool is_bone = is_joint[i] && parent != PELT_NONE && is_joint[parent];
        longest = is_bone ? fmaxf(longest, bone_length(scene, i)) : longest;
    }
    return longest;
}

// A track of the other scene. Joints without a joint above them may be anywhere.
static void add_track(proportions* inout, const pelt_scene* scene, const pelt_scene* from,
                      const pelt_track* track, const uint32_t* nodes, const bool* is_joint,
                      float least)
{
    uint32_t node = track->path == PELT_PATH_TRANSLATION ? nodes[track->target] : PELT_NONE;
    uint32_t parent = node != PELT_NONE ? scene->nodes[node].parent : PELT_NONE;
    if (parent == PELT_NONE || !is_joint[node] || !is_joint[parent])
    {
        return;
    }
    float here = bone_length(scene, node), there = bone_length(from, track->target);
    if (here > least && there > 0.0f)
    {
        bool is_first = inout->bone_count++ == 0;
        inout->low = is_first ? there / here : fminf(inout->low, there / here);
        inout->high = is_first ? there / here : fmaxf(inout->high, there / here);
    }
}

pelt_result proportions_compare(proportions* out, const pelt_scene* scene, const pelt_scene* from)
{
    *out = (proportions){.low = 1.0f, .high = 1.0f};
    uint32_t* nodes = calloc((size_t)from->node_count + 1, sizeof *nodes);
    bool* is_joint = calloc((size_t)scene->node_count + 1, sizeof *is_joint);
    pelt_result result = PELT_ERROR_MEMORY;
    if (nodes != NULL && is_joint != NULL)
    {
        mark_joints(is_joint, scene);
        result = pelt_scene_match_nodes(nodes, scene, from);
    }
    if (result == PELT_OK)
    {
        // Joints at the same position have no ratio.
        float least = 0.01f * longest_bone(scene, is_joint);
        for (uint32_t c = 0; c < from->clip_count; ++c)
        {
            for (uint32_t t = 0; t < from->clips[c].track_count; ++t)
            {
                add_track(out, scene, from, &from->clips[c].tracks[t], nodes, is_joint, least);
            }
        }
    }
    free(nodes);
    free(is_joint);
    return result;
}

bool proportions_differ(const proportions* in)
{
    return in->low < 0.95f || in->high > 1.05f;
}

// ---------------------------------------------------------------------------------------------

static bool keep_rotations(pelt_clip* inout, pelt_arena* arena)
{
    pelt_track* kept = pelt_arena_alloc(arena, inout->track_count, sizeof *kept);
    uint32_t count = 0;
    for (uint32_t t = 0; kept != NULL && t < inout->track_count; ++t)
    {
        pelt_path path = inout->tracks[t].path;
        if (path == PELT_PATH_ROTATION || path == PELT_PATH_MORPH)
        {
            kept[count++] = inout->tracks[t];
        }
    }
    inout->tracks = kept;
    inout->track_count = count;
    return kept != NULL;
}

pelt_result proportions_keep_rotations(pelt_scene* inout, uint32_t first_clip, uint32_t count)
{
    pelt_clip* clips = pelt_arena_alloc(inout->arena, inout->clip_count, sizeof *clips);
    if (clips == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(clips, inout->clips, inout->clip_count * sizeof *clips);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (!keep_rotations(&clips[first_clip + i], inout->arena))
        {
            return PELT_ERROR_MEMORY;
        }
    }
    inout->clips = clips;
    return PELT_OK;
}
