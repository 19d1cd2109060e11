// SPDX-License-Identifier: MIT
// When a clip is sampled: on the grid of its own keys, in runs between which it jumps.
#ifndef PELTI_BAKE_TIMES_H
#define PELTI_BAKE_TIMES_H

#include "bake_source.h"

/// Keys of a run, evenly spaced from start to end.
typedef struct pelti_run_times
{
    double start, end;  ///< first key; last key, or with wraps the first key again
    uint32_t intervals; ///< between them; 0: one key
    bool is_held;
    bool is_open;       ///< the clip jumps at its end: the last key is sampled before
    double before_jump; ///< when that jump begins, if is_open
} pelti_run_times;

typedef struct pelti_clip_times
{
    bool wraps, loops;
    double source_interval; ///< of the grid of the source's keys, in seconds
    bool is_exact;          ///< LOCAL: keys interpolated are the source at any time
    uint32_t run_count;
    pelti_run_times* runs;
} pelti_clip_times;

/// Find the times of a clip.
/// @param min_rate  keys per second at least, by dividing intervals of the source; not where
///                  out->is_exact, which needs no more than the source's own
pelt_result pelti_clip_times_find(pelti_clip_times* out, const pelti_bake_source* source,
                                  const pelt_clip* clip, const pelt_bake_options* options,
                                  double min_rate, pelt_arena* arena);

/// The same runs with fewer intervals, or more.
/// @param divisor     keep only each of so many intervals
/// @param multiplier  divide each interval into so many
pelt_result pelti_clip_times_scale(pelti_clip_times* out, const pelti_clip_times* times,
                                   uint32_t divisor, uint32_t multiplier, pelt_arena* arena);

uint32_t pelti_run_key_count(const pelti_run_times* run, bool wraps);

/// Time at interval x of a run, in seconds.
float pelti_run_time(const pelti_run_times* run, double x);

#endif
