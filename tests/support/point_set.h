// SPDX-License-Identifier: MIT
// Small skinned point sets for tests of the methods, made in code.
#ifndef PELT_MINI_H
#define PELT_MINI_H

#include "test.h"

typedef struct mini
{
    pelt_arena* arena;
    uint32_t vertex_count, joint_count, stride;
    pelt_vec3* positions;
    pelt_vec3* normals;
    pelt_vec4* tangents;
    pelt_vec3* cors;
    uint32_t* joints; ///< stride per vertex; mini_bind() makes `weights` of these
    float* raw_weights;
    pelt_weights weights;
    pelt_palette palette; ///< matrices are identities at first; mini_pose() completes it
} mini;

mini mini_make(uint32_t vertex_count, uint32_t joint_count, uint32_t stride);
void mini_free(mini* m);
void mini_bind(mini* m);
void mini_pose(mini* m);

/// Random points, directions, centres and weights; joints turned by up to `degrees`, moved by up
/// to 0.5. Bound and posed.
mini mini_random(uint64_t seed, uint32_t vertex_count, uint32_t joint_count, uint32_t stride,
                 float degrees);

/// One vertex at (1, 0, 0) with its centre on the axis, shared evenly by two joints turned about z.
mini mini_twist(float angle_a, float angle_b);

pelt_mat34 mini_rigid(pelt_quat rotation, pelt_vec3 translation);

/// Move mesh, skeleton and pose together: p -> G p and M -> G M G^-1.
void mini_move(mini* m, const pelt_mat34* g);

pelt_deform_input mini_input(const mini* m);

/// Buffers of the arena that hold the result of a method.
pelt_surface mini_deform(const mini* m, const pelt_deform_options* options);
pelt_surface mini_deform_by(const mini* m, pelt_method method);

/// Largest distance between two lists of points; NaN counts as infinite.
double mini_distance(const pelt_vec3* a, const pelt_vec3* b, uint32_t count);

#endif
