// SPDX-License-Identifier: MIT
// Dual quaternion skinning (Kavan et al. 2008): the weighted mean of the joints' rigid motions as
// unit dual quaternions, in the three variants of Kavan's shaders.
#include "../base/exact.h"

#include "deform_vertex.h"

static bool is_scaled_locally(const pelti_vertex* vertex, const pelt_deform_options* options)
{
    return !vertex->palette->is_rigid && options->scale_pivot == PELT_SCALE_LOCAL;
}

// Motions about the vertex are written for a vertex at the origin, which makes no difference to the
// blend but keeps its digits when a joint shrinks much.
pelt_dquat pelti_motion_at(const pelti_vertex* vertex, const pelt_deform_options* options,
                           uint32_t joint)
{
    const pelt_palette* palette = vertex->palette;
    if (!is_scaled_locally(vertex, options))
    {
        return palette->motions[joint];
    }
    return pelt_dquat_make(palette->motions[joint].real,
                           pelt_mat34_point(&palette->matrices[joint], vertex->position));
}

pelt_vec3 pelti_stretched_position(const pelti_vertex* vertex, const pelt_deform_options* options,
                                   const pelt_mat3* stretch)
{
    return is_scaled_locally(vertex, options) ? pelt_vec3_make(0.0f, 0.0f, 0.0f)
                                              : pelt_mat3_vector(stretch, vertex->position);
}

pelt_dquat pelti_blend_motion(const pelti_vertex* vertex, const pelt_deform_options* options)
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

// Bittner et al. 2019, Algorithm 1. The optimized variant turns the vertex by the quaternion
// itself instead of by its matrix.
pelti_motion pelti_motion_dqs(const pelti_vertex* vertex, const pelt_deform_input* input,
                              const pelt_deform_options* options)
{
    (void)input;
    pelt_dquat blend = pelti_blend_motion(vertex, options);
    pelt_mat3 rotation = pelt_mat3_from_quat(blend.real);
    pelt_mat34 matrix = pelt_mat34_make(&rotation, pelt_dquat_translation(blend));
    pelt_mat3 stretch = pelti_blend_stretch(vertex);
    pelt_vec3 p = pelti_stretched_position(vertex, options, &stretch);

    return (pelti_motion){.linear = pelt_mat3_mul(&rotation, &stretch),
                          .position = options->dqs_variant == PELT_DQS_OPTIMIZED
                                          ? pelt_dquat_point(blend, p)
                                          : pelt_mat34_point(&matrix, p)};
}

// ---------------------------------------------------------------------------------------------
// The derivative. With y where each joint takes the vertex, the method is
//     x = vector part of (sum w y q) s* / |s|^2,   s = sum w q,
// q with the signs of the blend. Written for y - x instead of y, the vector part vanishes and with
// it the derivative of |s|^2.

// A vertex with the means of the weights around it.
typedef struct site
{
    const pelti_vertex* vertex;
    const pelti_gradients* gradients;
    const pelt_deform_options* options;
    pelti_mean mean;
    float scale;     // 1 / |s|^2
    pelt_vec3 start; // where rigid motions take the vertex from
} site;

static site site_at(const pelti_vertex* vertex, const pelti_gradients* gradients,
                    const pelt_deform_options* options)
{
    site out = {vertex, gradients, options, .mean = pelti_mean_at(vertex, gradients, options)};
    out.scale = 1.0f / pelt_quat_dot(out.mean.sum, out.mean.sum);
    out.start = pelti_stretched_position(vertex, options, &out.mean.stretch);
    return out;
}

static pelt_vec3 vector_part(pelt_quat q)
{
    return pelt_vec3_make(q.x, q.y, q.z);
}

static pelt_quat times_vector(pelt_vec3 v, pelt_quat q)
{
    return pelt_quat_mul(pelt_quat_make(v.x, v.y, v.z, 0.0f), q);
}

// (y - origin) q for the joint of q.
static pelt_quat moment_of(const site* s, uint32_t joint, pelt_quat q, pelt_vec3 origin)
{
    pelt_vec3 y = pelt_dquat_point(pelti_motion_at(s->vertex, s->options, joint), s->start);
    return times_vector(pelt_vec3_sub(y, origin), q);
}

// x for the mean weights.
static pelt_vec3 image_of(const site* s)
{
    uint32_t strongest = s->vertex->influences[0].joint;
    pelt_vec3 origin =
        pelt_dquat_point(pelti_motion_at(s->vertex, s->options, strongest), s->start);
    pelt_quat sum = {0};
    for (uint32_t i = 0; i < s->gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(s->gradients, i);
        pelt_quat q = pelti_signed_rotation(s->vertex, s->options, factor.joint);
        pelt_quat moment = moment_of(s, factor.joint, q, origin);
        sum = pelt_quat_add(sum, pelt_quat_scale(moment, factor.weight));
    }
    pelt_quat turned = pelt_quat_mul(sum, pelt_quat_conjugate(s->mean.sum));
    return pelt_vec3_mad(origin, s->scale, vector_part(turned));
}

