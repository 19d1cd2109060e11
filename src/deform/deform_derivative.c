// SPDX-License-Identifier: MIT
// What derivatives of skinning methods share: weights that change along the surface. The formulas
// are in docs/normals.md.
#include "../base/exact.h"

#include "../normals/tilt.h"
#include "deform_vertex.h"

pelti_gradients pelti_gradients_at(const pelti_vertex* vertex, const pelt_deform_input* input,
                                   const pelt_mat3* before)
{
    const pelt_normal_factors* from = input->normal_factors;
    uint32_t v = vertex->index, count = from->first[v + 1] - from->first[v];
    pelt_vec3 n = pelt_vec3_normalize(pelti_normal_of(input, v)), t = from->tangents[v];
    pelti_gradients out = {.count = count > 0 ? count : vertex->count,
                           .factors = count > 0 ? from->factors + from->first[v] : NULL,
                           .influences = vertex->influences};
    t = pelt_vec3_normalize(pelt_vec3_mad(t, -pelt_vec3_dot(t, n), n));
    pelti_tilt_axes(out.rest_axes, &out.normal, t, n, from->tilts[v]);
    out.axes[0] = pelt_mat3_vector(before, out.rest_axes[0]);
    out.axes[1] = pelt_mat3_vector(before, out.rest_axes[1]);
    if (from->centers != NULL)
    {
        out.center = from->centers[v];
        out.center_derivatives[0] = from->center_derivatives[2 * v];
        out.center_derivatives[1] = from->center_derivatives[2 * v + 1];
    }
    else if (input->cors != NULL)
    {
        out.center = input->cors[v];
    }
    return out;
}

pelt_normal_factor pelti_factor_at(const pelti_gradients* gradients, uint32_t i)
{
    if (gradients->factors != NULL)
    {
        return gradients->factors[i];
    }
    float weight = gradients->influences[i].weight;
    return (pelt_normal_factor){.joint = gradients->influences[i].joint,
                                .weight = weight,
                                .moments = {{weight, 0.0f}, {0.0f, weight}}};
}

float pelti_gradient_along(const pelt_normal_factor* factor, int axis)
{
    return axis == 0 ? factor->alpha : factor->beta;
}

pelt_vec3 pelti_moment_along(const pelti_gradients* gradients, const pelt_normal_factor* factor,
                             int axis)
{
    const float* moments = factor->moments[axis];
    return pelt_vec3_mad(pelt_vec3_scale(gradients->axes[0], moments[0]), moments[1],
                         gradients->axes[1]);
}

// ---------------------------------------------------------------------------------------------

// The sign with which a joint enters the blend of the vertex's influences.
static float sign_in_blend(const pelti_vertex* vertex, pelt_sign_rule rule, uint32_t joint)
{
    const pelt_dquat* motions = vertex->palette->motions;
    pelt_quat lead = motions[pelti_influence_at(vertex, rule, 0)->joint].real;
    pelt_quat so_far = {0};

    // Only the running sum looks different from one step to the next: walk up to the joint.
    for (uint32_t step = 0; rule == PELT_SIGN_RUNNING && step < vertex->count; ++step)
    {
        const pelt_influence* inf = pelti_influence_at(vertex, rule, step);
        pelt_quat q = motions[inf->joint].real;
        float side = pelti_sign_of(rule, q, lead, so_far);
        if (inf->joint == joint)
        {
            return side;
        }
        so_far = pelt_quat_add(so_far, pelt_quat_scale(q, side * inf->weight));
    }
    return pelti_sign_of(rule, motions[joint].real, lead, so_far);
}

pelt_quat pelti_signed_rotation(const pelti_vertex* vertex, const pelt_deform_options* options,
                                uint32_t joint)
{
    pelt_quat q = vertex->palette->motions[joint].real;
    return options->dqs_variant == PELT_DQS_ANTIPODAL
               ? pelt_quat_scale(q, sign_in_blend(vertex, options->sign_rule, joint))
               : q;
}

pelti_mean pelti_mean_at(const pelti_vertex* vertex, const pelti_gradients* gradients,
                         const pelt_deform_options* options)
{
    pelti_mean out = {0};
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(gradients, i);
        pelt_quat q = pelti_signed_rotation(vertex, options, factor.joint);
        out.sum = pelt_quat_add(out.sum, pelt_quat_scale(q, factor.weight));
        out.stretch =
            pelt_mat3_mad(&out.stretch, factor.weight, &vertex->palette->stretches[factor.joint]);
    }
    out.stretch = vertex->palette->is_rigid ? pelt_mat3_identity() : out.stretch;
    out.is_canceled = pelti_is_canceled(out.sum);
    out.rotation = out.is_canceled ? vertex->palette->motions[vertex->influences[0].joint].real
                                   : pelt_quat_normalize(out.sum);
    return out;
}

