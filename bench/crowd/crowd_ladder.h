// SPDX-License-Identifier: MIT
// How many instances to measure a technique with: the adaptive algorithm of document 002, section
// 3.6.5, without a clock or a renderer.
#ifndef PELT_CROWD_LADDER_H
#define PELT_CROWD_LADDER_H

#include <stdbool.h>
#include <stdint.h>

/// A sample is kept if its frame took at least `low` and less than `high` seconds longer than the
/// one kept before, or if it has one instance more. Else the step is doubled or halved.
typedef struct crowd_ladder
{
    double low, high;       ///< 1 and 2 ms in the document
    double stop;            ///< frame time that ends it, in seconds
    uint32_t max_instances; ///< ends it too

    uint32_t count; ///< instances to measure next
    bool is_done;

    uint32_t kept_count; ///< instances of the last sample that was kept
    double kept_time;    ///< and its frame time
    bool has_grown, has_shrunk;
} crowd_ladder;

/// Start at one instance.
crowd_ladder crowd_ladder_begin(double low, double high, double stop, uint32_t max_instances);

/// Tell the frame time of ladder->count instances, and step on.
/// @return whether the sample is one to keep
bool crowd_ladder_step(crowd_ladder* ladder, double frame_time);

/// The number of instances at which a frame takes so many seconds, by linear interpolation of frame
/// times between two samples.
/// @param counts  ascending
/// @return NaN when even the first sample takes longer, or none takes as long
double crowd_breakpoint(const double* counts, const double* frame_times, uint32_t count,
                        double frame_time);

#endif
