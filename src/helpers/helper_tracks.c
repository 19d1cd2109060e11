// SPDX-License-Identifier: MIT
// Tracks of helper joints, for programs that do not know their rules: samples of the rule, of which
// those are kept that linear interpolation needs.
#include "../base/exact.h"

#include "../scene/scene_private.h"
#include "helpers.h"

#include <stdlib.h>
#include <string.h>

enum
{
    PIECES = 8, // of an interval between two keys
    WIDTH = 10, // translation, rotation and scale
};

typedef struct track_work
{
    pelt_scene* scene;
    double size;
    pelt_pose pose;
    pelt_mat34* model_from_node;
    uint32_t time_count;
    float* times;
    float* samples; // [helper][time][WIDTH]
    bool* is_kept;  // by time
} track_work;

static const double rotation_tolerance = 0.05 * 3.14159265358979 / 180.0;
static const double translation_tolerance = 2e-5; // of the size
static const double scale_tolerance = 1e-4;

// ---------------------------------------------------------------------------------------------
// Times

static int by_time(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

static size_t count_keys(const pelt_clip* clip)
{
    size_t count = 0;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        bool is_step = track->interpolation == PELT_INTERPOLATION_STEP;
        count += track->path == PELT_PATH_MORPH ? 0 : (size_t)track->key_count << is_step;
    }
    return count;
}

static uint32_t sort_times(float* times, size_t count)
{
    uint32_t kept = 0;
    qsort(times, count, sizeof *times, by_time);
    for (size_t i = 0; i < count; ++i)
    {
        if (kept == 0 || times[i] > times[kept - 1])
        {
            times[kept++] = times[i];
        }
    }
    return kept;
}

// All key times, and times between them. Where a track jumps, also the moment before.
static bool list_times(track_work* work, const pelt_clip* clip)
{
    size_t count = count_keys(clip), used = 0;
    float* keys = pelt_allocate(count, sizeof *keys);
    if (keys == NULL || count > UINT32_MAX / (2 * PIECES))
    {
        pelt_release(keys);
        return false;
    }
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        bool is_step = track->interpolation == PELT_INTERPOLATION_STEP;
        for (uint32_t k = 0; k < track->key_count && track->path != PELT_PATH_MORPH; ++k)
        {
            keys[used++] = track->times[k];
            if (is_step)
            {
                keys[used++] = k > 0 ? nextafterf(track->times[k], -1.0f) : track->times[k];
            }
        }
    }
    uint32_t key_count = count > 0 ? sort_times(keys, count) : 0;
    work->times = pelt_allocate((size_t)key_count * PIECES + 1, sizeof *work->times);
    for (uint32_t i = 0; i < key_count && work->times != NULL; ++i)
    {
        work->times[work->time_count++] = keys[i];
        for (int piece = 1; piece < PIECES && i + 1 < key_count; ++piece)
        {
            float time = keys[i] + (keys[i + 1] - keys[i]) * ((float)piece / PIECES);
            if (time > work->times[work->time_count - 1] && time < keys[i + 1])
            {
                work->times[work->time_count++] = time;
            }
        }
    }
    pelt_release(keys);
    return work->times != NULL;
}

// ---------------------------------------------------------------------------------------------
// Samples

static void sample_all(track_work* work, const pelt_clip* clip)
{
    const pelt_scene* scene = work->scene;
    for (uint32_t i = 0; i < work->time_count; ++i)
    {
        pelt_pose_sample(&work->pose, scene, clip, work->times[i], PELT_WRAP_CLAMP);
        pelt_pose_to_model(work->model_from_node, scene, &work->pose);
        for (uint32_t h = 0; h < scene->helper_count; ++h)
        {
            const pelt_helper* helper = &scene->helpers[h];
            uint32_t parent = scene->nodes[helper->node].parent;
            pelt_transform local = pelt_helper_evaluate(helper, &work->model_from_node[parent],
                                                        &work->model_from_node[helper->source]);
            memcpy(work->samples + ((size_t)h * work->time_count + i) * WIDTH, &local,
                   sizeof local);
        }
    }
    for (uint32_t h = 0; h < scene->helper_count; ++h)
    {
        float* rotation = work->samples + (size_t)h * work->time_count * WIDTH + 3;
        for (uint32_t i = 1; i < work->time_count; ++i)
        {
            // Nearest to the one before, as tracks require.
            float *before = rotation + (size_t)(i - 1) * WIDTH, *now = rotation + (size_t)i * WIDTH;
            float dot =
                before[0] * now[0] + before[1] * now[1] + before[2] * now[2] + before[3] * now[3];
            for (int k = 0; k < 4 && dot < 0.0f; ++k)
            {
                now[k] = -now[k];
            }
        }
    }
}

