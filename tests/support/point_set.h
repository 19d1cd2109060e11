// SPDX-License-Identifier: MIT
// Small skinned point sets for tests of the methods, made in code.
#ifndef PELT_POINT_SET_H
#define PELT_POINT_SET_H

#include "pelt/ddm.h"
#include "test.h"

typedef struct point_set
{
    pelt_arena* arena;
    uint32_t vertex_count, joint_count, stride;
    pelt_vec3* positions;
    pelt_vec3* normals;
    pelt_vec4* tangents;
    pelt_vec3* cors;
    uint32_t* joints; ///< stride per vertex; point_set_bind() makes `weights` of these
    float* raw_weights;
    pelt_weights weights;
    pelt_palette palette; ///< matrices are identities at first; point_set_pose() completes it
} point_set;

point_set point_set_make(uint32_t vertex_count, uint32_t joint_count, uint32_t stride);
void point_set_free(point_set* m);

/// Give the weights of a bound point set smoothed weights, over triangles of any three points.
/// @return false when that fails
bool point_set_smooth(point_set* m, const pelt_ddm_options* options);

void point_set_bind(point_set* m);
void point_set_pose(point_set* m);

/// Random points, directions, centers and weights; joints rotated by up to `degrees`, moved by up
/// to 0.5. Bound and posed.
point_set point_set_random(uint64_t seed, uint32_t vertex_count, uint32_t joint_count,
                           uint32_t stride, float degrees);

/// One vertex at (1, 0, 0) with its center on the axis, shared equally by two joints rotated about
/// z.
point_set point_set_twist(float angle_a, float angle_b);

pelt_mat34 point_set_rigid(pelt_quat rotation, pelt_vec3 translation);

/// Move mesh, skeleton and pose together: p -> G p and M -> G M G^-1.
void point_set_move(point_set* m, const pelt_mat34* g);

pelt_deform_input point_set_input(const point_set* m);

/// Buffers of the arena that hold the result of a method.
pelt_surface point_set_deform(const point_set* m, const pelt_deform_options* options);
pelt_surface point_set_deform_by(const point_set* m, pelt_method method);

/// Largest distance between two lists of points; NaN counts as infinite.
double point_set_distance(const pelt_vec3* a, const pelt_vec3* b, uint32_t count);

#endif
