// SPDX-License-Identifier: MIT
// Keys of twist angles in clips, and the rotation tracks of twist joints.
#include "../base/exact.h"

#include "../scene/scene_private.h"

#include "twist.h"

#include <stdlib.h>
#include <string.h>

enum
{
    PIECES = 64, // that an interval between two keys may become
    GLANCES = 4, // pieces that are looked at first; must divide PIECES
};

// The largest error of a straight line between two keys, in radians: 0.05 degrees, which is 0.05 mm
// on the skin of a thick arm.
static const double tolerance = 0.05 * 3.14159265358979 / 180.0;

// ---------------------------------------------------------------------------------------------
// One moment

static pelt_quat local_rotation(const pelti_twist_rig* rig, uint32_t node, float time)
{
    pelt_quat rotation = rig->scene->nodes[node].rest.rotation;
    if (rig->tracks[node] != NULL)
    {
        pelti_track_sample(&rotation.x, rig->tracks[node], time);
    }
    return rotation;
}

// Rotation of a joint relative to an ancestor, through the nodes between them.
static pelt_quat chain_rotation(const pelti_twist_rig* rig, uint32_t from, uint32_t to, float time)
{
    pelt_quat out = pelt_quat_identity();
    for (uint32_t node = to; node != from; node = rig->scene->nodes[node].parent)
    {
        out = pelt_quat_mul(local_rotation(rig, node, time), out);
    }
    return out;
}

// The angle of the twist about the axis, plus full rotations, nearest to `near`. A swing by 180
// degrees has no defined twist: the angle does not change then.
static double twist_near(pelt_quat q, pelt_vec3 axis, double near)
{
    double along = (double)pelt_vec3_dot(pelt_vec3_make(q.x, q.y, q.z), axis), w = (double)q.w;
    if (along * along + w * w < 1e-10)
    {
        return near;
    }
    double angle = 2.0 * atan2(along, w), full_circle = 2.0 * 3.14159265358979323846;
    return angle + full_circle * nearbyint((near - angle) / full_circle);
}

static bool spreads_own(const pelti_twist_bone* bone)
{
    return bone->parent != PELT_NONE && bone->facts.source != PELT_TWIST_CHILD;
}

static bool spreads_child(const pelti_twist_bone* bone)
{
    return bone->facts.source != PELT_TWIST_OWN;
}

