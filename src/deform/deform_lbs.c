// SPDX-License-Identifier: MIT
// Linear blend skinning (Magnenat-Thalmann et al. 1988): the weighted mean of the joint matrices.
#include "../base/exact.h"

#include "deform_derivative.h"
#include "deform_each.h"

PELTI_INLINE void motion_lbs(pelti_motion* out, const pelti_vertex* vertex,
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

void pelti_motion_lbs(pelti_motion* out, const pelti_vertex* vertex, const pelt_deform_input* input,
                      const pelt_deform_options* options)
{
    motion_lbs(out, vertex, input, options);
}

// x = sum w T x0 is linear in the weights and in the weights times x0, and so is its derivative in
// their gradients. Tarini et al. 2014, Eq. 7, is the case of weights that hardly change over a
// triangle.
void pelti_jacobian_lbs(pelt_vec3 out[2], const pelti_vertex* vertex,
                        const pelti_gradients* gradients, const pelt_deform_input* input,
                        const pelt_deform_options* options)
{
    (void)input;
    (void)options;
    // Gradients sum to zero, so any origin serves; one nearby keeps digits (Eq. 13).
    const pelt_mat34* matrices = vertex->palette->matrices;
    pelt_vec3 origin = pelt_mat34_point(&matrices[vertex->influences[0].joint], vertex->position);
    out[0] = out[1] = pelt_vec3_make(0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(gradients, i);
        pelt_mat3 linear = pelt_mat34_linear(&matrices[factor.joint]);
        pelt_vec3 target = pelt_mat34_point(&matrices[factor.joint], vertex->position);
        pelt_vec3 away = pelt_vec3_sub(target, origin);
        for (int axis = 0; axis < 2; ++axis)
        {
            pelt_vec3 moment = pelti_along_axes(gradients, factor.moments[axis]);
            out[axis] = pelt_vec3_add(out[axis], pelt_mat3_vector(&linear, moment));
        }
        out[0] = pelt_vec3_mad(out[0], factor.alpha, away);
        out[1] = pelt_vec3_mad(out[1], factor.beta, away);
    }
}

void pelt_deform_lbs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    const pelti_method method = {
        .move = pelti_motion_lbs, .jacobian = pelti_jacobian_lbs, .is_linear = true};
    pelti_deform_each(out, input, options, range, motion_lbs, &method);
}
