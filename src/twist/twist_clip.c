// SPDX-License-Identifier: MIT
// Tracks of twist joints: the twist of their bone, shared out by the law.
#include "../base/exact.h"

#include "twist.h"

#include <string.h>

// Less than this, in radians, is the rounding of keys and not a motion.
static const double stillness = 1e-4;

static bool is_still(const pelti_twist_keys* keys, pelti_twist_angles rest)
{
    for (uint32_t i = 0; i < keys->count; ++i)
    {
        pelti_twist_angles angles = keys->keys[i].angles;
        if (fabs(angles.own - rest.own) > stillness || fabs(angles.child - rest.child) > stillness)
        {
            return false;
        }
    }
    return true;
}

// Angles do not jump, so neither do the signs of these quaternions.
static bool add_tracks(pelt_clip* clip, pelt_track* tracks, const pelti_twist_bone* bone,
                       const pelti_twist_keys* keys, pelt_arena* arena)
{
    float* times = pelt_arena_alloc(arena, keys->count, sizeof *times);
    if (times == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < keys->count; ++i)
    {
        times[i] = keys->keys[i].time;
    }
    for (uint32_t k = 1; k <= bone->facts.count; ++k)
    {
        float* values = pelt_arena_alloc(arena, keys->count, 4 * sizeof *values);
        if (values == NULL)
        {
            return false;
        }
        for (uint32_t i = 0; i < keys->count; ++i)
        {
            double roll = pelti_twist_roll(&bone->facts, keys->keys[i].angles, k);
            pelt_quat q = pelt_quat_axis_angle(bone->axis, (float)roll);
            memcpy(values + 4 * (size_t)i, &q.x, 4 * sizeof *values);
        }
        tracks[clip->track_count++] = (pelt_track){
            .target = bone->first_node + k - 1,
            .path = PELT_PATH_ROTATION,
            .interpolation = keys->is_step ? PELT_INTERPOLATION_STEP : PELT_INTERPOLATION_LINEAR,
            .key_count = keys->count,
            .width = 4,
            .times = times,
            .values = values,
        };
    }
    return true;
}

pelt_result pelti_twist_add_tracks(pelt_scene* out, pelt_twist_report* report,
                                   const pelti_twist_rig* rig, const pelti_twist_bone* bones,
                                   uint32_t bone_count)
{
    pelt_clip* clips = (pelt_clip*)out->clips;
    for (uint32_t i = 0; i < out->clip_count; ++i)
    {
        pelt_clip* clip = &clips[i];
        uint32_t before = clip->track_count;
        pelt_track* tracks =
            pelt_arena_alloc(out->arena, (size_t)before + report->joint_count, sizeof *tracks);
        if (tracks == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        if (before > 0)
        {
            memcpy(tracks, clip->tracks, before * sizeof *tracks);
        }
        clip->tracks = tracks;
        pelti_twist_rig_use(rig, &rig->scene->clips[i]);
        for (uint32_t k = 0; k < bone_count; ++k)
        {
            pelti_twist_keys keys;
            bool is_ok = pelti_twist_keys_create(&keys, &bones[k], rig) == PELT_OK &&
                         (is_still(&keys, bones[k].rest) ||
                          add_tracks(clip, tracks, &bones[k], &keys, out->arena));
            pelti_twist_keys_destroy(&keys);
            if (!is_ok)
            {
                return PELT_ERROR_MEMORY;
            }
        }
        report->track_count += clip->track_count - before;
    }
    return PELT_OK;
}
