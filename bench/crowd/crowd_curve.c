// SPDX-License-Identifier: MIT
// Frame times of a technique over the number of instances, without a clock or a renderer.
#include "crowd_curve.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------
// Ladder

crowd_ladder crowd_ladder_begin(double low, double high, double stop, uint32_t max_instances)
{
    return (crowd_ladder){
        .low = low, .high = high, .stop = stop, .max_instances = max_instances, .count = 1};
}

static void keep(crowd_ladder* ladder, double frame_time)
{
    ladder->kept_count = ladder->count;
    ladder->kept_time = frame_time;
    ladder->has_grown = ladder->has_shrunk = false;
    ladder->is_done = frame_time >= ladder->stop || ladder->count >= ladder->max_instances;
}

bool crowd_ladder_step(crowd_ladder* ladder, double frame_time)
{
    double difference = frame_time - ladder->kept_time;
    uint32_t step = ladder->count - ladder->kept_count;
    // The animation texture thesis (2021) does not say what to do when noise makes a step too small
    // and its double too large. The sample is kept, which ends the oscillation.
    bool is_between = ladder->has_grown && ladder->has_shrunk;
    bool is_kept = (difference >= ladder->low && difference < ladder->high) || step == 1 ||
                   is_between || ladder->count >= ladder->max_instances;
    if (is_kept)
    {
        keep(ladder, frame_time);
    }
    if (difference < ladder->low)
    {
        step *= 2;
        ladder->has_grown = !is_kept || ladder->has_grown;
    }
    else if (difference >= ladder->high)
    {
        step = step > 1 ? step / 2 : 1;
        ladder->has_shrunk = !is_kept || ladder->has_shrunk;
    }
    uint32_t left = ladder->max_instances - ladder->kept_count;
    ladder->count = ladder->kept_count + (step < left ? step : left);
    return is_kept;
}

double crowd_breakpoint(const double* counts, const double* frame_times, uint32_t count,
                        double frame_time)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (frame_times[i] == frame_time)
        {
            return counts[i];
        }
        if (frame_times[i] > frame_time)
        {
            if (i == 0)
            {
                return (double)NAN;
            }
            double part = (frame_time - frame_times[i - 1]) / (frame_times[i] - frame_times[i - 1]);
            return counts[i - 1] + part * (counts[i] - counts[i - 1]);
        }
    }
    return (double)NAN;
}

// ---------------------------------------------------------------------------------------------
// Samples

crowd_pace crowd_pace_of(double seconds)
{
    const double whole = 60.0, coarsest = 6.0;
    double factor = fmin(1.0, seconds / whole);
    // Down to a factor of 1/6 samples are shorter; below that, there are fewer of them as well.
    double coarse = fmin(coarsest, fmax(1.0, 1.0 / (6.0 * factor)));
    return (crowd_pace){.settle = 0.5 * factor,
                        .sample = factor,
                        .min_frames = seconds < 1.0 ? 2 : 5,
                        .low = 1e-3 * coarse,
                        .high = 2e-3 * coarse,
                        .limit = fmax(5.0 * seconds, 1.5)};
}

bool crowd_sample_add(crowd_sample* inout, double seconds, const crowd_pace* pace)
{
    inout->elapsed += seconds;
    if (inout->is_settled && inout->frame_count < CROWD_FRAME_MAX)
    {
        inout->seconds[inout->frame_count++] = seconds;
        inout->sampled += seconds;
    }
    inout->is_settled = inout->is_settled || inout->elapsed >= pace->settle;
    bool is_enough = inout->frame_count >= pace->min_frames && inout->sampled >= pace->sample;
    return is_enough || inout->frame_count == CROWD_FRAME_MAX;
}

crowd_point crowd_sample_summarize(crowd_sample* in, uint32_t instance_count)
{
    sample_summary all = sample_summarize(in->seconds, in->frame_count);
    crowd_point out = {.instance_count = instance_count,
                       .frame_count = in->frame_count,
                       .best = sample_percentile(in->seconds, in->frame_count, 0.0),
                       .median = sample_percentile(in->seconds, in->frame_count, 0.5),
                       .mean = all.mean,
                       .deviation = all.deviation,
                       .p95 = sample_percentile(in->seconds, in->frame_count, 0.95)};
    out.rating = instance_count / out.best;
    return out;
}

// ---------------------------------------------------------------------------------------------
// Curves

const double crowd_breakpoint_rates[CROWD_BREAKPOINT_COUNT] = {120.0, 60.0, 30.0};

static void summarize(crowd_curve* out)
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
    summarize(&out);
    return out;
}

crowd_climb crowd_climb_begin(const crowd_pace* pace, uint32_t max_instances)
{
    const double stop = 1.0 / crowd_breakpoint_rates[CROWD_BREAKPOINT_COUNT - 1];
    return (crowd_climb){.ladder = crowd_ladder_begin(pace->low, pace->high, stop, max_instances),
                         .left = pace->limit};
}

void crowd_climb_step(crowd_climb* climb, crowd_curve* curve, const crowd_point* point,
                      double spent)
{
    crowd_ladder* ladder = &climb->ladder;
    climb->left -= spent;
    // A jump may come from other load on the machine: measure it twice.
    bool is_jump = point->best - ladder->kept_time >= ladder->high;
    if (is_jump && !climb->is_repeated)
    {
        climb->is_repeated = true;
        climb->first = *point;
        return;
    }
    bool is_first_better = climb->is_repeated && climb->first.best < point->best;
    const crowd_point* best = is_first_better ? &climb->first : point;
    climb->is_repeated = false;
    if (crowd_ladder_step(ladder, best->best))
    {
        curve->points[curve->point_count++] = *best;
    }
    climb->is_done = ladder->is_done || climb->left <= 0.0 || curve->point_count == CROWD_POINT_MAX;
    summarize(curve);
}
