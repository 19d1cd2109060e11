// SPDX-License-Identifier: MIT
// What fbx_mesh.c and fbx_part.c share: a model's geometry, and its triangles of one material.
#ifndef PELT_FBX_MESH_H
#define PELT_FBX_MESH_H

#include "fbx_read.h"

/// What one model shows.
typedef struct pelti_fbx_mesh_source
{
    pelti_fbx* f;
    uint32_t model, geometry;
    const char* name;
    pelt_mat34 geometric;
    pelti_fbx_surface surface;
    pelti_fbx_skin_source skin;
    pelti_fbx_shapes* shapes; ///< NULL: none
    uint32_t* materials;      ///< of the model, in its order
    uint32_t material_count;
    uint32_t skin_index; ///< in the scene, or PELT_NONE
} pelti_fbx_mesh_source;

/// Triangles of one material.
typedef struct pelti_fbx_part
{
    const uint32_t* triangles; ///< places in the surface's list
    uint32_t triangle_count;
    uint32_t material;
    uint32_t corner_count;
    uint32_t* corners; ///< of the surface, those that are used
    uint32_t* local;   ///< the other way
    uint32_t* sources; ///< corner of the part, for each vertex
    uint32_t* joined;  ///< vertex, for each corner of the part
    uint32_t vertex_count;
    uint32_t* points; ///< of the surface, for each vertex
} pelti_fbx_part;

/// The mesh of a part, whose triangles, material, corners and local are set.
pelt_result pelti_fbx_write_mesh(pelt_mesh* out, const pelti_fbx_mesh_source* s, pelti_fbx_part* p);

#endif
