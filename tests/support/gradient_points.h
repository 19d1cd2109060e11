// SPDX-License-Identifier: MIT
// Vertices with random factors for normals, for tests of derivatives.
#ifndef PELT_SLOPE_SET_H
#define PELT_SLOPE_SET_H

#include "point_set.h"
#include "skin_oracle.h"

// A mini with random rates on top, of all joints.
typedef struct slope_set
{
    mini m;
    pelt_normal_factors factors;
    uint32_t* first;
    pelt_normal_factor* list;
    pelt_vec3* tangents;
    pelt_vec2* tilts;
    pelt_vec3* centers; // not those of the mesh, as where a vertex has one influence
    pelt_vec3* center_rates;
    pelt_vec3* planes; // normals of the triangles that there could be
    pelt_mat3* center_slopes;

    // joint_count for each vertex
    float* means;
    pelt_vec3* gradients;
    pelt_mat3* products; // as in the oracle
} slope_set;

/// ORACLE_JOINTS joints turned by up to 60 degrees, so that signs are not a toss-up; stretched
/// where wanted.
/// @param size  of slopes; 0: weights are constant
slope_set slope_set_make(uint64_t seed, float size, bool is_stretched);

/// Make the factors anew after slopes were changed.
void slope_set_write(slope_set* s);

/// The axes of a vertex as prepare.h tells: normal and tangent, turned until the normal is that of
/// the plane.
void slope_set_axes(pelt_vec3 axes[2], const slope_set* s, uint32_t v);

/// Buffers of the arena that hold the result.
pelt_surface slope_set_deform(const slope_set* s, const pelt_deform_options* options);
pelt_surface slope_set_deform_by(const slope_set* s, pelt_method method, pelt_normal_rule rule);

pelt_vec3 slope_xyz(pelt_vec4 t);

#endif
