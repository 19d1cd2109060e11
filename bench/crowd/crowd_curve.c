// SPDX-License-Identifier: MIT
#include "crowd_curve.h"

#include "clock.h"

#include <math.h>

const double crowd_breakpoint_rates[CROWD_BREAKPOINT_COUNT] = {120.0, 60.0, 30.0};

enum
{
    FRAME_MAX = 512, // of a sample; more say no more
};

crowd_pace crowd_pace_of(double seconds)
{
    const double whole = 60.0, coarsest = 6.0;
    double factor = fmin(1.0, seconds / whole);
    // Down to a sixth samples are shorter; from there on there are fewer of them, too.
    double coarse = fmin(coarsest, fmax(1.0, 1.0 / (6.0 * factor)));
    return (crowd_pace){.settle = 0.5 * factor,
                        .sample = factor,
                        .min_frames = seconds < 1.0 ? 2 : 5,
                        .low = 1e-3 * coarse,
                        .high = 2e-3 * coarse,
                        .limit = fmax(5.0 * seconds, 1.5)};
}

typedef struct frame_list
{
    uint32_t count;
    double seconds[FRAME_MAX];
} frame_list;

static void summarize(crowd_point* out, frame_list* frames, uint32_t instance_count)
{
    sample_summary all = sample_summarize(frames->seconds, frames->count);
    *out = (crowd_point){.instance_count = instance_count,
                         .frame_count = frames->count,
                         .best = sample_percentile(frames->seconds, frames->count, 0.0),
                         .median = sample_percentile(frames->seconds, frames->count, 0.5),
                         .mean = all.mean,
                         .deviation = all.deviation,
                         .p95 = sample_percentile(frames->seconds, frames->count, 0.95)};
    out->rating = instance_count / out->best;
}

// Frames from now on; the first ones, which fill caches and compile shaders, are not kept.
static pelt_result take_frames(frame_list* out, crowd_cast* cast, const crowd_toggles* toggles,
                               const crowd_pace* pace, pelt_error* error)
{
    pelt_result result = PELT_OK;
    double begin = clock_seconds(), last = begin, sampled = 0.0;
    bool is_settled = false;
    out->count = 0;
    while (result == PELT_OK && out->count < FRAME_MAX &&
           (out->count < pace->min_frames || sampled < pace->sample))
    {
        result = crowd_cast_draw(cast, last - begin, toggles, error);
        draw_target_finish();
        double now = clock_seconds();
        if (is_settled)
        {
            out->seconds[out->count++] = now - last;
            sampled += now - last;
        }
        is_settled = is_settled || now - begin >= pace->settle;
        last = now;
    }
    return result;
}

pelt_result crowd_point_measure(crowd_point* out, crowd_cast* cast, crowd_instances* instances,
                                uint32_t count, const crowd_toggles* toggles,
                                const crowd_pace* pace, pelt_error* error)
{
    frame_list frames;
    crowd_instances_arrange(instances, count, cast->subject->spacing);
    crowd_cast_arrange(cast, instances);
    pelt_result result = take_frames(&frames, cast, toggles, pace, error);
    summarize(out, &frames, count);
    return result;
}

static void finish_curve(crowd_curve* out)
{
    double counts[CROWD_POINT_MAX], times[CROWD_POINT_MAX], ratings[CROWD_POINT_MAX];
    for (uint32_t i = 0; i < out->point_count; ++i)
    {
        counts[i] = out->points[i].instance_count;
        times[i] = out->points[i].best;
        ratings[i] = out->points[i].rating;
    }
    for (int i = 0; i < CROWD_BREAKPOINT_COUNT; ++i)
    {
        out->breakpoints[i] =
            crowd_breakpoint(counts, times, out->point_count, 1.0 / crowd_breakpoint_rates[i]);
    }
    out->rating = sample_summarize(ratings, out->point_count);
}

crowd_curve crowd_curve_absent(crowd_technique technique)
{
    crowd_curve out = {.technique = technique, .is_measured = true};
    finish_curve(&out);
    return out;
}

// A jump may be that of another program: it is looked at twice.
static pelt_result measure_step(crowd_point* out, crowd_cast* cast, crowd_instances* instances,
                                const crowd_ladder* ladder, const crowd_pace* pace,
                                pelt_error* error)
{
    const crowd_toggles none = {0};
    pelt_result result =
        crowd_point_measure(out, cast, instances, ladder->count, &none, pace, error);
    if (result == PELT_OK && out->best - ladder->kept_time >= ladder->high)
    {
        crowd_point again;
        result = crowd_point_measure(&again, cast, instances, ladder->count, &none, pace, error);
        *out = again.best < out->best ? again : *out;
    }
    return result;
}

pelt_result crowd_climb_begin(crowd_climb* out, crowd_curve* curve, crowd_cast* cast,
                              crowd_instances* instances, const crowd_pace* pace, pelt_error* error)
{
    const crowd_toggles none = {0};
    const double stop = 1.0 / crowd_breakpoint_rates[CROWD_BREAKPOINT_COUNT - 1];
    uint32_t most = cast->capacity < instances->capacity ? cast->capacity : instances->capacity;
    crowd_point point;
    *curve = (crowd_curve){.technique = cast->technique,
                           .is_measured = true,
                           .texture_bytes = crowd_cast_texture_bytes(cast)};
    *out = (crowd_climb){.curve = curve,
                         .cast = cast,
                         .ladder = crowd_ladder_begin(pace->low, pace->high, stop, most),
                         .left = pace->limit};
    return crowd_point_measure(&point, cast, instances, 1, &none, pace, error);
}

pelt_result crowd_climb_step(crowd_climb* climb, crowd_instances* instances, const crowd_pace* pace,
                             pelt_error* error)
{
    crowd_point point;
    crowd_curve* curve = climb->curve;
    double start = clock_seconds();
    pelt_result result = measure_step(&point, climb->cast, instances, &climb->ladder, pace, error);
    if (result == PELT_OK && crowd_ladder_step(&climb->ladder, point.best))
    {
        curve->points[curve->point_count++] = point;
    }
    climb->left -= clock_seconds() - start;
    climb->is_done =
        climb->ladder.is_done || climb->left <= 0.0 || curve->point_count == CROWD_POINT_MAX;
    if (climb->is_done)
    {
        finish_curve(curve);
    }
    return result;
}
