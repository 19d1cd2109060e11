// SPDX-License-Identifier: MIT
// What derivatives of skinning methods share: weights that change along the surface.
#include "deform_vertex.h"

pelti_rates pelti_rates_at(const pelt_deform_input* input, uint32_t v)
{
    const pelt_normal_factors* from = input->normal_factors;
    pelt_vec3 n = pelt_vec3_normalize(input->normals[v]), t = from->tangents[v];
    pelt_vec3 u = pelt_vec3_normalize(pelt_vec3_mad(t, -pelt_vec3_dot(t, n), n));
    pelti_rates out = {.axes = {u, pelt_vec3_cross(n, u)},
                       .factors = from->factors + from->first[v],
                       .count = from->first[v + 1] - from->first[v]};
    for (uint32_t axis = 0; from->center_rates != NULL && axis < 2; ++axis)
    {
        out.centers[axis] = from->center_rates[2 * v + axis];
    }
    return out;
}

void pelti_rate_point(pelt_vec3 out[2], const pelti_vertex* vertex, const pelti_rates* rates,
                      pelt_vec3 point, pelt_vec3 origin)
{
    out[0] = out[1] = pelt_vec3_make(0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < rates->count; ++i)
    {
        const pelt_normal_factor* factor = &rates->factors[i];
        pelt_vec3 target = pelt_mat34_point(&vertex->palette->matrices[factor->joint], point);
        pelt_vec3 away = pelt_vec3_sub(target, origin);
        out[0] = pelt_vec3_mad(out[0], factor->alpha, away);
        out[1] = pelt_vec3_mad(out[1], factor->beta, away);
    }
}

pelt_mat3 pelti_add_changes(const pelt_mat3* base, const pelti_rates* rates,
                            const pelt_vec3 changes[2])
{
    pelt_mat3 out = *base;
    for (int axis = 0; axis < 2; ++axis)
    {
        const float along[3] = {rates->axes[axis].x, rates->axes[axis].y, rates->axes[axis].z};
        const float change[3] = {changes[axis].x, changes[axis].y, changes[axis].z};
        for (int i = 0; i < 9; ++i)
        {
            out.m[i / 3][i % 3] += change[i / 3] * along[i % 3];
        }
    }
    return out;
}

pelt_mat3 pelti_jacobian_paper(const pelti_vertex* vertex, const pelti_motion* motion,
                               const pelti_rates* rates, const pelt_deform_options* options)
{
    float limit = options->normal_clamp == 0.0f ? 0.9f : options->normal_clamp;
    pelt_mat3 strongest =
        pelt_mat34_linear(&vertex->palette->matrices[vertex->influences[0].joint]);
    pelt_vec3 changes[2];
    pelti_rate_point(changes, vertex, rates, vertex->position, motion->position);
    for (int axis = 0; axis < 2 && limit > 0.0f; ++axis)
    {
        // Relative to what the strongest joint makes of the vector. The paper takes that for one,
        // but characters in other units than their poses have scale in every joint.
        float whole = pelt_vec3_length(pelt_mat3_vector(&strongest, rates->axes[axis]));
        float length = pelt_vec3_length(changes[axis]), most = limit * whole;
        changes[axis] = pelt_vec3_scale(changes[axis], length > most ? most / length : 1.0f);
    }
    return pelti_add_changes(&motion->linear, rates, changes);
}

float pelti_sign_in_sum(const pelti_vertex* vertex, pelt_sign_rule rule, uint32_t joint,
                        pelt_quat sum)
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
    return pelti_sign_of(rule, motions[joint].real, lead, sum);
}

pelt_quat pelti_sum_rotations(const pelti_vertex* vertex, pelt_sign_rule rule)
{
    pelt_quat sum = {0};
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* inf = &vertex->influences[i];
        float side = pelti_sign_in_sum(vertex, rule, inf->joint, sum);
        pelt_quat q = vertex->palette->motions[inf->joint].real;
        sum = pelt_quat_add(sum, pelt_quat_scale(q, side * inf->weight));
    }
    return sum;
}
