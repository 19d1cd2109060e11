// SPDX-License-Identifier: MIT
// The mix of linear blend and dual quaternion skinning by a factor: their MATRICES are averaged,
// so that normals follow from the mean matrix and not from a mean of normals, which shades wrongly
// at large rotations (thesis of 2019 on combining DQS and LBS, Algorithm 1 and appendix A).
#include "../base/exact.h"

#include "deform_each.h"

static float factor_of(const pelti_vertex* vertex, const pelt_deform_input* input,
                       const pelt_deform_options* options)
{
    return input->mix_factors ? input->mix_factors[vertex->index] : options->mix;
}

static pelt_mat3 mean_of(const pelt_mat3* lbs, const pelt_mat3* dqs, float f)
{
    pelt_mat3 zero = {0};
    pelt_mat3 part = pelt_mat3_mad(&zero, 1.0f - f, lbs);
    return pelt_mat3_mad(&part, f, dqs);
}

static void map_mix(pelti_vertex_map* out, const pelti_vertex* vertex,
                    const pelt_deform_input* input, const pelt_deform_options* options)
{
    pelti_vertex_map lbs, dqs;
    pelti_map_lbs(&lbs, vertex, input, options);
    pelti_map_dqs(&dqs, vertex, input, options);
    float f = factor_of(vertex, input, options);
    out->linear = mean_of(&lbs.linear, &dqs.linear, f);
    out->position = pelt_vec3_lerp(lbs.position, dqs.position, f);
    out->is_rotation = f == 1.0f && dqs.is_rotation; // exactly dqs then, also its normals
}

// The derivative of the factor is neglected: factors are painted to vary slowly.
static void jacobian_mix(pelt_vec3 out[2], const pelti_vertex* vertex,
                         const pelti_gradients* gradients, const pelt_deform_input* input,
                         const pelt_deform_options* options)
{
    pelt_vec3 lbs[2], dqs[2];
    pelti_jacobian_lbs(lbs, vertex, gradients, input, options);
    pelti_jacobian_dqs(dqs, vertex, gradients, input, options);
    float f = factor_of(vertex, input, options);
    out[0] = pelt_vec3_lerp(lbs[0], dqs[0], f);
    out[1] = pelt_vec3_lerp(lbs[1], dqs[1], f);
}

void pelt_deform_mix(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    const pelti_method method = {
        .move = map_mix, .jacobian = jacobian_mix, .is_bent_by_stretch = true};
    pelti_deform_each(out, input, options, range, map_mix, &method);
}
