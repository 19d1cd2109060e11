// SPDX-License-Identifier: MIT
// Deform factors exactly as Tarini et al. 2014 have them, and the variants that they compare with.
#ifndef PELT_DEFORM_FACTORS_H
#define PELT_DEFORM_FACTORS_H

#include "pelt/pelt.h"

enum
{
    DEFORM_FACTOR_MAX = 16, ///< joints of a vertex
};

/// A vertex: joints, weights, alpha and beta, and axes (section 5, preprocessing). The first joint
/// needs no pair: section 4.3.
typedef struct deform_factor
{
    uint32_t count;
    uint32_t joints[DEFORM_FACTOR_MAX];
    float weights[DEFORM_FACTOR_MAX];
    float alpha[DEFORM_FACTOR_MAX], beta[DEFORM_FACTOR_MAX];
    pelt_vec3 tangent, bitangent;
} deform_factor;

/// Weights of triangles in the mean of a vertex (section 3.2).
typedef enum deform_factor_mean
{
    DEFORM_FACTOR_VORONOI = 0, ///< the part of the triangle in the Voronoi cell: cotangents
    DEFORM_FACTOR_AREA,        ///< the area of the triangle
} deform_factor_mean;

/// @param out         mesh->vertex_count
/// @param max_joints  N_max; joints beyond are discarded, those with the smallest gradients first
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result deform_factors_build(deform_factor* out, const pelt_mesh* mesh, uint32_t max_joints,
                                 deform_factor_mean mean);

/// How a normal is computed in a pose.
typedef enum deform_factor_variant
{
    DEFORM_FACTOR_PAPER = 0, ///< Eq. 13 with the clamp of section 4.4
    DEFORM_FACTOR_FREE,      ///< Eq. 13 without the clamp
    DEFORM_FACTOR_NAIVE,     ///< Eq. 7 and 10 in float: sums of large terms that cancel
} deform_factor_variant;

/// The normal of a vertex under lbs.
pelt_vec3 deform_factor_normal(const deform_factor* in, pelt_vec3 position,
                               const pelt_palette* palette, deform_factor_variant variant);

/// The normal of one corner by the gradients of its triangle alone (Figure 3), under lbs.
/// @param corner  0 to 2
pelt_vec3 deform_factor_corner_normal(const pelt_mesh* mesh, uint32_t triangle, uint32_t corner,
                                      const pelt_palette* palette);

#endif
