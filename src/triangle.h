// SPDX-License-Identifier: MIT
// The geometry of one triangle, seen from one of its corners.
#ifndef PELTI_TRIANGLE_H
#define PELTI_TRIANGLE_H

#include "double3.h"

#include <stdint.h>

typedef struct pelti_triangle
{
    uint32_t vertices[3];   ///< the corner it is seen from comes first
    pelti_double3 edges[3]; ///< opposite to each, counterclockwise
    pelti_double3 normal;   ///< unit
    double area;
    pelti_double3 gradients[3]; ///< of the linear functions that are 1 at one corner, 0 at others
} pelti_triangle;

/// @param corner  place in indices
/// @return false: the triangle has no area that float could tell from none; edges are filled in
bool pelti_triangle_at(pelti_triangle* out, const pelt_vec3* positions, const uint32_t* indices,
                       uint32_t corner);

#endif
