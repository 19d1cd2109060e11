// SPDX-License-Identifier: MIT
// Motions as rotation, position and stretch, and how far each of these moves vertices.
#include "../base/exact.h"

#include "bake_pose.h"

// ---------------------------------------------------------------------------------------------
// Decomposition

// Most motions are a rotation with a uniform scale, which need no iteration.
static bool split_similar(pelti_pose* out, const pelt_mat3* a)
{
    float dots[6];
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3;
        dots[i] = a->m[0][i] * a->m[0][i] + a->m[1][i] * a->m[1][i] + a->m[2][i] * a->m[2][i];
        dots[3 + i] = a->m[0][i] * a->m[0][j] + a->m[1][i] * a->m[1][j] + a->m[2][i] * a->m[2][j];
    }
    float square = (dots[0] + dots[1] + dots[2]) / 3.0f, tolerance = 3e-6f * square;
    for (int i = 0; i < 3; ++i)
    {
        if (!(fabsf(dots[i] - square) <= tolerance && fabsf(dots[3 + i]) <= tolerance))
        {
            return false;
        }
    }
    float scale = sqrtf(square);
    if (!(scale > 1e-15f))
    {
        return false;
    }
    scale = pelt_mat3_determinant(a) < 0.0f ? -scale : scale;
    pelt_mat3 zero = {0}, rotation = pelt_mat3_mad(&zero, 1.0f / scale, a);
    out->rotation = pelt_quat_from_mat3(&rotation);
    out->stretch[0] = out->stretch[1] = out->stretch[2] = scale;
    out->stretch[3] = out->stretch[4] = out->stretch[5] = 0.0f;
    return true;
}

pelti_pose pelti_pose_of(const pelt_mat34* motion, pelt_vec3 pivot)
{
    pelti_pose pose = {.position = pelt_mat34_point(motion, pivot)};
    pelt_mat3 linear = pelt_mat34_linear(motion);
    if (!split_similar(&pose, &linear))
    {
        pelt_mat3 rotation, s;
        pelt_mat3_polar(&rotation, &s, &linear);
        pose.rotation = pelt_quat_from_mat3(&rotation);
        const float stretch[6] = {s.m[0][0], s.m[1][1], s.m[2][2], s.m[1][2], s.m[2][0], s.m[0][1]};
        for (int i = 0; i < 6; ++i)
        {
            pose.stretch[i] = stretch[i];
        }
    }
    return pose;
}
// ---------------------------------------------------------------------------------------------
// Reach

double pelti_still_distance(const pelti_code_job* job, const pelti_quality* quality)
{
    return quality->tolerance > 0.0 ? 0.25 * quality->tolerance
                                    : 1e-6 * (double)job->source->height;
}

static double largest_turn(const pelt_mat34* motions, uint32_t count)
{
    double largest = 0.0;
    for (uint32_t i = 1; i < count; ++i)
    {
        double square = 0.0;
        for (int k = 0; k < 9; ++k)
        {
            double d = (double)motions[i].m[k / 3][k % 3] - (double)motions[0].m[k / 3][k % 3];
            square += d * d;
        }
        largest = fmax(largest, square);
    }
    return sqrt(largest);
}

void pelti_relative_motions(pelt_mat34* out, const pelti_code_job* job, uint32_t joint,
                            const pelt_mat34* parents)
{
    uint32_t joint_count = job->source->joint_count, parent = job->plan->parents[joint];
    for (uint32_t i = 0; i < job->samples->count; ++i)
    {
        size_t first = (size_t)i * joint_count;
        pelt_mat34 back;
        out[i] = job->samples->motions[first + joint];
        if (parent != PELT_NONE && pelt_mat34_inverse(&back, &parents[first + parent]))
        {
            out[i] = pelt_mat34_mul(&back, &out[i]);
        }
    }
}

// Children first. A child that does not turn by itself is as rigid as the joint's own vertices. The
// pivot of one that does is moved, but its rotation is encoded anew.
static void find_reaches(pelti_pose_scratch* scratch, const pelti_code_job* job,
                         const pelti_quality* quality)
{
    const pelti_bake_source* source = job->source;
    const pelti_bake_plan* plan = job->plan;
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        scratch->reaches[joint] =
            (pelti_reach){.rotation = plan->reaches[joint], .weight = source->joints[joint].weight};
    }
    for (uint32_t i = source->joint_count; i-- > 0;)
    {
        uint32_t joint = plan->order[i], parent = plan->parents[joint];
        pelti_reach* reach = &scratch->reaches[joint];
        if (parent != PELT_NONE && reach->weight > 0.0f)
        {
            pelti_relative_motions(scratch->open, job, joint, job->samples->motions);
            pelt_vec3 at = pelt_mat34_point(&scratch->open[0], plan->pivots[joint]);
            float arm = reach->weight * pelt_vec3_distance(at, plan->pivots[parent]);
            double turn = largest_turn(scratch->open, job->samples->count);
            double moved = turn * (double)(reach->rotation * source->joints[parent].scale);
            float far = moved <= pelti_still_distance(job, quality) ? arm + reach->rotation : arm;
            pelti_reach* above = &scratch->reaches[parent];
            above->rotation = fmaxf(above->rotation, far);
            above->weight = fmaxf(above->weight, reach->weight);
        }
        float parent_scale = parent == PELT_NONE ? 1.0f : source->joints[parent].scale;
        reach->stretch = reach->rotation * parent_scale;
        reach->position = reach->weight * parent_scale;
        reach->rotation *= source->joints[joint].scale;
    }
}

pelt_result pelti_pose_scratch_create(pelti_pose_scratch* out, const pelti_code_job* job,
                                      const pelti_quality* quality, pelt_arena* arena)
{
    uint32_t count = job->samples->count, keys = job->samples->key_count;
    *out = (pelti_pose_scratch){
        .reaches = pelt_arena_alloc(arena, job->source->joint_count, sizeof *out->reaches),
        .open = pelt_arena_alloc(arena, count, sizeof *out->open),
        .targets = pelt_arena_alloc(arena, count, sizeof *out->targets),
        .open_poses = pelt_arena_alloc(arena, count, sizeof *out->open_poses),
        .poses = pelt_arena_alloc(arena, count, sizeof *out->poses),
        .rows = pelt_arena_alloc(arena, keys, sizeof *out->rows),
        .decoded = pelt_arena_alloc(arena, keys, sizeof *out->decoded),
        .paths = pelt_arena_alloc(arena, keys, sizeof *out->paths)};
    if (out->reaches == NULL || out->open == NULL || out->targets == NULL ||
        out->open_poses == NULL || out->poses == NULL || out->rows == NULL ||
        out->decoded == NULL || out->paths == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    find_reaches(out, job, quality);
    return PELT_OK;
}
