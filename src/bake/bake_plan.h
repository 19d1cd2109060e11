// SPDX-License-Identifier: MIT
// Which joint each joint of a bake moves relative to, and about which point.
#ifndef PELTI_BAKE_PLAN_H
#define PELTI_BAKE_PLAN_H

#include "bake_code.h"

/// @param clips      samples of all clips
/// @param tolerance  meters by which a joint may leave the one that it is said to follow
pelt_result pelti_bake_plan_create(pelti_bake_plan* out, const pelti_bake_source* source,
                                   const pelti_samples* const* clips, uint32_t clip_count,
                                   const pelt_bake_options* options, double tolerance,
                                   pelt_arena* arena);

#endif
