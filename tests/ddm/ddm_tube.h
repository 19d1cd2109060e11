// SPDX-License-Identifier: MIT
// A skinned tube for tests of direct delta mush, and its smoothing by dense matrices in double.
#ifndef PELT_DDM_TUBE_H
#define PELT_DDM_TUBE_H

#include "mesh_builder.h"
#include "pelt/ddm.h"

enum
{
    TUBE_RINGS = 13,
    TUBE_SIDES = 8,
    TUBE_JOINTS = 2,
    TUBE_POINTS = TUBE_RINGS * TUBE_SIDES,
    TUBE_COLUMNS = TUBE_SIDES + 1, ///< the last column is a copy of the first: a seam
};

/// A tube along x from -1 to 1 with radius 0.25, closed by a seam. Joint 0 has the left half, joint
/// 1 the right one.
/// @param blend  half the length over which weights change; 0: none
mesh_builder* ddm_tube_create(float blend);

/// The vertex of a ring and a side.
uint32_t ddm_tube_vertex(uint32_t ring, uint32_t column);

/// Rows sum to one: how much each point counts in the smoothed position of another. From
/// (I + rate (I - P)) by elimination, `iterations` times.
typedef struct ddm_tube_matrix
{
    double m[TUBE_POINTS][TUBE_POINTS];
} ddm_tube_matrix;

/// @return allocated by malloc()
ddm_tube_matrix* ddm_tube_smoothing(double rate, uint32_t iterations);

/// Palette of both joints; `right` moves joint 1, joint 0 rests.
typedef struct ddm_tube_pose
{
    pelt_mat34 matrices[BUILDER_JOINTS];
    pelt_dquat motions[BUILDER_JOINTS];
    pelt_mat3 stretches[BUILDER_JOINTS];
    pelt_palette palette;
} ddm_tube_pose;

void ddm_tube_pose_set(ddm_tube_pose* out, const pelt_mat34* left, const pelt_mat34* right);

/// A rotation about an axis of the origin.
pelt_mat34 ddm_tube_rotation(pelt_vec3 axis, float degrees);

/// Positions, and normals if not NULL, of all vertices by a method.
void ddm_tube_deform(pelt_vec3* positions, pelt_vec3* normals, const mesh_builder* tube,
                     const ddm_tube_pose* pose, pelt_method method);

#endif
