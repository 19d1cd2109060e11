// SPDX-License-Identifier: MIT
// Parents and pivots. LOCAL follows the skeleton; under QT, joints that move rigidly with another
// in every clip follow that one and need no keys; all other joints stand alone.
#include "../base/exact.h"

#include "bake_plan.h"

// How far a joint leaves its place relative to another during a clip, at its farthest vertex.
static double relative_motion(const pelti_bake_source* source, const pelti_samples* clip,
                              uint32_t joint, uint32_t other)
{
    const pelti_bake_joint* own = &source->joints[joint];
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

static bool is_rigid_with(const pelti_bake_source* source, const pelti_samples* const* clips,
                          uint32_t clip_count, uint32_t joint, uint32_t other, double tolerance)
{
    for (uint32_t i = 0; i < clip_count; ++i)
    {
        if (!(relative_motion(source, clips[i], joint, other) <= tolerance))
        {
            return false;
        }
    }
    return true;
}

// Joints in groups that move as one; the first of a group that something follows leads it.
static pelt_result find_followers(pelti_bake_plan* plan, const pelti_bake_source* source,
                                  const pelti_samples* const* clips, uint32_t clip_count,
                                  double tolerance)
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
        bool is_follower =
            above != PELT_NONE && is_rigid_with(source, clips, clip_count, joint, above, tolerance);
        groups[joint] = is_follower ? groups[above] : joint;
        leaders[joint] = PELT_NONE;
        uint32_t* leader = &leaders[groups[joint]];
        if (source->joints[joint].is_used)
        {
            plan->parents[joint] = *leader;
            *leader = *leader == PELT_NONE ? joint : *leader;
        }
    }
    pelt_release(groups);
    return PELT_OK;
}

// A joint that flattens space at some time has no inverse: nothing can be relative to it.
static void find_skeleton(pelti_bake_plan* plan, const pelti_bake_source* source,
                          const pelti_samples* const* clips, uint32_t clip_count)
{
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        uint32_t above = source->joints[joint].above;
        bool is_invertible = above != PELT_NONE;
        for (uint32_t c = 0; is_invertible && c < clip_count; ++c)
        {
            for (uint32_t i = 0; is_invertible && i < clips[c]->count; ++i)
            {
                size_t at = (size_t)i * source->joint_count + above;
                pelt_mat34 back;
                is_invertible = pelt_mat34_inverse(&back, &clips[c]->motions[at]);
            }
        }
        plan->parents[joint] = is_invertible ? above : PELT_NONE;
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
                             .is_stored = pelt_arena_alloc(arena, count, sizeof *out->is_stored),
                             .order = source->order};
    if (out->parents == NULL || out->pivots == NULL || out->is_stored == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        const pelti_bake_joint* own = &source->joints[joint];
        out->parents[joint] = PELT_NONE;
        out->pivots[joint] = options->encoding == PELT_ENCODING_QT ? own->center : own->origin;
        out->is_stored[joint] = own->is_used;
    }
    if (options->encoding == PELT_ENCODING_LOCAL)
    {
        find_skeleton(out, source, clips, clip_count);
    }
    else if (options->encoding == PELT_ENCODING_QT && !options->has_no_followers)
    {
        return find_followers(out, source, clips, clip_count, tolerance);
    }
    return PELT_OK;
}
