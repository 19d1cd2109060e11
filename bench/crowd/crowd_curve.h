// SPDX-License-Identifier: MIT
// Frame times of a technique over the number of instances.
#ifndef PELT_CROWD_CURVE_H
#define PELT_CROWD_CURVE_H

#include "crowd_cast.h"
#include "crowd_ladder.h"
#include "statistics.h"

enum
{
    CROWD_POINT_MAX = 32,
    CROWD_BREAKPOINT_COUNT = 3,
    CROWD_INSTANCE_MAX = 1 << 17,
};

/// Frames per second: 120, 60, 30.
extern const double crowd_breakpoint_rates[CROWD_BREAKPOINT_COUNT];

/// How long to measure. The document has 0.5 and 1 s, 1 and 2 ms, which takes about a minute.
typedef struct crowd_pace
{
    double settle;       ///< seconds before a sample
    double sample;       ///< seconds of a sample
    uint32_t min_frames; ///< of a sample, however long they take
    double low, high;
    double limit; ///< seconds after which a technique is left as it is
} crowd_pace;

/// The pace of the document, sped up by one factor where it would take too long: shorter samples,
/// then fewer of them.
/// @param seconds  for a technique, about
crowd_pace crowd_pace_of(double seconds);

/// Frames of one number of instances. Times in seconds.
typedef struct crowd_point
{
    uint32_t instance_count, frame_count;
    double best; ///< the fastest frame, which other programs on the machine disturbed least
    double median, mean, deviation, p95;
    double rating; ///< frames per second * instances, of the fastest frame
} crowd_point;

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

/// Time frames of a crowd.
/// @param count  instances, up to the capacity of both
pelt_result crowd_point_measure(crowd_point* out, crowd_cast* cast, crowd_instances* instances,
                                uint32_t count, const crowd_toggles* toggles,
                                const crowd_pace* pace, pelt_error* error);

/// A curve without points, of what cannot be measured.
crowd_curve crowd_curve_absent(crowd_technique technique);

/// A curve on its way, from one instance to below 30 frames per second. Several go in turns, so
/// that whatever else the machine does meets all alike.
typedef struct crowd_climb
{
    crowd_curve* curve;
    crowd_cast* cast;
    crowd_ladder ladder;
    double left; ///< seconds until it is left as it is
    bool is_done;
} crowd_climb;

/// Draw once for the driver, which compiles when it draws, and start.
/// @param curve, cast  must outlive it
pelt_result crowd_climb_begin(crowd_climb* out, crowd_curve* curve, crowd_cast* cast,
                              crowd_instances* instances, const crowd_pace* pace,
                              pelt_error* error);

/// Take one sample. When it is the last, the curve is complete.
pelt_result crowd_climb_step(crowd_climb* climb, crowd_instances* instances, const crowd_pace* pace,
                             pelt_error* error);

#endif
