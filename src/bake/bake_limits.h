// SPDX-License-Identifier: MIT
// What is refused before it takes time and memory: scenes that are not finite, clips that are too
// long, morph targets that an encoding does not store.
#ifndef PELTI_BAKE_LIMITS_H
#define PELTI_BAKE_LIMITS_H

#include "bake_work.h"

/// Whether the character at rest is finite, with room for squares of distances in float.
/// @return PELT_OK or PELT_ERROR_DATA
pelt_result pelti_bake_check_rest(const pelti_bake_source* source, pelt_error* error);

/// Whether baking takes no more than options->max_memory.
/// @return PELT_OK or PELT_ERROR_UNSUPPORTED
pelt_result pelti_bake_check_memory(const pelti_bake_work* work, pelt_error* error);

/// Whether all clips, which have been sampled, keep the character finite.
/// @return PELT_OK or PELT_ERROR_DATA
pelt_result pelti_bake_check_samples(const pelti_bake_work* work, pelt_error* error);

/// Whether the encoding stores everything that moves vertices in all clips.
/// @return PELT_OK or PELT_ERROR_UNSUPPORTED
pelt_result pelti_bake_check_morphs(const pelti_bake_work* work, pelt_error* error);

/// An upper bound on how far the morph tracks of a clip move vertices away from the default
/// weights, in meters.
/// @param instance  the one that they move farthest; may be NULL
double pelti_clip_morph_motion(uint32_t* instance, const pelti_bake_source* source,
                               const pelt_clip* clip);

/// Below this nothing counts as moved, in meters.
double pelti_morph_tolerance(const pelti_bake_source* source);

#endif
