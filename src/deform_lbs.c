// SPDX-License-Identifier: MIT
// Linear blend skinning (Magnenat-Thalmann et al. 1988): the weighted mean of the joint matrices.
#include "deform_vertex.h"

pelti_motion pelti_motion_lbs(const pelti_vertex* vertex, const pelt_deform_input* input,
                              const pelt_deform_options* options)
{
    (void)input;
    (void)options;
    pelt_mat34 sum = {0};
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* inf = &vertex->influences[i];
        sum = pelt_mat34_mad(&sum, inf->weight, &vertex->palette->matrices[inf->joint]);
    }
    return (pelti_motion){pelt_mat34_linear(&sum), pelt_mat34_point(&sum, vertex->position)};
}

// x = sum w T x0, so its derivative is the mean matrix, and the targets by the rates of the
// weights: Tarini et al. 2014, Eq. 7.
pelt_mat3 pelti_jacobian_lbs(const pelti_vertex* vertex, const pelti_motion* motion,
                             const pelti_rates* rates, const pelt_deform_input* input,
                             const pelt_deform_options* options)
{
    (void)input;
    (void)options;
    pelt_vec3 changes[2];
    pelti_rate_point(changes, vertex, rates, vertex->position, motion->position);
    return pelti_add_changes(&motion->linear, rates, changes);
}

void pelt_deform_lbs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    const pelti_method method = {pelti_motion_lbs, pelti_jacobian_lbs};
    pelti_deform_each(out, input, options, range, &method);
}
