// SPDX-License-Identifier: MIT
// The mix of linear blend and dual quaternion skinning by a factor: their MATRICES are averaged,
// so that normals follow from the mean matrix and not from a mean of normals, which shades wrongly
// at large rotations (thesis of 2019 on combining DQS and LBS, Algorithm 1 and appendix A).
#include "deform_vertex.h"

static pelti_motion motion_mix(const pelti_vertex* vertex, const pelt_deform_input* input,
                               const pelt_deform_options* options)
{
    pelti_motion lbs = pelti_motion_lbs(vertex, input, options);
    pelti_motion dqs = pelti_motion_dqs(vertex, input, options);
    float f = input->mix_factors ? input->mix_factors[vertex->index] : options->mix;

    pelt_mat3 zero = {0};
    pelt_mat3 linear = pelt_mat3_mad(&zero, 1.0f - f, &lbs.linear);
    return (pelti_motion){.linear = pelt_mat3_mad(&linear, f, &dqs.linear),
                          .position = pelt_vec3_lerp(lbs.position, dqs.position, f)};
}

void pelt_deform_mix(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    pelti_deform_each(out, input, options, range, motion_mix);
}
