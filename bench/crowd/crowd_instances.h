// SPDX-License-Identifier: MIT
// The instance manager of document 002, section 3.6.6: where each member of a crowd stands, where
// it looks, and which part of the clip it plays.
#ifndef PELT_CROWD_INSTANCES_H
#define PELT_CROWD_INSTANCES_H

#include "pelt/pelt.h"

typedef struct crowd_instances
{
    uint32_t capacity;
    uint32_t count;     ///< of the last arrangement
    float (*places)[4]; ///< x, z, cosine and sine of the heading
    float* offsets;     ///< from 0 to 1, of the clip
} crowd_instances;

/// @param out  free with crowd_instances_destroy()
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result crowd_instances_create(crowd_instances* out, uint32_t capacity);
void crowd_instances_destroy(crowd_instances* instances);

/// Stand in rows and columns about the origin. Headings and offsets are random, but those of an
/// instance are the same in every crowd.
/// @param count    up to the capacity
/// @param spacing  meters
void crowd_instances_arrange(crowd_instances* instances, uint32_t count, float spacing);

/// The box of a whole crowd.
/// @param one  of one character, whichever way it looks
pelt_bounds crowd_instances_bounds(const crowd_instances* instances, const pelt_bounds* one);

#endif
