// SPDX-License-Identifier: MIT
// Dual quaternion skinning (Kavan et al. 2008): the weighted mean of the joints' rigid motions as
// unit dual quaternions, in the three variants of Kavan's shaders.
#include "../base/exact.h"

#include "deform_derivative.h"
#include "deform_each.h"

PELTI_INLINE pelt_dquat blend_motion(const pelti_vertex* vertex, const pelt_deform_options* options)
{
    pelt_sign_rule rule = options->sign_rule;
    bool has_sign_rule = options->dqs_variant == PELT_DQS_ANTIPODAL;
    pelt_quat lead = vertex->palette->motions[pelti_influence_at(vertex, rule, 0)->joint].real;
    pelt_dquat sum = {0};

    for (uint32_t step = 0; step < vertex->count; ++step)
    {
        const pelt_influence* inf = pelti_influence_at(vertex, rule, step);
        pelt_dquat motion = pelti_motion_at(vertex, options, inf->joint);
        float sign = has_sign_rule ? pelti_sign_of(rule, motion.real, lead, sum.real) : 1.0f;
        sum = pelt_dquat_add(sum, pelt_dquat_scale(motion, sign * inf->weight));
    }
    return pelti_is_canceled(sum.real)
               ? pelti_motion_at(vertex, options, vertex->influences[0].joint)
               : pelt_dquat_normalize(sum);
}

pelt_dquat pelti_blend_motion(const pelti_vertex* vertex, const pelt_deform_options* options)
{
    return blend_motion(vertex, options);
}

// Bittner et al. 2019, Algorithm 1. The optimized variant rotates the vertex by the quaternion
// itself instead of by its matrix.
PELTI_INLINE void map_dqs(pelti_vertex_map* out, const pelti_vertex* vertex,
                          const pelt_deform_input* input, const pelt_deform_options* options)
{
    (void)input;
    pelt_dquat blend = blend_motion(vertex, options);
    pelt_vec3 start = vertex->position;
    pelt_mat3 stretch;
    out->is_rotation = vertex->palette->is_rigid;
    if (!out->is_rotation)
    {
        stretch = pelti_blend_stretch(vertex);
        start = pelti_stretched_position(vertex, options, &stretch);
    }
    out->linear = pelt_mat3_from_quat(blend.real);
    out->position =
        options->dqs_variant == PELT_DQS_OPTIMIZED
            ? pelt_dquat_point(blend, start)
            : pelt_vec3_add(pelt_mat3_vector(&out->linear, start), pelt_dquat_translation(blend));
    if (!out->is_rotation)
    {
        out->linear = pelt_mat3_mul(&out->linear, &stretch);
    }
}

void pelti_map_dqs(pelti_vertex_map* out, const pelti_vertex* vertex,
                   const pelt_deform_input* input, const pelt_deform_options* options)
{
    map_dqs(out, vertex, input, options);
}

// ---------------------------------------------------------------------------------------------
// The derivative. Along an axis, weights and so the sums of dual quaternions change, and the vertex
// moves; docs/normals.md has it in full.

// Sums over the joints around a vertex.
typedef struct dqs_sums
{
    pelti_sums real;
    pelti_four dual;            // by weights
    pelti_four dual_changes[2]; // by gradients
} dqs_sums;

PELTI_INLINE void sums_add(dqs_sums* inout, const pelt_normal_factor* factor, pelt_dquat motion,
                           float sign)
{
    pelti_four dual = sign * pelti_four_load(&motion.dual);
    pelti_sums_add(&inout->real, factor, sign * pelti_four_load(&motion.real));
    inout->dual += factor->weight * dual;
    inout->dual_changes[0] += factor->alpha * dual;
    inout->dual_changes[1] += factor->beta * dual;
}

// The change of the position due to weights, for a constant vertex, as vectors before the mean
// rotation. The mean motion takes x to R (x + shift), with shift = 2 vec(s* d) / |s|^2 for the sums
// s and d of real and dual parts. As s changes, R rotates both, and shift rotates back by half of
// that, as s* does; each loses its component along s.
PELTI_INLINE void add_weight_changes(pelt_vec3 inout[2], const dqs_sums* sums,
                                     const pelti_mean* mean, pelt_vec3 start)
{
    pelti_four shift = pelti_angular_velocity(mean, sums->dual);
    pelt_vec3 offset = pelt_vec3_mad(start, 0.5f, pelti_four_vector(shift));
    for (int axis = 0; axis < 2; ++axis)
    {
        pelti_four angular = pelti_angular_velocity(mean, sums->real.changes[axis]);
        pelti_four change = pelti_angular_velocity(mean, sums->dual_changes[axis]) -
                            0.5f * (shift[3] * angular + angular[3] * shift);
        inout[axis] = pelt_vec3_add(inout[axis], pelti_four_vector(change));
        inout[axis] =
            pelt_vec3_add(inout[axis], pelt_vec3_cross(pelti_four_vector(angular), offset));
    }
}

// Joints that stretch about the vertex move it differently as it moves: the derivative has more
// terms than those of the mean rotation of the mean stretch.
typedef struct product_sums
{
    pelti_four axes[2];    // (T axis) q, by weights
    pelti_four moments[2]; // (T moment) q
} product_sums;

