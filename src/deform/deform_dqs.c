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
        float side = has_sign_rule ? pelti_sign_of(rule, motion.real, lead, sum.real) : 1.0f;
        sum = pelt_dquat_add(sum, pelt_dquat_scale(motion, side * inf->weight));
    }
    return pelti_is_canceled(sum.real)
               ? pelti_motion_at(vertex, options, vertex->influences[0].joint)
               : pelt_dquat_normalize(sum);
}

pelt_dquat pelti_blend_motion(const pelti_vertex* vertex, const pelt_deform_options* options)
{
    return blend_motion(vertex, options);
}

// Bittner et al. 2019, Algorithm 1. The optimized variant turns the vertex by the quaternion
// itself instead of by its matrix.
PELTI_INLINE void motion_dqs(pelti_motion* out, const pelti_vertex* vertex,
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

void pelti_motion_dqs(pelti_motion* out, const pelti_vertex* vertex, const pelt_deform_input* input,
                      const pelt_deform_options* options)
{
    motion_dqs(out, vertex, input, options);
}

// ---------------------------------------------------------------------------------------------
// The derivative. With y where each joint takes the vertex, the method is
//     x = vector part of (sum w y q) s* / |s|^2,   s = sum w q,
// q with the signs of the blend. Written for y - x instead of y, the vector part vanishes and with
// it the derivative of |s|^2.

// Sums over the joints around a vertex.
typedef struct dqs_sums
{
    pelti_sums base;
    pelt_quat place;            // (y - origin) q, by weights
    pelt_quat place_changes[2]; // the same by gradients
    // Where joints stretch about the vertex, they take it apart as it moves: more happens than the
    // mean rotation of the mean stretch.
    pelt_quat images[2];  // (T axis) q, by weights
    pelt_quat moments[2]; // (T moment) q
} dqs_sums;

static pelt_vec3 vector_part(pelt_quat q)
{
    return pelt_vec3_make(q.x, q.y, q.z);
}

static pelt_quat times_vector(pelt_vec3 v, pelt_quat q)
{
    return pelt_quat_mul(pelt_quat_make(v.x, v.y, v.z, 0.0f), q);
}

// @param start  where rigid motions take the vertex from, if joints stretch about the origin
static pelt_vec3 target_of(const pelti_vertex* vertex, const pelt_deform_options* options,
                           uint32_t joint, pelt_vec3 start)
{
    const pelt_palette* palette = vertex->palette;
    bool is_direct = palette->is_rigid || options->scale_pivot == PELT_SCALE_LOCAL;
    return is_direct ? pelt_mat34_point(&palette->matrices[joint], vertex->position)
                     : pelt_dquat_point(palette->motions[joint], start);
}

static void add_images(dqs_sums* inout, const pelti_gradients* gradients,
                       const pelt_normal_factor* factor, const pelt_mat34* matrix, pelt_quat q)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    for (int part = 0; part < 2; ++part)
    {
        pelt_quat image = times_vector(pelt_mat3_vector(&linear, gradients->axes[part]), q);
        inout->images[part] = pelti_quat_mad(inout->images[part], factor->weight, image);
        for (int axis = 0; axis < 2; ++axis)
        {
            float moment = factor->moments[axis][part];
            inout->moments[axis] = pelti_quat_mad(inout->moments[axis], moment, image);
        }
    }
}

static void add_joints(dqs_sums* out, const pelti_vertex* vertex, const pelti_gradients* gradients,
                       const pelt_deform_options* options, pelt_vec3 start, pelt_vec3 origin)
{
    pelti_signs signs = pelti_signs_at(vertex, options->sign_rule, options->dqs_variant);
    bool is_scaled_locally = pelti_is_scaled_locally(vertex, options);
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(gradients, i);
        pelt_quat q = pelti_signed_rotation(vertex, &signs, factor.joint);
        pelt_vec3 away = pelt_vec3_sub(target_of(vertex, options, factor.joint, start), origin);
        pelt_quat place = times_vector(away, q);
        pelti_sums_add(&out->base, vertex, gradients, &factor, q);
        out->place = pelti_quat_mad(out->place, factor.weight, place);
        out->place_changes[0] = pelti_quat_mad(out->place_changes[0], factor.alpha, place);
        out->place_changes[1] = pelti_quat_mad(out->place_changes[1], factor.beta, place);
        if (is_scaled_locally)
        {
            add_images(out, gradients, &factor, &vertex->palette->matrices[factor.joint], q);
        }
    }
}

