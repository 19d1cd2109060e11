// SPDX-License-Identifier: MIT
// Frame times of a technique over the number of instances, measured as in the animation texture
// thesis (2021), section 3.6.5. Independent of clock and renderer.
#ifndef PELT_CROWD_CURVE_H
#define PELT_CROWD_CURVE_H

#include "crowd_technique.h"
#include "statistics.h"

#include <stdbool.h>
#include <stdint.h>

// ---------------------------------------------------------------------------------------------
// Ladder: how many instances to measure next

/// A sample is kept if its frame took at least `low` and less than `high` seconds longer than the
/// one kept before, or if it has one instance more. Else the step is doubled or halved.
typedef struct crowd_ladder
{
    double low, high;       ///< 1 and 2 ms in the thesis
    double stop;            ///< frame time that ends it, in seconds
    uint32_t max_instances; ///< number of instances that ends it

    uint32_t count; ///< instances to measure next
    bool is_done;

    uint32_t kept_count; ///< instances of the last sample that was kept
    double kept_time;    ///< and its frame time
    bool has_grown, has_shrunk;
} crowd_ladder;

/// Start at one instance.
crowd_ladder crowd_ladder_begin(double low, double high, double stop, uint32_t max_instances);

/// Take the frame time of ladder->count instances and choose the next count.
/// @return whether to keep the sample
bool crowd_ladder_step(crowd_ladder* ladder, double frame_time);

/// The number of instances at which a frame takes frame_time seconds, by linear interpolation
/// between two samples.
/// @param counts  ascending
/// @return NaN when the first sample takes longer, or all take less
double crowd_breakpoint(const double* counts, const double* frame_times, uint32_t count,
                        double frame_time);

// ---------------------------------------------------------------------------------------------
// Samples: frame times of a crowd of one size

enum
{
    CROWD_FRAME_MAX = 512, ///< of a sample
};

/// How long to measure. The thesis has 0.5 and 1 s, 1 and 2 ms, which takes about a minute.
typedef struct crowd_pace
{
    double settle;       ///< seconds before a sample
    double sample;       ///< seconds of a sample
    uint32_t min_frames; ///< of a sample, regardless of their time
    double low, high;
    double limit; ///< seconds after which the measurement of a technique ends
} crowd_pace;

/// The pace of the thesis, shortened where it would take too long: first by shorter samples, then
/// also by fewer of them.
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

/// A sample while it is measured.
typedef struct crowd_sample
{
    double elapsed; ///< seconds of all frames, including those before it settled
    double sampled; ///< seconds of the frames that count
    bool is_settled;
    uint32_t frame_count;
    double seconds[CROWD_FRAME_MAX];
} crowd_sample;

/// Add the time of a frame. The first frames, which fill caches and compile shaders, do not count.
/// @param inout  {0} at the start
/// @return whether the sample is complete
bool crowd_sample_add(crowd_sample* inout, double seconds, const crowd_pace* pace);

/// @param in  with at least one frame that counts; its frames are sorted here
crowd_point crowd_sample_summarize(crowd_sample* in, uint32_t instance_count);

// ---------------------------------------------------------------------------------------------
// Curves

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

/// A curve without points, for a technique that cannot be measured.
crowd_curve crowd_curve_absent(crowd_technique technique);

/// A curve while it is measured, from one instance to below 30 frames per second.
typedef struct crowd_climb
{
    crowd_ladder ladder; ///< ladder.count instances are next
    double left;         ///< seconds until the measurement ends
    bool is_repeated;    ///< the next sample repeats the last one
    crowd_point first;   ///< the last one, if is_repeated
    bool is_done;
} crowd_climb;

crowd_climb crowd_climb_begin(const crowd_pace* pace, uint32_t max_instances);

/// Take the sample of climb->ladder.count instances, and choose the next or repeat it. Breakpoints
/// and rating of the curve are up to date after each call.
/// @param spent  seconds that it took
void crowd_climb_step(crowd_climb* climb, crowd_curve* curve, const crowd_point* point,
                      double spent);

#endif
