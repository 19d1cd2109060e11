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

void pelt_deform_lbs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    pelti_deform_each(out, input, options, range, pelti_motion_lbs);
}
