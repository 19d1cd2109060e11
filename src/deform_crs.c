// SPDX-License-Identifier: MIT
// Skinning with optimised centres of rotation (Le and Hodgins 2016, Algorithm 1): the mean rotation
// about the vertex's own centre, which was found beforehand and moves as under linear blending.
#include "deform_vertex.h"

static pelti_motion motion_crs(const pelti_vertex* vertex, const pelt_deform_input* input,
                               const pelt_deform_options* options)
{
    return pelti_motion_about(vertex, input->cors[vertex->index], options);
}

// The turn of the mean rotation along both axes, as vectors: R changes by [turn] R. With the sum s
// of the quaternions and ds its rate, the unit quaternion q changes by (ds - q (q . ds)) / |s|.
static void rate_rotation(pelt_vec3 turns[2], const pelti_vertex* vertex, const pelti_rates* rates,
                          pelt_sign_rule rule)
{
    pelt_quat sum = pelti_sum_rotations(vertex, rule), changes[2] = {0};
    turns[0] = turns[1] = pelt_vec3_make(0.0f, 0.0f, 0.0f);
    if (pelti_is_cancelled(sum))
    {
        return; // one joint alone decides, however the weights change
    }
    for (uint32_t i = 0; i < rates->count; ++i)
    {
        const pelt_normal_factor* factor = &rates->factors[i];
        pelt_quat q = pelt_quat_scale(vertex->palette->motions[factor->joint].real,
                                      pelti_sign_in_sum(vertex, rule, factor->joint, sum));
        changes[0] = pelt_quat_add(changes[0], pelt_quat_scale(q, factor->alpha));
        changes[1] = pelt_quat_add(changes[1], pelt_quat_scale(q, factor->beta));
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        // The part of ds along q falls out of the vector part by itself.
        pelt_quat product = pelt_quat_mul(changes[axis], pelt_quat_conjugate(sum));
        turns[axis] = pelt_vec3_scale(pelt_vec3_make(product.x, product.y, product.z),
                                      2.0f / pelt_quat_dot(sum, sum));
    }
}

// The mean of stretches by the rates instead of the weights, turned by the mean rotation: what a
// vector at the vertex does because stretches change along both axes.
static void rate_stretch(pelt_vec3 out[2], const pelti_vertex* vertex, const pelti_rates* rates,
                         pelt_quat rotation, pelt_vec3 arm)
{
    out[0] = out[1] = pelt_vec3_make(0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; !vertex->palette->is_rigid && i < rates->count; ++i)
    {
        const pelt_normal_factor* factor = &rates->factors[i];
        pelt_vec3 stretched = pelt_mat3_vector(&vertex->palette->stretches[factor->joint], arm);
        out[0] = pelt_vec3_mad(out[0], factor->alpha, stretched);
        out[1] = pelt_vec3_mad(out[1], factor->beta, stretched);
    }
    out[0] = pelt_quat_rotate(rotation, out[0]);
    out[1] = pelt_quat_rotate(rotation, out[1]);
}

// x = sum w T p + R S (x0 - p), every factor by its own rate; docs/normals.md has it in full.
static pelt_mat3 jacobian_crs(const pelti_vertex* vertex, const pelti_motion* motion,
                              const pelti_rates* rates, const pelt_deform_input* input,
                              const pelt_deform_options* options)
{
    pelt_vec3 center = input->cors[vertex->index];
    pelt_vec3 arm = pelt_vec3_sub(vertex->position, center);
    pelt_vec3 moved_center = pelti_blend_point(vertex, center);
    pelt_vec3 moved_arm = pelt_mat3_vector(&motion->linear, arm);
    pelt_quat rotation = pelti_blend_rotation(vertex, options->sign_rule);
    pelt_mat3 mean = pelti_motion_lbs(vertex, input, options).linear;

    pelt_vec3 turns[2], stretches[2], changes[2];
    rate_rotation(turns, vertex, rates, options->sign_rule);
    rate_stretch(stretches, vertex, rates, rotation, arm);
    pelti_rate_point(changes, vertex, rates, center, moved_center);
    for (int axis = 0; axis < 2; ++axis)
    {
        // The centre itself moves over the rest pose: with the mean matrix, and away from the arm.
        pelt_vec3 drift = pelt_vec3_sub(pelt_mat3_vector(&mean, rates->centers[axis]),
                                        pelt_mat3_vector(&motion->linear, rates->centers[axis]));
        pelt_vec3 change = pelt_vec3_add(changes[axis], pelt_vec3_cross(turns[axis], moved_arm));
        changes[axis] = pelt_vec3_add(pelt_vec3_add(change, stretches[axis]), drift);
    }
    return pelti_add_changes(&motion->linear, rates, changes);
}

void pelt_deform_crs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    PELT_ASSERT(input->cors != NULL);
    const pelti_method method = {motion_crs, jacobian_crs};
    pelti_deform_each(out, input, options, range, &method);
}
