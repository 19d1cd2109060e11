// SPDX-License-Identifier: MIT
// What rounding has done to normal factors, in degrees of the normals that they give.
#ifndef PELT_FACTORS_ERROR_H
#define PELT_FACTORS_ERROR_H

#include "normal_error.h"

/// Two versions of the factors of a scene, one entry per mesh, or NULL in both.
typedef struct factors_pair
{
    const pelt_normal_factors** exact;
    const pelt_normal_factors** rounded;
    const pelt_vec3** cors; ///< for crs, of each mesh with factors; NULL: crs is left out
} factors_pair;

/// Measure the angles between the normals of both under lbs, dqs and crs, at two moments of up to
/// four clips; without clips, with every joint turned by 30 degrees.
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result factors_error_measure(normal_error* out, const pelt_scene* scene,
                                  const factors_pair* factors);

#endif
