// SPDX-License-Identifier: MIT
// Whether joints of a character only rotate and move, or scale as well.
#include "pelt/gpu.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOMENT_MAX = 256, // keys of a clip that are looked at
};

// Zero has no logarithm.
#define LENGTH_MIN 1e-6f

// ---------------------------------------------------------------------------------------------
// One pose

// Largest and smallest eigenvalue of a symmetric matrix (Smith 1961): with the mean q of the
// diagonal and the size p of what is left, the eigenvalues are q + 2 p cos(angle).
static void find_extremes(double* least, double* most, const pelt_mat3* a)
{
    double q = ((double)a->m[0][0] + (double)a->m[1][1] + (double)a->m[2][2]) / 3.0;
    double b[3][3], sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            b[i][j] = (double)a->m[i][j] - (i == j ? q : 0.0);
            sum += b[i][j] * b[i][j];
        }
    }
    double p = sqrt(sum / 6.0);
    *least = *most = q;
    if (p > 0.0)
    {
        double determinant = b[0][0] * (b[1][1] * b[2][2] - b[1][2] * b[2][1]) -
                             b[0][1] * (b[1][0] * b[2][2] - b[1][2] * b[2][0]) +
                             b[0][2] * (b[1][0] * b[2][1] - b[1][1] * b[2][0]);
        double cosine = fmax(-1.0, fmin(1.0, determinant / (2.0 * p * p * p)));
        double angle = acos(cosine) / 3.0;
        *most = q + 2.0 * p * cos(angle);
        *least = q + 2.0 * p * cos(angle + 2.0 * (double)PELT_PI / 3.0);
    }
}

static float change_of(float factor)
{
    return fabsf(logf(fmaxf(factor, LENGTH_MIN)));
}

static float farthest(float least, float most, float unit)
{
    return fmaxf(change_of(least / unit), change_of(most / unit));
}

// A stretch that mirrors is negative definite.
static void look_at_joint(pelt_joint_scale* inout, const pelt_mat3* stretch, uint32_t node,
                          const pelt_clip* clip, float time)
{
    double low, high;
    find_extremes(&low, &high, stretch);
    float least = (float)fmin(fabs(low), fabs(high)), most = (float)fmax(fabs(low), fabs(high));
    float before = farthest(inout->least, inout->most, inout->unit);
    float change = farthest(least, most, inout->unit);
    inout->has_mirrors = inout->has_mirrors || low + high < 0.0;
    inout->is_uniform = inout->is_uniform && most - least <= PELT_JOINT_SCALE_TOLERANCE * most;
    // The first of equal values: rounding must not choose.
    if (change > PELT_JOINT_SCALE_TOLERANCE && change > before + 0.1f * PELT_JOINT_SCALE_TOLERANCE)
    {
        inout->node = node;
        inout->clip = clip != NULL ? clip->name : NULL;
        inout->time = time;
    }
    inout->least = fminf(inout->least, least);
    inout->most = fmaxf(inout->most, most);
}

// The size of a cube of one meter under a joint; 1 if that is flat.
static float unit_of(const pelt_scene* scene, pelt_frame* frame, const pelt_pose* pose)
{
    if (scene->skin_count == 0 || scene->skins[0].joint_count == 0)
    {
        return 1.0f;
    }
    pelt_frame_pose(frame, scene, pose, &(pelt_deform_options){0});
    float size = cbrtf(fabsf(pelt_mat3_determinant(&frame->palettes[0].stretches[0])));
    return size > LENGTH_MIN ? size : 1.0f;
}

