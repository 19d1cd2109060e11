// SPDX-License-Identifier: MIT
// What rounding has done to normal factors, in degrees of the normals that they give.
#ifndef PELT_FACTORS_ERROR_H
#define PELT_FACTORS_ERROR_H

#include "normal_error.h"

/// Measure the angles between the normals of both under lbs and dqs, and under crs where every
/// skinned mesh has centers, at two moments of up to four clips; without clips, with every joint
/// turned by 30 degrees.
/// @param exact, rounded  the same scene with two versions of the factors
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result factors_error_measure(normal_error* out, const pelt_scene* exact,
                                  const pelt_scene* rounded);

#endif
