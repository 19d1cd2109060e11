// SPDX-License-Identifier: MIT
// Finds the time grid of a clip's own keys. Sampling on this grid matters more than the number of
// bits: between two keys of the source the motion is smooth, and at a key its velocity jumps.
#include "../base/exact.h"

#include "bake_source.h"

#include "../scene/scene_private.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_RUNS = 64,           // of a clip; beyond, jumps are smoothed
    MAX_INTERVALS = 1 << 26, // of a run: may be multiplied by a rate's factor, up to 8
};

static const double same_time = 1e-5;     // seconds: two keys at one time
static const double on_grid = 0.02;       // of an interval: how far keys may be off their grid
static const double exactly = 1e-3;       // of an interval: as far as rounded times are off
static const double fallback_rate = 60.0; // for keys without a grid
static const double max_rate = 125.0;

static int compare_times(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Replace times that are less than `close` apart by their middle. @return how many are left
static uint32_t merge_times(double* times, uint32_t count, double close)
{
    uint32_t kept = 0;
    for (uint32_t i = 0, end; i < count; i = end)
    {
        for (end = i + 1; end < count && times[end] - times[i] <= close;)
        {
            ++end;
        }
        times[kept++] = 0.5 * (times[i] + times[end - 1]);
    }
    return kept;
}

// Sort times and remove duplicates. @return how many are left
static uint32_t sort_times(double* times, uint32_t count)
{
    qsort(times, count, sizeof *times, compare_times);
    return merge_times(times, count, same_time);
}

// Only vertex textures include morph targets.
static bool has_morphs(const pelt_bake_options* options)
{
    return options->encoding == PELT_ENCODING_VERTEX;
}

static bool matters(const pelt_track* track, const pelt_bake_options* options)
{
    return (track->path != PELT_PATH_MORPH || has_morphs(options)) && track->key_count > 1 &&
           pelti_track_is_moving(track);
}

// Whether what a clip changes changes linearly between its keys.
static bool is_linear(const pelt_clip* clip, const pelt_bake_options* options)
{
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        if (clip->tracks[i].interpolation == PELT_INTERPOLATION_CUBIC &&
            matters(&clip->tracks[i], options))
        {
            return false;
        }
    }
    return true;
}

// The times of all keys that matter.
static uint32_t list_times(double* out, const pelt_clip* clip, const pelt_bake_options* options)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        for (uint32_t key = 0; matters(track, options) && key < track->key_count; ++key)
        {
            out[count++] = (double)track->times[key];
        }
    }
    return sort_times(out, count);
}

static bool fits_grid(const double* times, uint32_t count, double start, double interval,
                      double tolerance)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        double x = (times[i] - start) / interval;
        if (fabs(x - floor(x + 0.5)) > tolerance)
        {
            return false;
        }
    }
    return true;
}

// Refine an interval so that all gaps are multiples of it. Counting from key to key keeps the error
// of the first guess from accumulating. @return 0 if there is none
static double correct_interval(const double* times, uint32_t count, double interval)
{
    double steps = 0.0;
    for (uint32_t i = 1; i < count; ++i)
    {
        steps += floor((times[i] - times[i - 1]) / interval + 0.5);
        interval = steps > 0.0 ? (times[i] - times[0]) / steps : interval;
    }
    return steps >= 1.0 && steps < 1e6 ? interval : 0.0;
}

// The longest interval of which all gaps are multiples; 0 if there is none.
static double find_interval(const double* times, uint32_t count)
{
    double shortest = times[count - 1] - times[0], sum = 0.0;
    for (uint32_t i = 1; i < count; ++i)
    {
        shortest = fmin(shortest, times[i] - times[i - 1]);
    }
    uint32_t short_count = 0;
    for (uint32_t i = 1; i < count; ++i)
    {
        double gap = times[i] - times[i - 1];
        bool is_short = gap < 1.2 * shortest;
        sum += is_short ? gap : 0.0;
        short_count += is_short;
    }
    for (int part = 1; part <= 8; ++part)
    {
        double interval = correct_interval(times, count, sum / short_count / part);
        if (interval > 0.0 && fits_grid(times, count, times[0], interval, on_grid))
        {
            return interval;
        }
    }
    return 0.0;
}

