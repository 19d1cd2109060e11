// SPDX-License-Identifier: MIT
// Motions as rotation, position and stretch, and how far each of these moves vertices.
#include "../base/exact.h"

#include "../pose/palette.h"
#include "bake_record.h"

// ---------------------------------------------------------------------------------------------
// Decomposition

// Below this fraction of the largest stretch, the rotation of a joint is lost in rounding.
static const float collapsed = 1e-6f;

// How much a parent may shrink before poses relative to it count as unknown. Its inverse magnifies
// the rounding of the model, 1e-7; an unknown pose moves vertices by at most the inverse of this.
static const double most_shrinking = 3000.0;

// Most motions are a rotation and a uniform scale; these need no iterative decomposition.
static bool split_similar(pelti_joint_pose* out, const pelt_mat3* a)
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

pelti_joint_pose pelti_joint_pose_of(const pelt_mat34* motion, pelt_vec3 pivot)
{
    pelti_joint_pose pose = {.position = pelt_mat34_point(motion, pivot)};
    pelt_mat3 linear = pelt_mat34_linear(motion);
    if (!split_similar(&pose, &linear))
    {
        pelti_joint_split splits[2];
        int handedness[2];
        pelti_split_two(splits, handedness, (const pelt_mat34* const[2]){motion, motion});
        pelt_mat3 s = splits[0].stretch;
        pose.rotation = splits[0].motion.real;
        const float stretch[6] = {s.m[0][0], s.m[1][1], s.m[2][2], s.m[1][2], s.m[2][0], s.m[0][1]};
        for (int i = 0; i < 6; ++i)
        {
            pose.stretch[i] = stretch[i];
        }
    }
    return pose;
}

static float largest_stretch(const pelti_joint_pose* pose)
{
    float largest = 0.0f;
    for (int i = 0; i < 6; ++i)
    {
        largest = fmaxf(largest, fabsf(pose->stretch[i]));
    }
    return largest;
}

typedef enum pose_part
{
    WHOLE_POSE,
    ROTATION,
} pose_part;

static pelti_joint_pose blend_poses(const pelti_joint_pose* a, const pelti_joint_pose* b, float t)
{
    pelti_joint_pose pose = {.rotation = pelt_quat_slerp(a->rotation, b->rotation, t),
                             .position = pelt_vec3_lerp(a->position, b->position, t)};
    for (int i = 0; i < 6; ++i)
    {
        pose.stretch[i] = (1.0f - t) * a->stretch[i] + t * b->stretch[i];
    }
    return pose;
}

// The pose one sample after two others.
static pelti_joint_pose go_on(const pelti_joint_pose* a, const pelti_joint_pose* b)
{
    return blend_poses(a, b, 2.0f);
}

// Fill the unknown samples from `first` to `end`. A single one is interpolated halfway between its
// neighbors. In a longer gap, the first half is extrapolated from the samples before and the second
// half from those after it, because the visible error is between known samples and their neighbors.
static void fill_samples(pelti_joint_pose* poses, uint32_t first, uint32_t end, uint32_t count,
                         pose_part part)
{
    pelti_joint_pose before = poses[first > 0 ? first - 1 : end],
                     after = end < count ? poses[end] : before;
    bool is_single = end - first == 1 && first > 0 && end < count;
    if (!is_single && first > 1)
    {
        before = go_on(&poses[first - 2], &poses[first - 1]);
    }
    after = !is_single && end + 1 < count ? go_on(&poses[end + 1], &poses[end]) : after;
    before = first > 0 ? before : after;
    after = end < count ? after : before;
    for (uint32_t i = first; i < end; ++i)
    {
        float t = is_single ? 0.5f : 2 * (i - first) + 1 <= end - first ? 0.0f : 1.0f;
        pelti_joint_pose pose = blend_poses(&before, &after, t);
        poses[i] = part == WHOLE_POSE ? pose : poses[i];
        poses[i].rotation = pose.rotation;
    }
}

static bool is_unknown(const pelti_joint_pose* pose, const double* shrinking, float largest,
                       pose_part part)
{
    return part == WHOLE_POSE ? *shrinking > 3.0 * most_shrinking
                              : largest_stretch(pose) <= collapsed * largest;
}

static void fill_part(pelti_joint_pose* poses, const double* shrinking, uint32_t count,
                      pose_part part)
{
    float largest = 0.0f;
    for (uint32_t i = 0; i < count; ++i)
    {
        largest = fmaxf(largest, largest_stretch(&poses[i]));
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t first = i;
        while (i < count &&
               is_unknown(&poses[i], shrinking != NULL ? &shrinking[i] : NULL, largest, part))
        {
            ++i;
        }
        if (i > first && i - first < count)
        {
            fill_samples(poses, first, i, count, part);
        }
    }
}

void pelti_joint_poses_fill(pelti_joint_pose* poses, const double* shrinking, uint32_t count)
{
    if (shrinking != NULL)
    {
        fill_part(poses, shrinking, count, WHOLE_POSE);
    }
    fill_part(poses, NULL, count, ROTATION);
}

// ---------------------------------------------------------------------------------------------
// Reach

double pelti_still_distance(const pelti_code_job* job, const pelti_quality* quality)
{
    return quality->tolerance > 0.0 ? 0.25 * quality->tolerance
                                    : 1e-6 * (double)job->source->height;
}

static double largest_change(const pelt_mat34* motions, uint32_t count)
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

