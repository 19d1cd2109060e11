// SPDX-License-Identifier: MIT
// What derivatives of skinning methods share.
#include "../base/exact.h"

#include "deform_derivative.h"

float pelti_running_sign(const pelti_vertex* vertex, uint32_t joint)
{
    const pelt_dquat* motions = vertex->palette->motions;
    pelt_quat so_far = {0}, own = motions[joint].real;
    // A joint of the vertex by the sum before its own step, any other by the whole.
    for (uint32_t step = 0; step < vertex->count; ++step)
    {
        const pelt_influence* inf = pelti_influence_at(vertex, PELT_SIGN_RUNNING, step);
        pelt_quat q = motions[inf->joint].real;
        float sign = pelti_sign_of(PELT_SIGN_RUNNING, q, q, so_far);
        if (inf->joint == joint)
        {
            return sign;
        }
        so_far = pelt_quat_add(so_far, pelt_quat_scale(q, sign * inf->weight));
    }
    return pelti_sign_of(PELT_SIGN_RUNNING, own, own, so_far);
}

void pelti_sum_stretches(pelti_stretches* out, const pelti_vertex* vertex,
                         const pelti_gradients* gradients)
{
    *out = (pelti_stretches){0};
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor storage;
        const pelt_normal_factor* factor = pelti_factor_at(&storage, gradients, i);
        const pelt_mat3* stretch = &vertex->palette->stretches[factor->joint];
        out->mean = pelt_mat3_mad(&out->mean, factor->weight, stretch);
        for (int axis = 0; axis < 2; ++axis)
        {
            const float* parts = factor->moments[axis];
            pelt_vec3 moment = pelt_vec3_mad(pelt_vec3_scale(gradients->axes[0], parts[0]),
                                             parts[1], gradients->axes[1]);
            out->moments[axis] =
                pelt_vec3_add(out->moments[axis], pelt_mat3_vector(stretch, moment));
        }
    }
}

void pelti_derive_stretch(pelt_vec3 out[2], const pelti_vertex* vertex,
                          const pelti_gradients* gradients, pelt_vec3 offset)
{
    out[0] = out[1] = pelt_vec3_make(0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor storage;
        const pelt_normal_factor* factor = pelti_factor_at(&storage, gradients, i);
        pelt_vec3 stretched = pelt_mat3_vector(&vertex->palette->stretches[factor->joint], offset);
        out[0] = pelt_vec3_mad(out[0], factor->alpha, stretched);
        out[1] = pelt_vec3_mad(out[1], factor->beta, stretched);
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

pelt_mat3 pelti_jacobian_paper(const pelti_vertex* vertex, const pelti_vertex_map* map,
                               const pelti_gradients* gradients, const pelt_deform_options* options)
{
    float limit = options->normal_clamp == 0.0f ? 0.9f : options->normal_clamp;
    pelt_mat3 strongest =
        pelt_mat34_linear(&vertex->palette->matrices[vertex->influences[0].joint]);
    pelt_vec3 changes[2] = {0};
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor storage;
        const pelt_normal_factor* factor = pelti_factor_at(&storage, gradients, i);
        pelt_vec3 target =
            pelt_mat34_point(&vertex->palette->matrices[factor->joint], vertex->position);
        pelt_vec3 away = pelt_vec3_sub(target, map->position);
        changes[0] = pelt_vec3_mad(changes[0], factor->alpha, away);
        changes[1] = pelt_vec3_mad(changes[1], factor->beta, away);
    }
    for (int axis = 0; axis < 2 && limit > 0.0f; ++axis)
    {
        // Relative to what the strongest joint makes of the vector. The paper takes that for one,
        // but characters in other units than their poses have scale in every joint.
        float whole = pelt_vec3_length(pelt_mat3_vector(&strongest, gradients->axes[axis]));
        float length = pelt_vec3_length(changes[axis]), most = limit * whole;
        changes[axis] = pelt_vec3_scale(changes[axis], length > most ? most / length : 1.0f);
    }
    return add_changes(&map->linear, gradients, changes);
}
