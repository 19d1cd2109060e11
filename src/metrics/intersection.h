// SPDX-License-Identifier: MIT
// Pairs of triangles of one mesh that cross each other.
#ifndef PELTI_INTERSECTION_H
#define PELTI_INTERSECTION_H

#include "../../include/pelt/pelt.h"

/// A tree of boxes over the triangles of a mesh. Its shape is that of the mesh at rest; boxes are
/// fitted to each pose.
typedef struct pelti_box_tree
{
    uint32_t triangle_count;
    uint32_t* triangles;     ///< in the order of leaves
    pelt_bounds* boxes;      ///< of nodes: see intersection.c
    pelt_bounds* leaf_boxes; ///< of triangles, in the same order
    const uint32_t* corners; ///< triangle_count * 3 vertices
    const uint32_t* points;  ///< by vertex: triangles that share one are not tested
    double tolerance;        ///< meters: what crosses by less only touches
} pelti_box_tree;

/// @param positions  at rest
/// @param corners    kept, as are points
/// @return false when out of memory
bool pelti_box_tree_build(pelti_box_tree* out, const pelt_vec3* positions, const uint32_t* corners,
                          uint32_t triangle_count, const uint32_t* points, double tolerance,
                          pelt_arena* arena);

/// Another handle to a tree, with boxes of its own. @return false when out of memory
bool pelti_box_tree_share(pelti_box_tree* out, const pelti_box_tree* other, pelt_arena* arena);

/// Called with each pair that crosses, first < second.
typedef void (*pelti_crossing)(uint32_t first, uint32_t second, void* user);

/// Find all pairs. Allocates nothing. Stops early after 2^17 + 48 triangle_count tests of boxes,
/// which only meshes with many triangles at one point take.
void pelti_box_tree_cross(pelti_box_tree* tree, const pelt_vec3* positions, pelti_crossing found,
                          void* user);

/// Whether two triangles cross: each has corners on both sides of the other's plane, farther than
/// the tolerance, and they share a piece of the line between the planes that is longer than it.
bool pelti_triangles_cross(const pelt_vec3 a[3], const pelt_vec3 b[3], double tolerance);

#endif