pelt_vec3 pelti_turn_of(const pelti_mean* mean, pelt_quat change)
{
    if (mean->is_canceled)
    {
        return pelt_vec3_make(0.0f, 0.0f, 0.0f); // one joint alone decides
    }
    // With the sum s and its change ds, the unit quaternion q changes by (ds - q (q . ds)) / |s|.
    // The part of ds along q falls out of the vector part by itself.
    pelt_quat product = pelt_quat_mul(change, pelt_quat_conjugate(mean->sum));
    return pelt_vec3_scale(pelt_vec3_make(product.x, product.y, product.z),
                           2.0f / pelt_quat_dot(mean->sum, mean->sum));
}

void pelti_derive_map(pelt_vec3 out[2], const pelti_vertex* vertex,
                      const pelti_gradients* gradients, const pelti_mean* mean,
                      const pelt_deform_options* options)
{
    pelt_vec3 stretched[2] = {0}, turned[2] = {0};
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(gradients, i);
        pelt_quat q = pelti_signed_rotation(vertex, options, factor.joint);
        pelt_vec3 turn = pelti_turn_of(mean, q);
        for (int axis = 0; axis < 2; ++axis)
        {
            // All turns together, by mean weights, are none: so it makes no difference that the
            // moment is not taken without its mean.
            pelt_vec3 moment = pelti_moment_along(gradients, &factor, axis);
            pelt_vec3 arm =
                pelt_quat_rotate(mean->rotation, pelt_mat3_vector(&mean->stretch, moment));
            pelt_vec3 own = pelt_mat3_vector(&vertex->palette->stretches[factor.joint], moment);
            stretched[axis] = pelt_vec3_add(stretched[axis], own);
            turned[axis] = pelt_vec3_add(turned[axis], pelt_vec3_cross(turn, arm));
        }
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        out[axis] = pelt_vec3_add(pelt_quat_rotate(mean->rotation, stretched[axis]), turned[axis]);
    }
}

void pelti_derive_stretch(pelt_vec3 out[2], const pelti_vertex* vertex,
                          const pelti_gradients* gradients, pelt_vec3 arm)
{
    out[0] = out[1] = pelt_vec3_make(0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; !vertex->palette->is_rigid && i < gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(gradients, i);
        pelt_vec3 stretched = pelt_mat3_vector(&vertex->palette->stretches[factor.joint], arm);
        out[0] = pelt_vec3_mad(out[0], factor.alpha, stretched);
        out[1] = pelt_vec3_mad(out[1], factor.beta, stretched);
    }
}

// ---------------------------------------------------------------------------------------------

// base, and what changes along the axes on top of it.
static pelt_mat3 add_changes(const pelt_mat3* base, const pelti_gradients* gradients,
                             const pelt_vec3 changes[2])
{
    pelt_mat3 out = *base;
    for (int axis = 0; axis < 2; ++axis)
    {
        pelt_mat3 change = pelt_mat3_outer(changes[axis], gradients->rest_axes[axis]);
        out = pelt_mat3_mad(&out, 1.0f, &change);
    }
    return out;
}

pelt_mat3 pelti_jacobian_paper(const pelti_vertex* vertex, const pelti_motion* motion,
                               const pelti_gradients* gradients, const pelt_deform_options* options)
{
    float limit = options->normal_clamp == 0.0f ? 0.9f : options->normal_clamp;
    pelt_mat3 strongest =
        pelt_mat34_linear(&vertex->palette->matrices[vertex->influences[0].joint]);
    pelt_vec3 changes[2] = {0};
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(gradients, i);
        pelt_vec3 target =
            pelt_mat34_point(&vertex->palette->matrices[factor.joint], vertex->position);
        pelt_vec3 away = pelt_vec3_sub(target, motion->position);
        changes[0] = pelt_vec3_mad(changes[0], factor.alpha, away);
        changes[1] = pelt_vec3_mad(changes[1], factor.beta, away);
    }
    for (int axis = 0; axis < 2 && limit > 0.0f; ++axis)
    {
        // Relative to what the strongest joint makes of the vector. The paper takes that for one,
        // but characters in other units than their poses have scale in every joint.
        float whole = pelt_vec3_length(pelt_mat3_vector(&strongest, gradients->axes[axis]));
        float length = pelt_vec3_length(changes[axis]), most = limit * whole;
        changes[axis] = pelt_vec3_scale(changes[axis], length > most ? most / length : 1.0f);
    }
    return add_changes(&motion->linear, gradients, changes);
}
