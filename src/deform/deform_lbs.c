// SPDX-License-Identifier: MIT
// Linear blend skinning (Magnenat-Thalmann et al. 1988): the weighted mean of the joint matrices.
#include "../base/exact.h"

#include "deform_derivative.h"
#include "deform_each.h"

PELTI_INLINE void map_lbs(pelti_vertex_map* out, const pelti_vertex* vertex,
                          const pelt_deform_input* input, const pelt_deform_options* options)
{
    (void)input;
    (void)options;
    pelt_mat34 sum = {0};
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* inf = &vertex->influences[i];
        sum = pelt_mat34_mad(&sum, inf->weight, &vertex->palette->matrices[inf->joint]);
    }
    out->linear = pelt_mat34_linear(&sum);
    out->position = pelt_mat34_point(&sum, vertex->position);
    out->is_rotation = false;
}

void pelti_map_lbs(pelti_vertex_map* out, const pelti_vertex* vertex,
                   const pelt_deform_input* input, const pelt_deform_options* options)
{
    map_lbs(out, vertex, input, options);
}

// x = sum T (w x0) is linear in weights times positions, and so is its derivative. Tarini et al.
// 2014, Eq. 7, is the case of weights that hardly change over a triangle.
PELTI_INLINE void jacobian_lbs(pelt_vec3 out[2], const pelti_vertex* vertex,
                               const pelti_gradients* gradients, const pelt_deform_input* input,
                               const pelt_deform_options* options)
{
    (void)input;
    (void)options;
    pelti_derivatives sums = {0};
    const pelti_four first = pelti_four_of(gradients->axes[0], 0.0f);
    const pelti_four second = pelti_four_of(gradients->axes[1], 0.0f);
    const pelti_four point = pelti_four_of(vertex->position, 1.0f);
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor storage;
        const pelt_normal_factor* factor = pelti_factor_at(&storage, gradients, i);
        pelti_derivatives_add(
            &sums, &vertex->palette->matrices[factor->joint],
            factor->moments[0][0] * first + factor->moments[0][1] * second + factor->alpha * point,
            factor->moments[1][0] * first + factor->moments[1][1] * second + factor->beta * point);
    }
    out[0] = pelti_derivative_along(&sums, 0);
    out[1] = pelti_derivative_along(&sums, 1);
}

void pelti_jacobian_lbs(pelt_vec3 out[2], const pelti_vertex* vertex,
                        const pelti_gradients* gradients, const pelt_deform_input* input,
                        const pelt_deform_options* options)
{
    jacobian_lbs(out, vertex, gradients, input, options);
}

static const pelti_method lbs = {
    .move = pelti_map_lbs, .jacobian = jacobian_lbs, .is_linear = true};

void pelti_deform_mixed_handedness(const pelt_surface* out, const pelti_vertex* vertex,
                                   const pelt_deform_input* input,
                                   const pelt_deform_options* options)
{
    pelti_deform_any(out, vertex, input, options, &lbs);
}

void pelt_deform_lbs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    pelti_deform_each(out, input, options, range, map_lbs, &lbs);
}
