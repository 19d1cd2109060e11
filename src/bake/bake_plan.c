// SPDX-License-Identifier: MIT
// Parents and pivots. LOCAL follows the skeleton; under QT, joints that move rigidly with another
// follow that one and need no keys; all other joints stand alone.
#include "../base/exact.h"

#include "bake_plan.h"

#include "bake_pose.h"

// Whether a joint keeps at least a thirty-second of its size during clips, along any axis.
static bool is_solid(const pelti_bake_source* source, const pelti_samples* const* clips,
                     uint32_t clip_count, uint32_t joint)
{
    double largest = 0.0, inverse = 0.0;
    for (uint32_t c = 0; c < clip_count; ++c)
    {
        for (uint32_t i = 0; i < clips[c]->count; ++i)
        {
            pelti_motion_size size =
                pelti_size_of(&clips[c]->motions[(size_t)i * source->joint_count + joint]);
            largest = fmax(largest, size.largest);
            inverse = fmax(inverse, size.inverse);
        }
    }
    return largest * inverse <= PELTI_SOLID;
}

// How far a joint leaves its place relative to another during a clip, at its farthest vertex.
static double relative_motion(const pelti_bake_source* source, const pelti_samples* clip,
                              uint32_t joint, uint32_t other)
{
    const pelti_bake_joint* own = &source->joints[joint];
    // What nothing follows itself may carry others.
    double lever = own->is_used ? (double)own->center_reach : 0.3 * (double)source->size;
    double most = 0.0;
    pelt_mat34 first = {0};
    for (uint32_t i = 0; i < clip->count; ++i)
    {
        const pelt_mat34* motions = clip->motions + (size_t)i * source->joint_count;
        pelt_mat34 back, now;
        if (!pelt_mat34_inverse(&back, &motions[other]))
        {
            return INFINITY;
        }
        now = pelt_mat34_mul(&back, &motions[joint]);
        first = i == 0 ? now : first;
        double turn = 0.0;
        for (int k = 0; k < 9; ++k)
        {
            double d = (double)now.m[k / 3][k % 3] - (double)first.m[k / 3][k % 3];
            turn += d * d;
        }
        pelt_vec3 a = pelt_mat34_point(&first, own->center),
                  b = pelt_mat34_point(&now, own->center);
        most = fmax(most, sqrt(turn) * lever + (double)pelt_vec3_distance(a, b));
    }
    return most * (double)source->joints[other].scale;
}

// Whether a joint moves rigidly with another for most of the time.
static bool is_mostly_rigid(const pelti_bake_source* source, const pelti_samples* const* clips,
                            uint32_t clip_count, uint32_t joint, uint32_t other, double tolerance)
{
    uint64_t rigid = 0, all = 0;
    for (uint32_t i = 0; i < clip_count; ++i)
    {
        double motion = relative_motion(source, clips[i], joint, other);
        if (!isfinite(motion))
        {
            return false;
        }
        rigid += motion <= tolerance ? clips[i]->key_count : 0;
        all += clips[i]->key_count;
    }
    return 2 * rigid > all;
}

// Whether a joint only turns about a fixed point of another, as limbs do: no positions are needed.
static bool is_hinged(const pelti_bake_source* source, const pelti_samples* const* clips,
                      uint32_t clip_count, uint32_t joint, uint32_t other, double tolerance)
{
    pelt_vec3 origin = source->joints[joint].origin;
    for (uint32_t c = 0; c < clip_count; ++c)
    {
        pelt_vec3 first = origin;
        for (uint32_t i = 0; i < clips[c]->count; ++i)
        {
            const pelt_mat34* motions = clips[c]->motions + (size_t)i * source->joint_count;
            pelt_mat34 back;
            if (!pelt_mat34_inverse(&back, &motions[other]))
            {
                return false;
            }
            pelt_vec3 at = pelt_mat34_point(&back, pelt_mat34_point(&motions[joint], origin));
            first = i == 0 ? at : first;
            double moved = (double)(source->joints[other].scale * pelt_vec3_distance(at, first));
            if (!(moved <= tolerance))
            {
                return false;
            }
        }
    }
    return true;
}

