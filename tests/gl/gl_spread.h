// SPDX-License-Identifier: MIT
// How well a direction is defined: how far the reference itself rotates it when its input changes
// in the last bit. At folds that may be far.
#ifndef PELT_GL_SPREAD_H
#define PELT_GL_SPREAD_H

#include "gl_compare.h"

/// Degrees, for one vertex.
typedef struct gl_spread
{
    double normal, tangent;
} gl_spread;

/// Change the joints at random by a unit in the last place, four times, and take the largest
/// rotation.
/// @param out       mesh->vertex_count
/// @param expected  what the reference gives for the case
/// @param size      of the posed mesh: positions are rounded as such a number is
int gl_spread_find(gl_spread* out, const pelt_surface* expected, const gl_case* c, double size,
                   pelt_arena* arena);

#endif