// ---------------------------------------------------------------------------------------------
// Jumps

static bool is_jump(const pelt_track* track, uint32_t key, double interval)
{
    bool differs = false;
    for (uint32_t i = 0; i < track->width; ++i)
    {
        size_t now = (size_t)track->width * key + i, before = now - track->width;
        float scale = fmaxf(1.0f, fabsf(track->values[now]));
        differs = differs || fabsf(track->values[now] - track->values[before]) > 1e-5f * scale;
    }
    double gap = (double)track->times[key] - (double)track->times[key - 1];
    bool is_step = track->interpolation == PELT_INTERPOLATION_STEP;
    bool is_sudden = track->interpolation == PELT_INTERPOLATION_LINEAR && gap < 0.1 * interval;
    return differs && (is_step || is_sudden);
}

// Times of discontinuities: the key from which the new value holds.
static uint32_t list_jumps(double* out, const pelt_clip* clip, const pelt_bake_options* options,
                           double interval)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        for (uint32_t key = 1; matters(track, options) && key < track->key_count; ++key)
        {
            if (is_jump(track, key, interval))
            {
                out[count++] = (double)track->times[key];
            }
        }
    }
    return sort_times(out, count);
}

// When a jump begins: two linear keys close together are interpolated, so the jump begins at the
// first.
static double jump_begin(const pelt_clip* clip, const pelt_bake_options* options, double jump,
                         double interval)
{
    double begin = jump;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        bool is_line = matters(track, options) && track->interpolation == PELT_INTERPOLATION_LINEAR;
        for (uint32_t key = 1; is_line && key < track->key_count; ++key)
        {
            double off = (double)track->times[key] - jump;
            if (fabs(off) <= same_time && is_jump(track, key, interval))
            {
                begin = fmin(begin, (double)track->times[key - 1]);
            }
        }
    }
    return begin;
}

static bool is_all_step(const pelt_clip* clip, const pelt_bake_options* options)
{
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        if (matters(&clip->tracks[i], options) &&
            clip->tracks[i].interpolation != PELT_INTERPOLATION_STEP)
        {
            return false;
        }
    }
    return true;
}

// Remove times within a jump, so that two keys 1 ms apart do not lead to a rate of 1000 Hz.
static uint32_t drop_sudden(double* times, uint32_t count, double typical)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        bool is_sudden = i + 1 < count && times[i + 1] - times[i] < 0.1 * typical;
        if (!is_sudden || i == 0)
        {
            times[kept++] = times[i];
        }
    }
    return kept;
}

static double median_gap(const double* times, uint32_t count, double* scratch)
{
    for (uint32_t i = 1; i < count; ++i)
    {
        scratch[i - 1] = times[i] - times[i - 1];
    }
    qsort(scratch, count - 1, sizeof *scratch, compare_times);
    return scratch[(count - 1) / 2];
}

// ---------------------------------------------------------------------------------------------

static uint32_t intervals_between(double start, double end, double interval)
{
    // pelt_bake_options.max_memory never allows as many intervals as this cap.
    double steps = floor((end - start) / interval + 0.5);
    return steps < 1.0 ? 1 : steps < MAX_INTERVALS ? (uint32_t)steps : MAX_INTERVALS;
}

