// SPDX-License-Identifier: MIT
// Factors for normals of points that have no triangles, made at random.
#ifndef PELT_GL_FACTORS_H
#define PELT_GL_FACTORS_H

#include "point_set.h"

/// Up to `slots` factors for each vertex: its influences, as far as there is room, then other
/// joints. They sum to what factors sum to. Every fifth vertex has none.
/// @param out  lives as long as the arena of the point_set
int gl_factors_make(pelt_normal_factors* out, const point_set* m, uint32_t slots, bool has_centers);

#endif
