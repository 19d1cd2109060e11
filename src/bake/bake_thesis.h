// SPDX-License-Identifier: MIT
// Encoding a clip in the thesis layout.
#ifndef PELTI_BAKE_THESIS_H
#define PELTI_BAKE_THESIS_H

#include "bake_search.h"

/// Whether options are possible, and their defaults.
pelt_result pelti_thesis_check(pelt_bake_options* inout, pelt_error* error);

/// Make one run of all, from time 0 on.
/// @return PELT_OK, or PELT_ERROR_UNSUPPORTED: more keys than max_size allows
pelt_result pelti_thesis_times(pelti_clip_times* inout, uint32_t joint_count,
                               const pelt_bake_options* options, pelt_error* error);

/// Set the pivots as the texture holds them.
/// @param inout  every joint without a parent, with its origin as pivot
/// @return the unit, in meters
float pelti_thesis_plan(pelti_bake_plan* inout, const pelti_bake_source* source,
                        const pelti_samples* samples);

/// Write the texture of a bake whose one clip, joints and unit are set.
/// @param inout  gets the size of the texture and its words
/// @param run    of the clip: gets its place
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED: larger than max_size allows
pelt_result pelti_thesis_write(pelt_baked* inout, pelt_baked_run* run, const pelti_samples* samples,
                               const pelt_bake_options* options, pelt_error* error);

#endif
