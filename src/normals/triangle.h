// SPDX-License-Identifier: MIT
// The geometry of one triangle, seen from one of its corners.
#ifndef PELTI_TRIANGLE_H
#define PELTI_TRIANGLE_H

#include "../base/double3.h"

#include <stdint.h>

typedef struct pelti_triangle
{
    uint32_t vertices[3];   ///< the corner it is seen from comes first
    pelti_double3 edges[3]; ///< opposite to each, counterclockwise
    pelti_double3 normal;   ///< unit
    double area;
    pelti_double3 gradients[3]; ///< of the linear functions that are 1 at one corner, 0 at others
} pelti_triangle;

/// Vertices and edges alone.
/// @param corner  place in indices
void pelti_triangle_edges(pelti_triangle* out, const pelt_vec3* positions, const uint32_t* indices,
                          uint32_t corner);

/// @return false: the triangle has no area that float could tell from none; edges are filled in
bool pelti_triangle_at(pelti_triangle* out, const pelt_vec3* positions, const uint32_t* indices,
                       uint32_t corner);

/// The unit normal of the mean plane of triangles; zero where they cancel out.
/// @param sum   of their normals, by area
/// @param area  of all of them
pelti_double3 pelti_plane_normal(pelti_double3 sum, double area);

/// Moments are weight gradients times places: below 3 on real characters. Those of triangles that
/// are a thousand times as long as high are as large as that, cancel in every sum, and float keeps
/// few digits of what is left.
static const double pelti_moment_limit = 1e3;

/// What makes the gradients of the place itself those of a plane: the inverse of their matrix,
/// which is less than the unit matrix where triangles lean against their common plane.
/// @return false: there is none, as triangles are folded on each other or have no plane
bool pelti_plane_flatten(double out[2][2], double gradients[2][2]);

#endif
