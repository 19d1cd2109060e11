// SPDX-License-Identifier: MIT
// Which vertices of a scene share a place in a bake of vertices.
#ifndef PELTI_BAKE_PLACES_H
#define PELTI_BAKE_PLACES_H

#include "../../include/pelt/bake.h"

/// The first vertex at a place.
typedef struct pelti_vertex_place
{
    uint32_t instance, vertex;
    pelt_vec3 rest;
} pelti_vertex_place;

typedef struct pelti_vertex_places
{
    uint32_t count;
    pelti_vertex_place* firsts; ///< count, by instance and vertex
    uint32_t** ids;             ///< one list per instance: the place of each vertex
    bool has_normals;           ///< a mesh has
} pelti_vertex_places;

/// Find vertices that are the same at rest and follow the same, as those that exporters duplicate
/// along seams of UVs: they are the same in every pose.
/// @param options  deform and keeps_copies matter
/// @param arena    owns the result
pelt_result pelti_vertex_places_find(pelti_vertex_places* out, const pelt_scene* scene,
                                     const pelt_bake_options* options, pelt_arena* arena);

#endif
