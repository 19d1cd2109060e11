// SPDX-License-Identifier: MIT
// Normals and tangents of a mesh under construction.
#ifndef PELT_RIG_SURFACE_H
#define PELT_RIG_SURFACE_H

#include "rig_builder.h"

/// Area-weighted normals where the mesh has zero ones. Vertices at one position share them, so that
/// a UV seam does not show.
/// @return false when out of memory
bool rig_normals_complete(rig_mesh* mesh, pelt_arena* scratch);

/// Area-weighted tangents along growing u, perpendicular to the normals; any direction where the
/// UVs have none. Bitangents point to smaller v, up in the texture, as in glTF.
/// @param out  mesh->vertex_count
/// @return false when out of memory
bool rig_tangents_compute(pelt_vec4* out, const rig_mesh* mesh, pelt_arena* scratch);

#endif
