// SPDX-License-Identifier: MIT
// Frame times of a technique over the number of instances.
#ifndef PELT_CROWD_CURVE_H
#define PELT_CROWD_CURVE_H

#include "crowd_ladder.h"
#include "crowd_sample.h"
#include "crowd_technique.h"
#include "statistics.h"

enum
{
    CROWD_POINT_MAX = 32,
    CROWD_BREAKPOINT_COUNT = 3,
};

/// Frames per second: 120, 60, 30.
extern const double crowd_breakpoint_rates[CROWD_BREAKPOINT_COUNT];

typedef struct crowd_curve
{
    crowd_technique technique;
    bool is_measured;
    uint32_t point_count;
    crowd_point points[CROWD_POINT_MAX];
    double breakpoints[CROWD_BREAKPOINT_COUNT]; ///< instances, or NaN
    sample_summary rating;                      ///< over the points
    size_t texture_bytes;
} crowd_curve;

/// A curve without points, of what cannot be measured.
crowd_curve crowd_curve_absent(crowd_technique technique);

/// A curve on its way, from one instance to below 30 frames per second.
typedef struct crowd_climb
{
    crowd_ladder ladder; ///< ladder.count instances come next
    double left;         ///< seconds until it is left as it is
    bool is_repeated;    ///< the next sample is the second of these instances
    crowd_point first;   ///< the first of them then
    bool is_done;
} crowd_climb;

crowd_climb crowd_climb_begin(const crowd_pace* pace, uint32_t max_instances);

/// Tell the sample of climb->ladder.count instances, and step on, or ask for it a second time.
/// After the last the curve is complete; until then its breakpoints and its rating are those so
/// far.
/// @param spent  seconds that it took
void crowd_climb_step(crowd_climb* climb, crowd_curve* curve, const crowd_point* point,
                      double spent);

#endif