// What changes because weights do, the vertex staying where it is.
static void add_weight_changes(pelt_vec3 inout[2], const site* s)
{
    pelt_vec3 image = image_of(s);
    pelt_quat sums[2] = {0}, moments[2] = {0}, mean_moment = {0};
    for (uint32_t i = 0; i < s->gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(s->gradients, i);
        pelt_quat q = pelti_signed_rotation(s->vertex, s->options, factor.joint);
        pelt_quat moment = moment_of(s, factor.joint, q, image);
        mean_moment = pelt_quat_add(mean_moment, pelt_quat_scale(moment, factor.weight));
        for (int axis = 0; axis < 2; ++axis)
        {
            float gradient = pelti_gradient_along(&factor, axis);
            sums[axis] = pelt_quat_add(sums[axis], pelt_quat_scale(q, gradient));
            moments[axis] = pelt_quat_add(moments[axis], pelt_quat_scale(moment, gradient));
        }
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        pelt_quat change =
            pelt_quat_add(pelt_quat_mul(moments[axis], pelt_quat_conjugate(s->mean.sum)),
                          pelt_quat_mul(mean_moment, pelt_quat_conjugate(sums[axis])));
        inout[axis] = pelt_vec3_mad(inout[axis], s->scale, vector_part(change));
    }
}

// Joints that stretch about the vertex take it apart as it moves: more happens than the mean
// rotation of the mean stretch. images: sum w (T e) q for each unit vector e.
static void blend_images(pelt_quat images[3], const site* s)
{
    for (uint32_t i = 0; i < s->gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(s->gradients, i);
        pelt_quat q = pelti_signed_rotation(s->vertex, s->options, factor.joint);
        const pelt_mat34* matrix = &s->vertex->palette->matrices[factor.joint];
        for (int k = 0; k < 3; ++k)
        {
            pelt_vec3 column = {matrix->m[0][k], matrix->m[1][k], matrix->m[2][k]};
            pelt_quat image = pelt_quat_scale(times_vector(column, q), factor.weight);
            images[k] = pelt_quat_add(images[k], image);
        }
    }
}

static pelt_quat image_along(const pelt_quat images[3], pelt_vec3 v)
{
    pelt_quat sum = pelt_quat_add(pelt_quat_scale(images[0], v.x), pelt_quat_scale(images[1], v.y));
    return pelt_quat_add(sum, pelt_quat_scale(images[2], v.z));
}

// What changes because the vertex moves.
static void derive_place(pelt_vec3 out[2], const site* s)
{
    pelt_quat images[3] = {0}, firsts[2] = {0}, seconds[2] = {0};
    pelt_vec3 thirds[2] = {0};
    blend_images(images, s);
    for (uint32_t i = 0; i < s->gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(s->gradients, i);
        pelt_quat q = pelti_signed_rotation(s->vertex, s->options, factor.joint);
        pelt_mat3 linear = pelt_mat34_linear(&s->vertex->palette->matrices[factor.joint]);
        for (int axis = 0; axis < 2; ++axis)
        {
            pelt_vec3 moment = pelti_moment_along(s->gradients, &factor, axis);
            pelt_vec3 excess = pelt_vec3_mad(moment, -factor.weight, s->gradients->axes[axis]);
            pelt_quat first = times_vector(pelt_mat3_vector(&linear, moment), q);
            pelt_quat second = pelt_quat_mul(image_along(images, excess), pelt_quat_conjugate(q));
            firsts[axis] = pelt_quat_add(firsts[axis], first);
            seconds[axis] = pelt_quat_add(seconds[axis], second);
            thirds[axis] = pelt_vec3_mad(thirds[axis], pelt_quat_dot(s->mean.sum, q), excess);
        }
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        pelt_quat third = pelt_quat_scale(image_along(images, thirds[axis]), -2.0f * s->scale);
        pelt_quat turned =
            pelt_quat_mul(pelt_quat_add(firsts[axis], third), pelt_quat_conjugate(s->mean.sum));
        out[axis] = pelt_vec3_scale(vector_part(pelt_quat_add(turned, seconds[axis])), s->scale);
    }
}

// About the origin, the vertex is first stretched as a whole: that changes with the weights too.
static void derive_phases(pelt_vec3 out[2], const site* s)
{
    pelt_vec3 stretched[2];
    pelti_derive_map(out, s->vertex, s->gradients, &s->mean, s->options);
    pelti_derive_stretch(stretched, s->vertex, s->gradients, s->vertex->position);
    for (int axis = 0; axis < 2; ++axis)
    {
        out[axis] = pelt_vec3_add(out[axis], pelt_quat_rotate(s->mean.rotation, stretched[axis]));
    }
}

void pelti_jacobian_dqs(pelt_vec3 out[2], const pelti_vertex* vertex,
                        const pelti_gradients* gradients, const pelt_deform_input* input,
                        const pelt_deform_options* options)
{
    (void)input;
    site s = site_at(vertex, gradients, options);
    if (s.mean.is_canceled)
    {
        // One joint alone decides, however the weights change.
        pelti_derive_map(out, vertex, gradients, &s.mean, options);
        return;
    }
    if (is_scaled_locally(vertex, options))
    {
        derive_place(out, &s);
    }
    else
    {
        derive_phases(out, &s);
    }
    add_weight_changes(out, &s);
}

void pelt_deform_dqs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    const pelti_method method = {pelti_motion_dqs, pelti_jacobian_dqs, .is_bent_by_stretch = true};
    pelti_deform_each(out, input, options, range, &method);
}
