// SPDX-License-Identifier: MIT
// Tangents for normal maps. Link libpelt.
//
// Experimental, see pelt.h.
#ifndef PELT_TANGENTS_H
#define PELT_TANGENTS_H

#include "pelt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What was found on the way.
typedef struct pelt_tangents_report
{
    uint32_t mesh_count;  ///< meshes that got tangents
    uint32_t split_count; ///< vertices whose triangles belong to several groups, as where a texture
                          ///< is mirrored: they get the tangent of the larger angle
} pelt_tangents_report;

/// Compute the tangents that normal maps are baked for, after MikkTSpace, the convention of glTF.
///
/// Triangles around a vertex that are adjacent and whose textures have the same handedness share a
/// tangent: the mean of their directions of u in the plane of the normal, weighted by the angle at
/// the vertex. Vertices with equal position, normal and UV count as one. MikkTSpace gives tangents
/// to corners of triangles; a vertex has one, see split_count.
/// @param out     mesh->vertex_count; w is that of pelt_mesh.tangents
/// @param mesh    with normals and valid indices
/// @param uv_set  that the normal map is mapped with; the mesh has it
/// @param report  split_count is added to; may be NULL
/// @return PELT_OK or PELT_ERROR_MEMORY
///
/// Source: Mikkelsen, "Simulation of Wrinkled Surfaces Revisited", 2008.
PELT_API pelt_result pelt_tangents_compute(pelt_vec4* out, const pelt_mesh* mesh, uint32_t uv_set,
                                           pelt_tangents_report* report);

/// The same for all meshes of a scene that have a normal map, normals and UVs for it, and no
/// tangents.
/// @param inout   a copy of the struct of a valid scene; its meshes are replaced
/// @param report  may be NULL
/// @param arena   owns what is new
/// @return PELT_OK, or PELT_ERROR_MEMORY with *inout unchanged
PELT_API pelt_result pelt_scene_add_tangents(pelt_scene* inout, pelt_tangents_report* report,
                                             pelt_arena* arena);

#ifdef __cplusplus
}
#endif

#endif