// Whether the first pose and the last are the same, to a hundredth of a millimeter per meter.
static pelt_result find_loop(bool* out, const pelti_bake_source* source, const pelt_clip* clip,
                             const pelt_bake_options* options)
{
    pelti_bake_sampler sampler = {0}, end = {0};
    pelt_mat34* motions = pelt_allocate(2 * (size_t)source->joint_count, sizeof *motions);
    if (motions == NULL || pelti_bake_sampler_create(&sampler, source->scene) != PELT_OK ||
        pelti_bake_sampler_create(&end, source->scene) != PELT_OK)
    {
        pelti_bake_sampler_destroy(&sampler);
        pelt_release(motions);
        return PELT_ERROR_MEMORY;
    }
    pelti_bake_sample(motions, source, &sampler, clip, 0.0f);
    pelti_bake_sample(motions + source->joint_count, source, &end, clip, clip->duration);
    *out = true;
    for (uint32_t i = 0; has_morphs(options) && i < sampler.pose.morph_weight_count && *out; ++i)
    {
        // A target moves vertices by less than the height, so weights get the same tolerance.
        *out = fabsf(sampler.pose.morph_weights[i] - end.pose.morph_weights[i]) <= 1e-5f;
    }
    for (uint32_t joint = 0; joint < source->joint_count && *out; ++joint)
    {
        const pelti_bake_joint* own = &source->joints[joint];
        pelt_vec3 far =
            pelt_vec3_make(own->center.x, own->center.y, own->center.z + own->center_reach);
        const pelt_mat34 *a = &motions[joint], *b = &motions[joint + source->joint_count];
        float shift = fmaxf(
            pelt_vec3_distance(pelt_mat34_point(a, own->center), pelt_mat34_point(b, own->center)),
            pelt_vec3_distance(pelt_mat34_point(a, far), pelt_mat34_point(b, far)));
        *out = !own->is_used || shift <= 1e-5f * source->height;
    }
    pelti_bake_sampler_destroy(&sampler);
    pelti_bake_sampler_destroy(&end);
    pelt_release(motions);
    return PELT_OK;
}

// Split a clip into runs, one from each jump to the next.
static void split_runs(pelti_clip_times* out, const pelt_clip* clip,
                       const pelt_bake_options* options, const double* jumps, uint32_t jump_count,
                       double interval)
{
    pelti_run_times whole = out->runs[0];
    out->run_count = 0;
    double start = whole.start;
    for (uint32_t i = 0; i <= jump_count; ++i)
    {
        bool is_last = i == jump_count;
        double end = is_last ? whole.end : jumps[i];
        if (!is_last && end - start < same_time)
        {
            continue;
        }
        bool has_length = end - start > same_time;
        out->runs[out->run_count++] = (pelti_run_times){
            .start = start,
            .end = has_length ? end : start,
            .intervals = has_length ? intervals_between(start, end, interval) : 0,
            .is_open = !is_last,
            .before_jump = is_last ? end : jump_begin(clip, options, end, interval)};
        start = end;
    }
}

// Whether every key of the source is a key of a run, or within the jump at its end.
static bool has_all_keys(const pelti_clip_times* in, const double* times, uint32_t count)
{
    for (uint32_t i = 0, r = 0; i < count; ++i)
    {
        while (r + 1 < in->run_count && times[i] > in->runs[r].end - same_time)
        {
            ++r;
        }
        const pelti_run_times* run = &in->runs[r];
        double interval = run->intervals > 0 ? (run->end - run->start) / run->intervals : 1.0;
        bool is_jump = run->is_open && times[i] > run->before_jump - same_time;
        if (!is_jump && !fits_grid(&times[i], 1, run->start, interval, exactly))
        {
            return false;
        }
    }
    return true;
}

static void divide_runs(pelti_clip_times* inout, double interval)
{
    for (uint32_t i = 0; i < inout->run_count; ++i)
    {
        pelti_run_times* run = &inout->runs[i];
        run->intervals = run->intervals > 0 ? intervals_between(run->start, run->end, interval) : 0;
    }
}

// The grid of a clip's keys.
typedef struct key_grid
{
    double start, end;
    double interval;
} key_grid;

// Keys without a grid get the refresh rate of most screens.
// @param times    of all keys
// @param scratch  2 * count
static key_grid find_grid(const double* times, uint32_t count, double* scratch)
{
    // Rounding may separate keys of several tracks at one time by some microseconds.
    static const double closest[] = {0.0, 1e-4, 1e-3};
    key_grid grid = {.start = times[0], .end = times[count - 1]};
    for (size_t i = 0; i < sizeof closest / sizeof *closest; ++i)
    {
        double* own = scratch + count;
        memcpy(own, times, count * sizeof *own);
        uint32_t kept = merge_times(own, count, closest[i]);
        kept = kept > 1 ? drop_sudden(own, kept, median_gap(own, kept, scratch)) : kept;
        double interval = kept > 1 ? find_interval(own, kept) : 0.0;
        bool is_plausible = 2.0 * max_rate * interval > 1.0 && closest[i] < on_grid * interval;
        if (is_plausible || (i == 0 && interval > 0.0))
        {
            grid = (key_grid){own[0], own[kept - 1], interval};
        }
        if (is_plausible)
        {
            break;
        }
    }
    grid.interval = grid.interval > 0.0 ? grid.interval : 1.0 / fallback_rate;
    // Exporters that resample curves may write more keys than are useful.
    if (grid.interval * max_rate < 1.0)
    {
        grid.interval *= ceil(1.0 / (grid.interval * max_rate) - 1e-3);
    }
    return grid;
}