// Largest error of interpolation between two samples relative to the tolerances of a property.
static double error_between(const track_work* work, const float* samples, uint32_t first,
                            uint32_t last, uint32_t at, pelt_path path)
{
    double t = ((double)work->times[at] - (double)work->times[first]) /
               ((double)work->times[last] - (double)work->times[first]);
    const float *a = samples + (size_t)first * WIDTH, *b = samples + (size_t)last * WIDTH,
                *c = samples + (size_t)at * WIDTH;
    if (path == PELT_PATH_ROTATION)
    {
        pelt_quat p = {a[3], a[4], a[5], a[6]}, q = {b[3], b[4], b[5], b[6]};
        pelt_quat r = pelt_quat_slerp(p, q, (float)t), s = {c[3], c[4], c[5], c[6]};
        pelt_quat d = pelt_quat_mul(pelt_quat_conjugate(r), s);
        double sine =
            sqrt((double)d.x * (double)d.x + (double)d.y * (double)d.y + (double)d.z * (double)d.z);
        return 2.0 * asin(fmin(sine, 1.0)) / rotation_tolerance;
    }
    int first_float = path == PELT_PATH_TRANSLATION ? 0 : 7;
    double square = 0.0;
    for (int i = first_float; i < first_float + 3; ++i)
    {
        double d = (1.0 - t) * (double)a[i] + t * (double)b[i] - (double)c[i];
        square += d * d;
    }
    double tolerance =
        path == PELT_PATH_TRANSLATION ? translation_tolerance * work->size : scale_tolerance;
    return sqrt(square) / fmax(tolerance, 1e-30);
}

// Keep the sample with the largest error between two that are kept, until none is too large
// (Douglas and Peucker 1973). The ranges still to look at are kept by their ends.
static void keep_between(track_work* work, const float* samples, pelt_path path)
{
    uint32_t first = 0;
    memset(work->is_kept, 0, work->time_count * sizeof *work->is_kept);
    work->is_kept[0] = work->is_kept[work->time_count - 1] = true;
    while (first + 1 < work->time_count)
    {
        uint32_t last = first + 1, worst = 0;
        double most = 1.0;
        while (!work->is_kept[last])
        {
            ++last;
        }
        for (uint32_t i = first + 1; i < last; ++i)
        {
            double error = error_between(work, samples, first, last, i, path);
            worst = error > most ? i : worst;
            most = fmax(most, error);
        }
        if (worst > 0)
        {
            work->is_kept[worst] = true;
            continue;
        }
        first = last;
    }
}

// ---------------------------------------------------------------------------------------------
// Tracks

static bool is_still(const track_work* work, const float* samples, const pelt_transform* rest,
                     pelt_path path)
{
    float row[2 * WIDTH];
    bool is_still = true;
    memcpy(row, rest, sizeof *rest);
    for (uint32_t i = 0; i < work->time_count && is_still; ++i)
    {
        const float* sample = samples + (size_t)i * WIDTH;
        int first = path == PELT_PATH_TRANSLATION ? 0 : path == PELT_PATH_ROTATION ? 3 : 7;
        int width = path == PELT_PATH_ROTATION ? 4 : 3;
        double unit = path == PELT_PATH_TRANSLATION ? work->size : 1.0, dot = 0.0;
        for (int k = first; k < first + width; ++k)
        {
            dot += (double)row[k] * (double)sample[k];
        }
        double sign = path == PELT_PATH_ROTATION && dot < 0.0 ? -1.0 : 1.0;
        for (int k = first; k < first + width; ++k)
        {
            is_still = is_still && fabs((double)row[k] - sign * (double)sample[k]) < 1e-5 * unit;
        }
    }
    return is_still;
}