// The first joint of a group that something follows leads it, and the others need no keys in clips
// in which they are rigid with it. Where bytes count, joints that turn about a fixed point of a
// leader follow it too, with rotations only. Leaders stand alone, so that decoding takes two joints
// at most.
static pelt_result find_followers(pelti_bake_plan* plan, const pelti_bake_source* source,
                                  const pelti_samples* const* clips, uint32_t clip_count,
                                  bool has_hinges, double tolerance)
{
    uint32_t* groups = pelt_allocate(2 * (size_t)source->joint_count, sizeof *groups);
    if (groups == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t* leaders = groups + source->joint_count; // of each group
    for (uint32_t i = 0; i < source->joint_count; ++i)
    {
        uint32_t joint = source->order[i], above = source->joints[joint].above;
        uint32_t group = above != PELT_NONE ? groups[above] : PELT_NONE;
        uint32_t leader = group != PELT_NONE ? leaders[group] : PELT_NONE;
        uint32_t other = leader != PELT_NONE ? leader : above;
        bool is_used = source->joints[joint].is_used;
        bool is_rigid = other != PELT_NONE && plan->is_solid[other] &&
                        is_mostly_rigid(source, clips, clip_count, joint, other, tolerance);
        bool is_turning = !is_rigid && is_used && has_hinges && leader != PELT_NONE &&
                          plan->is_solid[leader] &&
                          is_hinged(source, clips, clip_count, joint, leader, tolerance);
        leaders[joint] = PELT_NONE;
        groups[joint] = is_rigid ? group : joint;
        if (is_turning)
        {
            plan->parents[joint] = leader;
            plan->pivots[joint] = source->joints[joint].origin;
            plan->reaches[joint] = source->joints[joint].origin_reach;
        }
        else if (is_used)
        {
            uint32_t* own = &leaders[groups[joint]];
            plan->parents[joint] = *own;
            *own = *own == PELT_NONE ? joint : *own;
        }
    }
    pelt_release(groups);
    return PELT_OK;
}

static void find_skeleton(pelti_bake_plan* plan, const pelti_bake_source* source)
{
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        plan->parents[joint] = source->joints[joint].above;
    }
    for (uint32_t i = source->joint_count; i-- > 0;)
    {
        uint32_t joint = source->order[i], parent = plan->parents[joint];
        if (plan->is_stored[joint] && parent != PELT_NONE)
        {
            plan->is_stored[parent] = true;
        }
    }
}

pelt_result pelti_bake_plan_create(pelti_bake_plan* out, const pelti_bake_source* source,
                                   const pelti_samples* const* clips, uint32_t clip_count,
                                   const pelt_bake_options* options, double tolerance,
                                   pelt_arena* arena)
{
    uint32_t count = source->joint_count;
    *out = (pelti_bake_plan){.parents = pelt_arena_alloc(arena, count, sizeof *out->parents),
                             .pivots = pelt_arena_alloc(arena, count, sizeof *out->pivots),
                             .reaches = pelt_arena_alloc(arena, count, sizeof *out->reaches),
                             .is_stored = pelt_arena_alloc(arena, count, sizeof *out->is_stored),
                             .is_solid = pelt_arena_alloc(arena, count, sizeof *out->is_solid),
                             .order = source->order};
    if (out->parents == NULL || out->pivots == NULL || out->reaches == NULL ||
        out->is_stored == NULL || out->is_solid == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        const pelti_bake_joint* own = &source->joints[joint];
        out->parents[joint] = PELT_NONE;
        bool is_center = options->encoding == PELT_ENCODING_QT;
        out->pivots[joint] = is_center ? own->center : own->origin;
        out->reaches[joint] = is_center ? own->center_reach : own->origin_reach;
        out->is_stored[joint] = own->is_used;
        out->is_solid[joint] = is_solid(source, clips, clip_count, joint);
    }
    if (options->encoding == PELT_ENCODING_LOCAL)
    {
        find_skeleton(out, source);
    }
    else if (options->encoding == PELT_ENCODING_QT && !options->has_no_followers)
    {
        return find_followers(out, source, clips, clip_count, options->has_budget, tolerance);
    }
    return PELT_OK;
}