PELTI_INLINE void add_products(product_sums* inout, const pelti_gradients* gradients,
                               const pelt_normal_factor* factor, const pelt_mat34* matrix,
                               pelt_quat q)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    for (int part = 0; part < 2; ++part)
    {
        pelt_vec3 moved = pelt_mat3_vector(&linear, gradients->axes[part]);
        pelt_quat product = pelt_quat_mul(pelt_quat_make(moved.x, moved.y, moved.z, 0.0f), q);
        pelti_four term = pelti_four_load(&product);
        inout->axes[part] += factor->weight * term;
        inout->moments[0] += factor->moments[0][part] * term;
        inout->moments[1] += factor->moments[1][part] * term;
    }
}

// The change of the position due to the movement of the vertex.
static void derive_position(pelt_vec3 out[2], const pelti_sums* sums, const product_sums* products)
{
    pelt_quat mean = pelti_four_quat(sums->mean), back = pelt_quat_conjugate(mean);
    float scale = 1.0f / pelt_quat_dot(mean, mean);
    for (int axis = 0; axis < 2; ++axis)
    {
        pelti_four first = products->moments[axis];
        pelt_quat second = {0};
        for (int part = 0; part < 2; ++part)
        {
            // Moments minus their mean.
            pelti_four moment = sums->moments[axis][part];
            pelt_quat excess = pelti_four_quat(axis == part ? moment - sums->mean : moment);
            first -= 2.0f * scale * pelt_quat_dot(mean, excess) * products->axes[part];
            second = pelt_quat_add(second, pelt_quat_mul(pelti_four_quat(products->axes[part]),
                                                         pelt_quat_conjugate(excess)));
        }
        pelt_quat both = pelt_quat_add(pelt_quat_mul(pelti_four_quat(first), back), second);
        out[axis] = pelt_vec3_scale(pelt_vec3_make(both.x, both.y, both.z), scale);
    }
}

static void derive_locally(pelt_vec3 out[2], const pelti_vertex* vertex,
                           const pelti_gradients* gradients, const pelt_deform_options* options)
{
    pelti_signs signs = pelti_signs_at(vertex, options->sign_rule, options->dqs_variant);
    dqs_sums sums = {0};
    product_sums products = {0};
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor storage;
        const pelt_normal_factor* factor = pelti_factor_at(&storage, gradients, i);
        pelt_dquat motion = pelti_motion_at(vertex, options, factor->joint);
        float sign = pelti_sign_at(vertex, &signs, factor->joint);
        sums_add(&sums, factor, motion, sign);
        add_products(&products, gradients, factor, &vertex->palette->matrices[factor->joint],
                     pelt_quat_scale(motion.real, sign));
    }
    const pelt_vec3 start = {0.0f, 0.0f, 0.0f}; // see pelti_motion_at()
    pelti_mean mean = pelti_mean_make(vertex, sums.real.mean, NULL);
    pelt_vec3 moved[2] = {0};
    if (mean.is_canceled)
    {
        pelti_stretches stretch_storage;
        mean.stretches = pelti_stretches_at(&stretch_storage, vertex, gradients);
        pelti_derive_map(moved, gradients, &mean, &sums.real);
        out[0] = out[1] = start;
    }
    else
    {
        derive_position(out, &sums.real, &products);
        add_weight_changes(moved, &sums, &mean, start);
    }
    out[0] = pelt_vec3_add(out[0], pelt_quat_rotate(mean.rotation, moved[0]));
    out[1] = pelt_vec3_add(out[1], pelt_quat_rotate(mean.rotation, moved[1]));
}

// ---------------------------------------------------------------------------------------------

PELTI_INLINE void jacobian_dqs(pelt_vec3 out[2], const pelti_vertex* vertex,
                               const pelti_gradients* gradients, const pelt_deform_input* input,
                               const pelt_deform_options* options)
{
    (void)input;
    if (pelti_is_scaled_locally(vertex, options))
    {
        derive_locally(out, vertex, gradients, options);
        return;
    }
    pelti_stretches stretch_storage;
    const pelti_stretches* stretches = pelti_stretches_at(&stretch_storage, vertex, gradients);
    pelti_signs signs = pelti_signs_at(vertex, options->sign_rule, options->dqs_variant);
    dqs_sums sums = {0};
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor storage;
        const pelt_normal_factor* factor = pelti_factor_at(&storage, gradients, i);
        sums_add(&sums, factor, vertex->palette->motions[factor->joint],
                 pelti_sign_at(vertex, &signs, factor->joint));
    }
    pelti_mean mean = pelti_mean_make(vertex, sums.real.mean, stretches);
    pelt_vec3 moved[2];
    pelti_derive_map(moved, gradients, &mean, &sums.real);
    add_weight_changes(moved, &sums, &mean, pelti_stretch_vector(stretches, vertex->position));
    if (stretches != NULL)
    {
        // The vertex is first stretched by the mean stretch, which changes with the weights too.
        pelt_vec3 stretched[2];
        pelti_derive_stretch(stretched, vertex, gradients, vertex->position);
        moved[0] = pelt_vec3_add(moved[0], stretched[0]);
        moved[1] = pelt_vec3_add(moved[1], stretched[1]);
    }
    out[0] = pelt_quat_rotate(mean.rotation, moved[0]);
    out[1] = pelt_quat_rotate(mean.rotation, moved[1]);
}

void pelti_jacobian_dqs(pelt_vec3 out[2], const pelti_vertex* vertex,
                        const pelti_gradients* gradients, const pelt_deform_input* input,
                        const pelt_deform_options* options)
{
    jacobian_dqs(out, vertex, gradients, input, options);
}

void pelt_deform_dqs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    const pelti_method method = {
        .move = pelti_map_dqs, .jacobian = jacobian_dqs, .is_bent_by_stretch = true};
    pelti_deform_each(out, input, options, range, map_dqs, &method);
}