static bool add_track(pelt_track* out, const track_work* work, uint32_t helper, pelt_path path)
{
    const float* samples = work->samples + (size_t)helper * work->time_count * WIDTH;
    uint32_t width = path == PELT_PATH_ROTATION ? 4 : 3, count = 0;
    uint32_t first = path == PELT_PATH_TRANSLATION ? 0 : path == PELT_PATH_ROTATION ? 3 : 7;
    for (uint32_t i = 0; i < work->time_count; ++i)
    {
        count += work->is_kept[i];
    }
    float* times = pelt_arena_alloc(work->scene->arena, count, sizeof *times);
    float* values = pelt_arena_alloc(work->scene->arena, (size_t)count * width, sizeof *values);
    if (times == NULL || values == NULL)
    {
        return false;
    }
    uint32_t key = 0;
    for (uint32_t i = 0; i < work->time_count; ++i)
    {
        if (work->is_kept[i])
        {
            times[key] = work->times[i];
            memcpy(values + (size_t)key++ * width, samples + (size_t)i * WIDTH + first,
                   width * sizeof *values);
        }
    }
    *out = (pelt_track){.target = work->scene->helpers[helper].node,
                        .path = path,
                        .interpolation = PELT_INTERPOLATION_LINEAR,
                        .key_count = count,
                        .width = width,
                        .times = times,
                        .values = values};
    return true;
}

static bool add_to_clip(track_work* work, pelt_clip* clip)
{
    const pelt_scene* scene = work->scene;
    static const pelt_path paths[] = {PELT_PATH_TRANSLATION, PELT_PATH_ROTATION, PELT_PATH_SCALE};
    uint32_t count = clip->track_count;
    pelt_track* tracks = pelt_arena_alloc(
        scene->arena, (size_t)count + 3 * (size_t)scene->helper_count, sizeof *tracks);
    size_t sample_count = (size_t)scene->helper_count * work->time_count;
    work->samples = pelt_allocate(sample_count, WIDTH * sizeof *work->samples);
    work->is_kept = pelt_allocate(work->time_count, sizeof *work->is_kept);
    bool is_ok = tracks != NULL && work->samples != NULL && work->is_kept != NULL;
    if (is_ok)
    {
        memcpy(tracks, clip->tracks, count * sizeof *tracks);
        sample_all(work, clip);
    }
    for (uint32_t h = 0; h < scene->helper_count && is_ok; ++h)
    {
        const float* samples = work->samples + (size_t)h * work->time_count * WIDTH;
        for (int i = 0; i < 3 && is_ok; ++i)
        {
            const pelt_transform* rest = &scene->nodes[scene->helpers[h].node].rest;
            if (!is_still(work, samples, rest, paths[i]))
            {
                keep_between(work, samples, paths[i]);
                is_ok = add_track(&tracks[count++], work, h, paths[i]);
            }
        }
    }
    pelt_release(work->samples);
    pelt_release(work->is_kept);
    clip->tracks = is_ok ? tracks : clip->tracks;
    clip->track_count = is_ok ? count : clip->track_count;
    return is_ok;
}

pelt_result pelti_helpers_add_tracks(pelt_scene* inout, uint32_t* track_count, double size)
{
    track_work work = {.scene = inout, .size = size};
    pelt_clip* clips = (pelt_clip*)inout->clips;
    work.model_from_node = pelt_allocate(inout->node_count, sizeof *work.model_from_node);
    bool is_ok = work.model_from_node != NULL && pelt_pose_create(&work.pose, inout) == PELT_OK;
    for (uint32_t i = 0; i < inout->clip_count && is_ok; ++i)
    {
        uint32_t before = clips[i].track_count;
        work.time_count = 0;
        is_ok =
            list_times(&work, &clips[i]) && (work.time_count == 0 || add_to_clip(&work, &clips[i]));
        pelt_release(work.times);
        work.times = NULL;
        *track_count += clips[i].track_count - before;
    }
    pelt_pose_destroy(&work.pose);
    pelt_release(work.model_from_node);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}