static double norm_of(const pelt_mat34* a)
{
    double sum = 0.0;
    for (int k = 0; k < 9; ++k)
    {
        sum += (double)a->m[k / 3][k % 3] * (double)a->m[k / 3][k % 3];
    }
    return sqrt(sum);
}

pelti_motion_size pelti_size_of(const pelt_mat34* motion)
{
    pelt_mat34 back;
    bool has_inverse = pelt_mat34_inverse(&back, motion);
    return (pelti_motion_size){norm_of(motion), has_inverse ? norm_of(&back) : INFINITY};
}

static void find_shrinking(double* out, const pelti_code_job* job, uint32_t parent)
{
    const pelti_samples* samples = job->samples;
    double largest = 0.0;
    for (uint32_t i = 0; i < samples->count; ++i)
    {
        pelti_motion_size size =
            pelti_size_of(&samples->motions[(size_t)i * job->source->joint_count + parent]);
        largest = fmax(largest, size.largest);
        out[i] = size.inverse;
    }
    for (uint32_t i = 0; i < samples->count; ++i)
    {
        out[i] = largest > 0.0 ? out[i] * largest : INFINITY;
    }
}

const double* pelti_parent_shrinking(const pelti_record_scratch* scratch, const pelti_code_job* job,
                                     uint32_t joint)
{
    uint32_t parent = job->plan->parents[joint];
    return parent == PELT_NONE || job->plan->is_solid[parent] ? NULL : scratch->shrinking;
}

// Motion relative to the parent in the source, or to the model where the parent is singular.
// @return the norm of the inverse of the parent's motion; 0: none
static double find_open(pelt_mat34* out, const pelti_code_job* job, uint32_t joint, uint32_t sample)
{
    size_t first = (size_t)sample * job->source->joint_count;
    uint32_t parent = job->plan->parents[joint];
    pelt_mat34 back;
    *out = job->samples->motions[first + joint];
    if (parent == PELT_NONE || !pelt_mat34_inverse(&back, &job->samples->motions[first + parent]))
    {
        return 0.0;
    }
    *out = pelt_mat34_mul(&back, out);
    return norm_of(&back);
}

void pelti_relative_motions(pelti_record_scratch* scratch, const pelti_code_job* job,
                            uint32_t joint, const pelt_mat34* decoded)
{
    uint32_t joint_count = job->source->joint_count, parent = job->plan->parents[joint];
    const double* shrinking = pelti_parent_shrinking(scratch, job, joint);
    if (shrinking != NULL)
    {
        find_shrinking(scratch->shrinking, job, parent);
    }
    for (uint32_t i = 0; i < job->samples->count; ++i)
    {
        size_t first = (size_t)i * joint_count;
        pelt_mat34 back;
        double norm = find_open(&scratch->open[i], job, joint, i);
        scratch->targets[i] = scratch->open[i];
        // Do not compensate rounding of the parent where its inverse magnifies it, or where
        // quantization leaves almost none of its scale: the child would become very large.
        bool is_solid = shrinking == NULL || shrinking[i] <= PELTI_SOLID;
        if (norm > 0.0 && is_solid && pelt_mat34_inverse(&back, &decoded[first + parent]) &&
            norm_of(&back) <= 2.0 * norm)
        {
            scratch->targets[i] = pelt_mat34_mul(&back, &job->samples->motions[first + joint]);
        }
    }
}

// Children first. A child that does not rotate by itself moves rigidly, like the joint's own
// vertices. Otherwise only the pivot of the child counts, since its rotation is encoded separately.
static void find_reaches(pelti_record_scratch* scratch, const pelti_code_job* job,
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
            for (uint32_t k = 0; k < job->samples->count; ++k)
            {
                find_open(&scratch->open[k], job, joint, k);
            }
            pelt_vec3 at = pelt_mat34_point(&scratch->open[0], plan->pivots[joint]);
            float offset = reach->weight * pelt_vec3_distance(at, plan->pivots[parent]);
            double change = largest_change(scratch->open, job->samples->count);
            double moved = change * (double)(reach->rotation * source->joints[parent].scale);
            float far =
                moved <= pelti_still_distance(job, quality) ? offset + reach->rotation : offset;
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

pelt_result pelti_record_scratch_create(pelti_record_scratch* out, const pelti_code_job* job,
                                        const pelti_quality* quality, pelt_arena* arena)
{
    uint32_t count = job->samples->count, keys = job->samples->key_count;
    *out = (pelti_record_scratch){
        .reaches = pelt_arena_alloc(arena, job->source->joint_count, sizeof *out->reaches),
        .shrinking = pelt_arena_alloc(arena, count, sizeof *out->shrinking),
        .open = pelt_arena_alloc(arena, count, sizeof *out->open),
        .targets = pelt_arena_alloc(arena, count, sizeof *out->targets),
        .open_poses = pelt_arena_alloc(arena, count, sizeof *out->open_poses),
        .poses = pelt_arena_alloc(arena, count, sizeof *out->poses),
        .rows = pelt_arena_alloc(arena, keys, sizeof *out->rows),
        .decoded = pelt_arena_alloc(arena, keys, sizeof *out->decoded),
        .paths = pelt_arena_alloc(arena, keys, sizeof *out->paths)};
    if (out->reaches == NULL || out->shrinking == NULL || out->open == NULL ||
        out->targets == NULL || out->open_poses == NULL || out->poses == NULL ||
        out->rows == NULL || out->decoded == NULL || out->paths == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    find_reaches(out, job, quality);
    return PELT_OK;
}
