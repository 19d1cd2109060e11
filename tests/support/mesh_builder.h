// SPDX-License-Identifier: MIT
// Small skinned meshes, vertex by vertex and triangle by triangle.
#ifndef PELT_MESH_BUILDER_H
#define PELT_MESH_BUILDER_H

#include "test.h"

enum
{
    BUILDER_VERTICES = 2048,
    BUILDER_INDICES = 12000,
    BUILDER_JOINTS = 80,
    BUILDER_SLOTS = 6, ///< influences per vertex
};

/// Free with pelt_arena_destroy(arena).
typedef struct mesh_builder
{
    pelt_arena* arena;
    pelt_vec3 positions[BUILDER_VERTICES];
    uint32_t indices[BUILDER_INDICES];
    uint32_t joints[BUILDER_VERTICES * BUILDER_SLOTS];
    float weights[BUILDER_VERTICES * BUILDER_SLOTS];
    pelt_mesh mesh;
} mesh_builder;

mesh_builder* mesh_builder_create(void);
uint32_t mesh_builder_add_vertex(mesh_builder* s, pelt_vec3 position);
void mesh_builder_add_influence(mesh_builder* s, uint32_t vertex, uint32_t joint, float weight);
void mesh_builder_add_triangle(mesh_builder* s, uint32_t a, uint32_t b, uint32_t c);

/// A vertex that two joints share, joint_a having the rest.
uint32_t mesh_builder_add_shared(mesh_builder* s, pelt_vec3 position, uint32_t joint_a,
                                 uint32_t joint_b, float weight_of_b);

/// Make the weights of the mesh; again after every change.
bool mesh_builder_bind(mesh_builder* s);

/// 60 vertices in a cube of half-width 1 with up to 6 joints each, of two groups, 0 to 7 and 64 to
/// 71; 80 triangles anywhere among the first 55, some with a corner twice. Bound.
mesh_builder* mesh_builder_random(uint64_t seed);

#endif