pelti_twist_angles pelti_twist_angles_at(const pelti_twist_bone* bone, const pelti_twist_rig* rig,
                                         float time, pelti_twist_angles near)
{
    pelti_twist_angles out = {0.0, 0.0};
    if (spreads_own(bone))
    {
        // In the joint's own axes, where the bone is.
        pelt_quat q = chain_rotation(rig, bone->parent, bone->facts.node, time);
        out.own = twist_near(pelt_quat_mul(pelt_quat_conjugate(bone->own_reference), q), bone->axis,
                             near.own);
    }
    if (spreads_child(bone))
    {
        // In those of the joint, which are the child's parent.
        pelt_quat q = chain_rotation(rig, bone->facts.node, bone->facts.child, time);
        out.child = twist_near(pelt_quat_mul(q, pelt_quat_conjugate(bone->child_reference)),
                               bone->axis, near.child);
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Times of the keys that move a bone

typedef struct time_list
{
    uint32_t count;
    float* times;
    bool is_step;
} time_list;

// Count the keys of a chain of nodes, or copy their times where there is an array for them.
static void gather_chain(time_list* list, const pelti_twist_rig* rig, uint32_t from, uint32_t to)
{
    for (uint32_t node = to; node != from; node = rig->scene->nodes[node].parent)
    {
        const pelt_track* track = rig->tracks[node];
        if (track == NULL)
        {
            continue;
        }
        list->is_step = list->is_step && track->interpolation == PELT_INTERPOLATION_STEP;
        if (list->times != NULL)
        {
            memcpy(list->times + list->count, track->times, track->key_count * sizeof(float));
        }
        list->count += track->key_count;
    }
}

static void gather(time_list* list, const pelti_twist_bone* bone, const pelti_twist_rig* rig)
{
    list->count = 0;
    list->is_step = true;
    if (spreads_own(bone))
    {
        gather_chain(list, rig, bone->parent, bone->facts.node);
    }
    if (spreads_child(bone))
    {
        gather_chain(list, rig, bone->facts.node, bone->facts.child);
    }
}

static int by_time(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

static pelt_result list_times(time_list* out, const pelti_twist_bone* bone,
                              const pelti_twist_rig* rig)
{
    *out = (time_list){0};
    gather(out, bone, rig);
    if (out->count == 0)
    {
        return PELT_OK;
    }
    out->times = pelt_allocate(out->count, sizeof *out->times);
    if (out->times == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    gather(out, bone, rig);
    qsort(out->times, out->count, sizeof *out->times, by_time);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < out->count; ++i)
    {
        if (out->times[i] > out->times[kept - 1])
        {
            out->times[kept++] = out->times[i];
        }
    }
    out->count = kept;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Keys

static bool push_key(pelti_twist_keys* keys, pelti_twist_key key)
{
    if (keys->count > 0 && !(key.time > keys->keys[keys->count - 1].time))
    {
        return true; // an interval that float cannot divide
    }
    if (keys->count == keys->capacity)
    {
        uint32_t capacity = keys->capacity > 0 ? 2 * keys->capacity : 64;
        pelti_twist_key* larger = pelt_allocate(capacity, sizeof *larger);
        if (larger == NULL)
        {
            return false;
        }
        if (keys->count > 0)
        {
            memcpy(larger, keys->keys, keys->count * sizeof *larger);
        }
        pelt_release(keys->keys);
        keys->keys = larger;
        keys->capacity = capacity;
    }
    keys->keys[keys->count++] = key;
    return true;
}

static bool is_straight(const pelti_twist_key* samples, uint32_t count, double limit)
{
    pelti_twist_angles a = samples[0].angles, b = samples[count].angles;
    for (uint32_t i = 1; i < count; ++i)
    {
        double t = (double)i / count;
        double own = (1.0 - t) * a.own + t * b.own, child = (1.0 - t) * a.child + t * b.child;
        if (fabs(samples[i].angles.own - own) > limit ||
            fabs(samples[i].angles.child - child) > limit)
        {
            return false;
        }
    }
    return true;
}

// The end of a straight stretch, or of its two halves; six levels for 64 pieces.
static bool push_pieces(pelti_twist_keys* keys, const pelti_twist_key* samples, uint32_t count)
{
    if (count == 1 || is_straight(samples, count, tolerance))
    {
        return push_key(keys, samples[count]);
    }
    return push_pieces(keys, samples, count / 2) &&
           push_pieces(keys, samples + count / 2, count - count / 2);
}

// Step by step, so that each angle is unwound by the one before it.
static void sample_interval(pelti_twist_key* samples, uint32_t count, float end,
                            const pelti_twist_bone* bone, const pelti_twist_rig* rig)
{
    float start = samples[0].time;
    for (uint32_t i = 1; i <= count; ++i)
    {
        float t = (float)i / (float)count;
        float time = i == count ? end : start + t * (end - start);
        samples[i] =
            (pelti_twist_key){time, pelti_twist_angles_at(bone, rig, time, samples[i - 1].angles)};
    }
}

// From the last key to `end`.
static bool push_interval(pelti_twist_keys* keys, float end, const pelti_twist_bone* bone,
                          const pelti_twist_rig* rig)
{
    pelti_twist_key samples[PIECES + 1] = {keys->keys[keys->count - 1]};
    sample_interval(samples, GLANCES, end, bone, rig);
    // Most intervals are short and nearly straight: a quarter of the tolerance at a few times
    // leaves room for the rest of the interval.
    if (is_straight(samples, GLANCES, 0.25 * tolerance))
    {
        return push_key(keys, samples[GLANCES]);
    }
    sample_interval(samples, PIECES, end, bone, rig);
    return push_pieces(keys, samples, PIECES);
}

pelt_result pelti_twist_keys_create(pelti_twist_keys* out, const pelti_twist_bone* bone,
                                    const pelti_twist_rig* rig)
{
    time_list list;
    pelt_result result = list_times(&list, bone, rig);
    *out = (pelti_twist_keys){.is_step = list.is_step};
    bool is_ok = result == PELT_OK;
    for (uint32_t i = 0; i < list.count && is_ok; ++i)
    {
        if (i > 0 && !out->is_step)
        {
            is_ok = push_interval(out, list.times[i], bone, rig);
            continue;
        }
        pelti_twist_angles near =
            i > 0 ? out->keys[out->count - 1].angles : (pelti_twist_angles){0};
        is_ok =
            push_key(out, (pelti_twist_key){list.times[i],
                                            pelti_twist_angles_at(bone, rig, list.times[i], near)});
    }
    pelt_release(list.times);
    if (!is_ok)
    {
        pelti_twist_keys_destroy(out);
    }
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}

void pelti_twist_keys_destroy(pelti_twist_keys* keys)
{
    pelt_release(keys->keys);
    *keys = (pelti_twist_keys){0};
}

pelt_result pelti_twist_bones_watch(pelti_twist_bone* bones, uint32_t count,
                                    const pelti_twist_rig* rig)
{
    for (uint32_t clip = 0; clip < rig->scene->clip_count; ++clip)
    {
        pelti_twist_rig_use(rig, &rig->scene->clips[clip]);
        for (uint32_t i = 0; i < count; ++i)
        {
            pelt_twist_bone* facts = &bones[i].facts;
            pelti_twist_keys keys;
            if (pelti_twist_keys_create(&keys, &bones[i], rig) != PELT_OK)
            {
                return PELT_ERROR_MEMORY;
            }
            for (uint32_t k = 0; k < keys.count; ++k)
            {
                pelti_twist_angles angles = keys.keys[k].angles;
                facts->own_twist = fmaxf(facts->own_twist, (float)fabs(angles.own));
                facts->child_twist = fmaxf(facts->child_twist, (float)fabs(angles.child));
            }
            pelti_twist_keys_destroy(&keys);
        }
    }
    return PELT_OK;
}

// =============================================================================================
// Tracks of twist joints: the twist of their bone, shared out by the law.

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
