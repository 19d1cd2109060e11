// SPDX-License-Identifier: MIT
// Checks of the indices in a mesh, before loops use them: a wrong one would read out of bounds.
#ifndef PELTI_MESH_CHECK_H
#define PELTI_MESH_CHECK_H

#include "../../include/pelt/pelt.h"

/// Whether triangles are complete and name vertices of the mesh.
/// @return PELT_OK, or PELT_ERROR_DATA with a message that names the mesh and the index
pelt_result pelti_triangles_check(const pelt_mesh* mesh, pelt_error* error);

/// Whether weights are packed for vertex_count vertices: arrays where there are counts, and offsets
/// that start at 0, never decrease, leave no vertex more than max_influences, and end at
/// influence_count.
/// @param name  of the mesh; may be NULL
pelt_result pelti_offsets_check(const pelt_weights* weights, uint32_t vertex_count,
                                const char* name, pelt_error* error);

/// Whether all influences name joints below joint_count. Offsets must have been checked.
pelt_result pelti_joints_check(const pelt_weights* weights, const char* name, pelt_error* error);

/// All of the above, for solvers that need a skinned mesh.
pelt_result pelti_skinned_mesh_check(const pelt_mesh* mesh, pelt_error* error);

#endif
