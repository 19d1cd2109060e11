// SPDX-License-Identifier: MIT
// Gradients of weights at the vertices of a mesh, one group of welded vertices at a time.
#ifndef PELTI_NORMAL_SLOPES_H
#define PELTI_NORMAL_SLOPES_H

#include "double3.h"
#include "weld.h"

typedef struct pelti_slope
{
    uint32_t joint;
    float weight;           ///< at the vertex; 0 for a joint that only neighbours have
    pelti_double3 gradient; ///< per metre
} pelti_slope;

typedef struct pelti_slopes
{
    const pelt_mesh* mesh;
    const pelt_vec3* cors; ///< or NULL
    uint32_t limit;        ///< of the number of slopes
    pelti_weld weld;
    uint32_t* places; ///< of each joint in slopes, plus one; 0: not there

    // Of the group at hand.
    uint32_t count;
    pelti_slope* slopes;             ///< in the order of pelt_normal_factors; they sum to zero
    double area;                     ///< of its cell
    pelti_double3 normal;            ///< of its triangles, times their area
    double center_area;              ///< of the part of the cell where the centre changes smoothly
    pelti_double3 center_changes[3]; ///< gradients of the components of the centre
} pelti_slopes;

/// @return false when out of memory
bool pelti_slopes_create(pelti_slopes* out, const pelt_mesh* mesh, const pelt_vec3* cors,
                         uint32_t limit, pelt_arena* scratch);

/// Find the gradients of a group.
void pelti_slopes_gather(pelti_slopes* s, uint32_t group);

#endif
