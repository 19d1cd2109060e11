// SPDX-License-Identifier: MIT
// Vertices with random factors for normals, for tests of derivatives.
#ifndef PELT_GRADIENT_POINTS_H
#define PELT_GRADIENT_POINTS_H

#include "point_set.h"
#include "skin_oracle.h"

// A point_set with random gradients on top, of all joints.
typedef struct gradient_points
{
    point_set m;
    pelt_normal_factors factors;
    uint32_t* first;
    pelt_normal_factor* list;
    pelt_vec3* tangents;
    pelt_vec2* plane_normals;
    pelt_vec3* centers; // not those of the mesh, as where a vertex has one influence
    pelt_vec3* center_derivatives;
    pelt_vec3* planes; // normals of the triangles that there could be
    pelt_mat3* center_gradients;

    // joint_count for each vertex
    float* means;
    pelt_vec3* gradients;
    pelt_mat3* products; // as in the oracle
} gradient_points;

/// ORACLE_JOINTS joints rotated by up to 60 degrees, so that signs are not a toss-up; stretched
/// where wanted.
/// @param size  of gradients; 0: weights are constant
gradient_points gradient_points_make(uint64_t seed, float size, bool is_stretched);

/// Make the factors anew after gradients were changed.
void gradient_points_write(gradient_points* s);

/// The axes of a vertex as prepare.h tells: normal and tangent, rotated until the normal is that of
/// the plane.
void gradient_points_axes(pelt_vec3 axes[2], const gradient_points* s, uint32_t v);

/// Buffers of the arena that hold the result.
pelt_surface gradient_points_deform(const gradient_points* s, const pelt_deform_options* options);
pelt_surface gradient_points_deform_by(const gradient_points* s, pelt_method method,
                                       pelt_normal_rule rule);

pelt_vec3 gradient_xyz(pelt_vec4 t);

#endif
