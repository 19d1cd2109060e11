// SPDX-License-Identifier: MIT
// The plane of a vertex's triangles, as pelt_normal_factors stores it: a tilt of the normal.
#ifndef PELTI_TILT_H
#define PELTI_TILT_H

#include "../../include/pelt/prepare.h"

/// The axes of pelt_normal_factors, and the normal of their plane.
void pelti_tilt_axes(pelt_vec3 axes[2], pelt_vec3* plane, pelt_vec3 tangent, pelt_vec3 normal,
                     pelt_vec2 tilt);

#endif