pelt_result pelti_clip_times_find(pelti_clip_times* out, const pelti_bake_source* source,
                                  const pelt_clip* clip, const pelt_bake_options* options,
                                  double min_rate, pelt_arena* arena)
{
    size_t key_count = 1;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        key_count += clip->tracks[i].key_count;
    }
    double* times = pelt_allocate(3 * key_count, sizeof *times);
    *out = (pelti_clip_times){.run_count = 1,
                              .runs = pelt_arena_alloc(arena, MAX_RUNS + 1, sizeof *out->runs)};
    if (times == NULL || out->runs == NULL ||
        find_loop(&out->loops, source, clip, options) != PELT_OK)
    {
        pelt_release(times);
        return PELT_ERROR_MEMORY;
    }
    double *scratch = times + key_count, *jumps = scratch;
    uint32_t count = list_times(times, clip, options);
    if (count < 2)
    {
        pelt_release(times);
        return PELT_OK; // one key, at 0
    }
    bool is_free = options->timing != PELT_BAKE_RATE;
    key_grid grid = find_grid(times, count, scratch);
    out->source_interval = grid.interval;
    if (!is_free)
    {
        grid = (key_grid){0.0, (double)clip->duration, 1.0 / (double)options->rate};
    }
    double start = grid.start, end = grid.end, interval = grid.interval;
    bool is_held = is_all_step(clip, options);
    bool has_own_keys =
        is_free && options->encoding == PELT_ENCODING_LOCAL && is_linear(clip, options);
    double parts = is_free && !is_held ? fmax(ceil(interval * min_rate - 1e-3), 1.0) : 1.0;
    interval /= has_own_keys ? 1.0 : parts;
    uint32_t intervals = intervals_between(start, end, interval);
    out->runs[0] =
        (pelti_run_times){.start = start, .end = end, .intervals = intervals, .is_held = is_held};
    double slack = on_grid * interval;
    out->wraps = out->loops && start < slack && (double)clip->duration - end < slack;

    uint32_t jump_count = is_held ? 0 : list_jumps(jumps, clip, options, interval);
    if (jump_count > 0 && jump_count < MAX_RUNS)
    {
        out->wraps = false;
        split_runs(out, clip, options, jumps, jump_count, interval);
    }
    out->is_exact = has_own_keys && has_all_keys(out, times, count);
    if (has_own_keys && !out->is_exact)
    {
        divide_runs(out, interval / parts);
    }
    pelt_release(times);
    return PELT_OK;
}

pelt_result pelti_clip_times_scale(pelti_clip_times* out, const pelti_clip_times* times,
                                   uint32_t divisor, uint32_t multiplier, pelt_arena* arena)
{
    *out = *times;
    out->runs = pelt_arena_alloc(arena, times->run_count, sizeof *out->runs);
    if (out->runs == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < times->run_count; ++i)
    {
        out->runs[i] = times->runs[i];
        uint32_t* intervals = &out->runs[i].intervals;
        *intervals =
            times->runs[i].is_held ? *intervals : (*intervals * multiplier + divisor - 1) / divisor;
    }
    return PELT_OK;
}

uint32_t pelti_run_key_count(const pelti_run_times* run, bool wraps)
{
    return wraps && run->intervals > 0 ? run->intervals : run->intervals + 1;
}

float pelti_run_time(const pelti_run_times* run, double x)
{
    double length = run->end - run->start;
    double end = run->end;
    if (run->is_open && run->intervals > 0)
    {
        // Just before a jump; a float has 7 digits.
        end -= fmax(1e-6 * run->end, 1e-3 * length / run->intervals);
        end = fmax(fmin(end, run->before_jump), run->start);
    }
    double time = run->intervals > 0 ? run->start + length * (x / run->intervals) : run->start;
    return (float)fmin(time, end);
}
