// SPDX-License-Identifier: MIT
#include "crowd_curve.h"

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
    // A jump may be that of another program: it is looked at twice.
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
