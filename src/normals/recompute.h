// SPDX-License-Identifier: MIT
// Normals of deformed triangles, for those who have welded the mesh already.
#ifndef PELTI_RECOMPUTE_H
#define PELTI_RECOMPUTE_H

#include "weld.h"

/// As pelt_normals_recompute(), without allocations.
/// @param out   keeps what it has where triangles have no area
/// @param weld  of the mesh
void pelti_normals_recompute(pelt_vec3* out, const pelt_mesh* mesh, const pelt_vec3* positions,
                             const pelti_weld* weld);

#endif