// What changes because weights do, the vertex staying where it is.
static void add_weight_changes(pelt_vec3 inout[2], const dqs_sums* sums, const pelti_mean* mean)
{
    pelt_quat back = pelt_quat_conjugate(mean->sum);
    float scale = 1.0f / pelt_quat_dot(mean->sum, mean->sum);
    // From the origin of the sums to x.
    pelt_vec3 shift = pelt_vec3_scale(vector_part(pelt_quat_mul(sums->place, back)), -scale);
    pelt_quat place = pelt_quat_add(sums->place, times_vector(shift, mean->sum));
    for (int axis = 0; axis < 2; ++axis)
    {
        pelt_quat change = sums->base.changes[axis];
        pelt_quat moved = pelt_quat_add(sums->place_changes[axis], times_vector(shift, change));
        pelt_quat both = pelt_quat_add(pelt_quat_mul(moved, back),
                                       pelt_quat_mul(place, pelt_quat_conjugate(change)));
        inout[axis] = pelt_vec3_mad(inout[axis], scale, vector_part(both));
    }
}

// What changes because the vertex moves, where joints stretch about it.
static void derive_place(pelt_vec3 out[2], const dqs_sums* sums, const pelti_mean* mean)
{
    pelt_quat back = pelt_quat_conjugate(mean->sum);
    float scale = 1.0f / pelt_quat_dot(mean->sum, mean->sum);
    for (int axis = 0; axis < 2; ++axis)
    {
        pelt_quat first = sums->moments[axis], second = {0};
        for (int part = 0; part < 2; ++part)
        {
            // Moments without their mean.
            pelt_quat excess = pelti_quat_mad(sums->base.moments[axis][part],
                                              axis == part ? -1.0f : 0.0f, mean->sum);
            float along = -2.0f * scale * pelt_quat_dot(mean->sum, excess);
            first = pelti_quat_mad(first, along, sums->images[part]);
            second = pelt_quat_add(second,
                                   pelt_quat_mul(sums->images[part], pelt_quat_conjugate(excess)));
        }
        pelt_quat both = pelt_quat_add(pelt_quat_mul(first, back), second);
        out[axis] = pelt_vec3_scale(vector_part(both), scale);
    }
}

// About the origin, the vertex is first stretched as a whole: that changes with the weights too.
static void derive_phases(pelt_vec3 out[2], const pelti_vertex* vertex,
                          const pelti_gradients* gradients, const pelti_mean* mean,
                          const pelti_sums* sums)
{
    pelti_derive_map(out, gradients, mean, sums);
    if (!vertex->palette->is_rigid)
    {
        pelt_vec3 stretched[2];
        pelti_derive_stretch(stretched, vertex, gradients, vertex->position);
        out[0] = pelt_vec3_add(out[0], pelt_quat_rotate(mean->rotation, stretched[0]));
        out[1] = pelt_vec3_add(out[1], pelt_quat_rotate(mean->rotation, stretched[1]));
    }
}

void pelti_jacobian_dqs(pelt_vec3 out[2], const pelti_vertex* vertex,
                        const pelti_gradients* gradients, const pelt_deform_input* input,
                        const pelt_deform_options* options)
{
    (void)input;
    pelt_mat3 stretch = pelti_mean_stretch(vertex, gradients);
    pelt_vec3 start = pelti_stretched_position(vertex, options, &stretch);
    // Any origin serves; one nearby keeps digits.
    pelt_vec3 origin = target_of(vertex, options, vertex->influences[0].joint, start);
    dqs_sums sums = {0};
    pelti_mean mean;
    add_joints(&sums, vertex, gradients, options, start, origin);
    pelti_mean_make(&mean, vertex, &sums.base, &stretch);
    if (mean.is_canceled)
    {
        // One joint alone decides, however the weights change.
        pelti_derive_map(out, gradients, &mean, &sums.base);
        return;
    }
    if (pelti_is_scaled_locally(vertex, options))
    {
        derive_place(out, &sums, &mean);
    }
    else
    {
        derive_phases(out, vertex, gradients, &mean, &sums.base);
    }
    add_weight_changes(out, &sums, &mean);
}

void pelt_deform_dqs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    const pelti_method method = {
        .move = motion_dqs, .jacobian = pelti_jacobian_dqs, .is_bent_by_stretch = true};
    pelti_deform_each(out, input, options, range, motion_dqs, &method);
}
