// SPDX-License-Identifier: MIT
// Distances along the surface of a character: from a point on it outwards, triangle by triangle.
// Copies of a vertex along seams are one point, in one mesh and between meshes.
#ifndef PELT_SURFACE_WALK_H
#define PELT_SURFACE_WALK_H

#include "pelt/pelt.h"

typedef struct surface_walk
{
    uint32_t mesh_count;
    uint32_t* mesh_first; ///< mesh_count + 1: its vertices, all meshes end to end
    uint32_t* skins;      ///< of each mesh; PELT_NONE: it is left out
    uint32_t point_count;
    uint32_t* point_of;        ///< of each vertex
    uint32_t* member_first;    ///< point_count + 1
    uint32_t* members;         ///< vertices of each point, ascending
    uint32_t* triangle_first;  ///< mesh_count + 1: its triangles, all meshes end to end
    uint32_t* triangles;       ///< three points each
    uint32_t* first_triangle;  ///< point_count + 1
    uint32_t* point_triangles; ///< triangles with each point
    pelt_arena* arena;         ///< owns all of it

    // Result of the last walk.
    float* distances;  ///< meters, of each point; infinite where it did not get to
    uint32_t* reached; ///< points that it got to
    uint32_t reached_count;
    uint32_t* heap;  // points that are next, nearest at the top
    uint32_t* slots; // of points in the heap; PELT_NONE: not there
    uint32_t heap_count;
} surface_walk;

/// Compute connectivity. Vertices with the same rest position and the same weights are one point;
/// meshes without weights are left out.
/// @return false: no memory
bool surface_walk_create(surface_walk* out, const pelt_scene* scene);
void surface_walk_destroy(surface_walk* in);

/// The mesh of a vertex among all.
uint32_t surface_walk_mesh(const surface_walk* in, uint32_t vertex);

typedef struct surface_point
{
    uint32_t mesh;
    uint32_t triangle; ///< of the mesh
    pelt_vec3 position;
} surface_point;

/// Walk from a point until `limit` meters from it. On a plane distances are exact; around bends
/// they are those of unfolded pairs of triangles.
/// @param positions  of the vertices of each mesh, as the surface is now; NULL: a mesh that is not
///                   there
/// Source: Novotni and Klein, "Computing Geodesic Distances on Triangular Meshes", 2002.
void surface_walk_from(surface_walk* inout, const pelt_vec3* const* positions,
                       const surface_point* from, float limit);

#endif