static void look_at_pose(pelt_joint_scale* inout, const pelt_scene* scene, pelt_frame* frame,
                         const pelt_pose* pose, const pelt_clip* clip, float time)
{
    pelt_frame_pose(frame, scene, pose, &(pelt_deform_options){0});
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        const pelt_skin* skin = &scene->skins[i];
        const pelt_palette* palette = &frame->palettes[i];
        for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
        {
            look_at_joint(inout, &palette->stretches[joint], skin->joints[joint], clip, time);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Clips

static bool is_one(const float* values, size_t count)
{
    size_t i = 0;
    while (i < count && fabsf(values[i] - 1.0f) <= 1e-6f)
    {
        ++i;
    }
    return i == count;
}

// If no node scales, at rest or in a clip, joints scale in every pose as in the stored one. Most
// characters are like this, and need not be sampled.
static bool has_scale(const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        if (!is_one(&scene->nodes[i].rest.scale.x, 3))
        {
            return true;
        }
    }
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        for (uint32_t j = 0; j < scene->clips[i].track_count; ++j)
        {
            const pelt_track* track = &scene->clips[i].tracks[j];
            bool is_constant = track->interpolation != PELT_INTERPOLATION_CUBIC &&
                               is_one(track->values, (size_t)track->key_count * track->width);
            if (track->path == PELT_PATH_SCALE && !is_constant)
            {
                return true;
            }
        }
    }
    return false;
}

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

// The times of all keys, ascending, each once. @return their number
static size_t list_keys(float* out, const pelt_clip* clip)
{
    size_t count = 0, kept = 0;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        for (uint32_t key = 0; key < clip->tracks[i].key_count; ++key)
        {
            out[count++] = clip->tracks[i].times[key];
        }
    }
    qsort(out, count, sizeof *out, compare_floats);
    for (size_t i = 0; i < count; ++i)
    {
        if (kept == 0 || out[i] > out[kept - 1])
        {
            out[kept++] = out[i];
        }
    }
    return kept;
}

static size_t count_keys(const pelt_clip* clip)
{
    size_t count = 0;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        count += clip->tracks[i].key_count;
    }
    return count;
}

static void look_at_moment(pelt_joint_scale* inout, const pelt_scene* scene, pelt_frame* frame,
                           pelt_pose* pose, const pelt_clip* clip, float time)
{
    pelt_pose_sample(pose, scene, clip, time, PELT_WRAP_CLAMP);
    look_at_pose(inout, scene, frame, pose, clip, time);
}

static pelt_result look_at_clip(pelt_joint_scale* inout, const pelt_scene* scene, pelt_frame* frame,
                                pelt_pose* pose, const pelt_clip* clip)
{
    float* times = pelt_allocate(count_keys(clip) + 1, sizeof *times);
    if (times == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    size_t count = list_keys(times, clip);
    size_t step = count / MOMENT_MAX + 1;
    for (size_t i = 0; i < count; i += step)
    {
        float next = i + 1 < count ? times[i + 1] : times[i];
        look_at_moment(inout, scene, frame, pose, clip, times[i]);
        look_at_moment(inout, scene, frame, pose, clip, 0.5f * times[i] + 0.5f * next);
    }
    pelt_release(times);
    return PELT_OK;
}

pelt_result pelt_joint_scale_measure(pelt_joint_scale* out, const pelt_scene* scene)
{
    *out = (pelt_joint_scale){.is_uniform = true, .node = PELT_NONE};
    pelt_frame frame = {0};
    pelt_pose pose = {0};
    PELT_TRY(pelt_frame_create(&frame, scene));
    pelt_result result = pelt_pose_create(&pose, scene);
    if (result != PELT_OK)
    {
        goto cleanup;
    }
    out->unit = out->least = out->most = unit_of(scene, &frame, &pose);
    look_at_pose(out, scene, &frame, &pose, NULL, 0.0f);
    bool is_sampled = scene->skin_count > 0 && has_scale(scene);
    for (uint32_t i = 0; i < scene->clip_count && is_sampled && result == PELT_OK; ++i)
    {
        result = look_at_clip(out, scene, &frame, &pose, &scene->clips[i]);
    }
    out->is_rigid =
        !out->has_mirrors && farthest(out->least, out->most, 1.0f) <= PELT_JOINT_SCALE_TOLERANCE;
    pelt_pose_destroy(&pose);
cleanup:
    pelt_frame_destroy(&frame);
    return result;
}

pelt_result pelt_gpu_scene_scale(pelt_gpu_scale* out, const pelt_scene* scene)
{
    pelt_joint_scale scale;
    PELT_TRY(pelt_joint_scale_measure(&scale, scene));
    *out = scale.is_rigid ? PELT_GPU_SCALE_NONE : PELT_GPU_SCALE_LOCAL;
    return PELT_OK;
}
