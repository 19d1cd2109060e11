// SPDX-License-Identifier: MIT
// The surface that direct delta mush smooths: welded points, their neighbors, and their weights by
// joint.
#ifndef PELTI_DDM_SURFACE_H
#define PELTI_DDM_SURFACE_H

#include "../../include/pelt/ddm.h"
#include "../base/double3.h"

typedef struct pelti_ddm_surface
{
    uint32_t point_count;
    uint32_t joint_count;
    uint32_t** points;        ///< of each mesh: the point of each vertex
    pelti_double3 origin;     ///< the middle of the box of all points
    pelti_double3* positions; ///< from the origin
    uint32_t* first;          ///< point_count + 1 offsets
    uint32_t* neighbors;      ///< of each point, ascending
    uint32_t* column_first;   ///< joint_count + 1 offsets
    uint32_t* rows;           ///< points that a joint influences, each once
    double* weights;          ///< of these: means over the vertices of the point
} pelti_ddm_surface;

/// @param input  checked
/// @return false when out of memory
bool pelti_ddm_surface_create(pelti_ddm_surface* out, const pelt_cor_input* input,
                              pelt_arena* scratch);

#endif
