// SPDX-License-Identifier: MIT
// Small skinned meshes, vertex by vertex and triangle by triangle.
#ifndef PELT_SOUP_H
#define PELT_SOUP_H

#include "test.h"

enum
{
    SOUP_VERTICES = 2048,
    SOUP_INDICES = 12000,
    SOUP_JOINTS = 80,
    SOUP_SLOTS = 6, ///< influences per vertex
};

/// Free with pelt_arena_destroy(arena).
typedef struct soup
{
    pelt_arena* arena;
    pelt_vec3 positions[SOUP_VERTICES];
    uint32_t indices[SOUP_INDICES];
    uint32_t joints[SOUP_VERTICES * SOUP_SLOTS];
    float weights[SOUP_VERTICES * SOUP_SLOTS];
    pelt_mesh mesh;
} soup;

soup* soup_create(void);
uint32_t soup_add_vertex(soup* s, pelt_vec3 position);
void soup_add_influence(soup* s, uint32_t vertex, uint32_t joint, float weight);
void soup_add_triangle(soup* s, uint32_t a, uint32_t b, uint32_t c);

/// A vertex that two joints share, joint_a having the rest.
uint32_t soup_add_shared(soup* s, pelt_vec3 position, uint32_t joint_a, uint32_t joint_b,
                         float weight_of_b);

/// Make the weights of the mesh; again after every change.
bool soup_bind(soup* s);

/// 60 vertices in a cube of half-width 1 with up to 6 joints each, of two groups, 0 to 7 and 64 to
/// 71; 80 triangles anywhere among the first 55, some with a corner twice. Bound.
soup* soup_random(uint64_t seed);

#endif
