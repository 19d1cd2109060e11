// SPDX-License-Identifier: MIT
// What derivatives of skinning methods share.
#include "../base/exact.h"

#include "deform_derivative.h"

#include "../normals/tilt.h"

// pelt_vec3_normalize() for what nearly always is a unit vector already, but for rounding.
static pelt_vec3 unit_of(pelt_vec3 a)
{
    return fabsf(pelt_vec3_dot(a, a) - 1.0f) < 1e-6f ? a : pelt_vec3_normalize(a);
}

void pelti_gradients_at(pelti_gradients* out, const pelti_vertex* vertex,
                        const pelt_deform_input* input, const pelt_mat3* before)
{
    const pelt_normal_factors* from = input->normal_factors;
    uint32_t v = vertex->index, count = from->first[v + 1] - from->first[v];
    pelt_vec3 n = unit_of(pelti_normal_of(input, v)), t = from->tangents[v];
    out->count = count > 0 ? count : vertex->count;
    out->factors = count > 0 ? from->factors + from->first[v] : NULL;
    out->influences = vertex->influences;
    t = unit_of(pelt_vec3_mad(t, -pelt_vec3_dot(t, n), n));
    pelti_tilt_axes(out->rest_axes, &out->normal, t, n, from->tilts[v]);
    for (int axis = 0; axis < 2; ++axis)
    {
        out->axes[axis] =
            before != NULL ? pelt_mat3_vector(before, out->rest_axes[axis]) : out->rest_axes[axis];
    }

    const pelt_vec3 zero = {0.0f, 0.0f, 0.0f};
    bool has_centers = from->centers != NULL;
    out->center = has_centers ? from->centers[v] : input->cors != NULL ? input->cors[v] : zero;
    out->center_derivatives[0] = has_centers ? from->center_derivatives[2 * v] : zero;
    out->center_derivatives[1] = has_centers ? from->center_derivatives[2 * v + 1] : zero;
}

// ---------------------------------------------------------------------------------------------

pelt_quat pelti_running_rotation(const pelti_vertex* vertex, uint32_t joint)
{
    const pelt_dquat* motions = vertex->palette->motions;
    pelt_quat so_far = {0}, own = motions[joint].real;
    // A joint of the vertex by the sum before its own step, any other by the whole.
    for (uint32_t step = 0; step < vertex->count; ++step)
    {
        const pelt_influence* inf = pelti_influence_at(vertex, PELT_SIGN_RUNNING, step);
        pelt_quat q = motions[inf->joint].real;
        float side = pelti_sign_of(PELT_SIGN_RUNNING, q, q, so_far);
        if (inf->joint == joint)
        {
            return pelt_quat_scale(q, side);
        }
        so_far = pelti_quat_mad(so_far, side * inf->weight, q);
    }
    return pelt_quat_scale(own, pelti_sign_of(PELT_SIGN_RUNNING, own, own, so_far));
}

pelt_mat3 pelti_mean_stretch(const pelti_vertex* vertex, const pelti_gradients* gradients)
{
    if (vertex->palette->is_rigid)
    {
        return pelt_mat3_identity();
    }
    pelt_mat3 sum = {0};
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(gradients, i);
        sum = pelt_mat3_mad(&sum, factor.weight, &vertex->palette->stretches[factor.joint]);
    }
    return sum;
}

void pelti_mean_make(pelti_mean* out, const pelti_vertex* vertex, const pelti_sums* sums,
                     const pelt_mat3* stretch)
{
    out->sum = sums->mean;
    out->is_canceled = pelti_is_canceled(sums->mean);
    out->rotation = out->is_canceled ? vertex->palette->motions[vertex->influences[0].joint].real
                                     : pelt_quat_normalize(sums->mean);
    out->stretch = *stretch;
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

void pelti_derive_map(pelt_vec3 out[2], const pelti_gradients* gradients, const pelti_mean* mean,
                      const pelti_sums* sums)
{
    // All turns together, by mean weights, are none: so it makes no difference that moments are not
    // taken without their mean.
    pelt_vec3 arms[2];
    for (int part = 0; part < 2; ++part)
    {
        pelt_vec3 stretched = pelt_mat3_vector(&mean->stretch, gradients->axes[part]);
        arms[part] = pelt_quat_rotate(mean->rotation, stretched);
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        out[axis] = pelt_quat_rotate(mean->rotation, sums->stretched[axis]);
        for (int part = 0; part < 2; ++part)
        {
            pelt_vec3 turn = pelti_turn_of(mean, sums->moments[axis][part]);
            out[axis] = pelt_vec3_add(out[axis], pelt_vec3_cross(turn, arms[part]));
        }
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
