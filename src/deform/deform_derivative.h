// SPDX-License-Identifier: MIT
// Derivatives of skinning methods, as weights change along the surface. A method goes once over the
// joints around a vertex and adds up what it needs; the images of the two axes follow from the
// sums. The formulas are in docs/normals.md.
#ifndef PELTI_DEFORM_DERIVATIVE_H
#define PELTI_DEFORM_DERIVATIVE_H

#include "deform_vertex.h"

/// The gradients at a vertex. Where a shape has turned the normal, the axes are turned along.
/// @param before  the map of the vertex's surroundings by input->displacements; NULL: none
void pelti_gradients_at(pelti_gradients* out, const pelti_vertex* vertex,
                        const pelt_deform_input* input, const pelt_mat3* before);

/// One joint around the vertex. Where weights are constant these are its influences.
static inline pelt_normal_factor pelti_factor_at(const pelti_gradients* gradients, uint32_t i)
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

/// A vector in bind space, along both axes of the vertex.
static inline pelt_vec3 pelti_along_axes(const pelti_gradients* gradients, const float parts[2])
{
    return pelt_vec3_mad(pelt_vec3_scale(gradients->axes[0], parts[0]), parts[1],
                         gradients->axes[1]);
}

static inline pelt_quat pelti_quat_mad(pelt_quat a, float s, pelt_quat b)
{
    return pelt_quat_add(a, pelt_quat_scale(b, s));
}

/// How quaternions get their signs at a vertex: found once, for all joints around it.
typedef struct pelti_signs
{
    pelt_sign_rule rule;
    bool is_plain; ///< signs are those of the palette
    pelt_quat lead;
} pelti_signs;

static inline pelti_signs pelti_signs_at(const pelti_vertex* vertex, pelt_sign_rule rule,
                                         pelt_dqs_variant variant)
{
    uint32_t joint = pelti_influence_at(vertex, rule, 0)->joint;
    return (pelti_signs){
        .rule = rule,
        .is_plain = variant != PELT_DQS_ANTIPODAL || rule == PELT_SIGN_HIERARCHY,
        .lead = vertex->palette->motions[joint].real,
    };
}

/// PELT_SIGN_RUNNING looks different from one step to the next.
pelt_quat pelti_running_rotation(const pelti_vertex* vertex, uint32_t joint);

/// The quaternion of a joint in the sign with which it enters a blend at the vertex, or would if it
/// had any weight.
static inline pelt_quat pelti_signed_rotation(const pelti_vertex* vertex, const pelti_signs* signs,
                                              uint32_t joint)
{
    pelt_quat q = vertex->palette->motions[joint].real;
    if (signs->is_plain)
    {
        return q;
    }
    return signs->rule == PELT_SIGN_RUNNING
               ? pelti_running_rotation(vertex, joint)
               : pelt_quat_scale(q, pelt_quat_dot(signs->lead, q) < 0.0f ? -1.0f : 1.0f);
}

/// Sums of quaternions and stretches over the joints around a vertex.
typedef struct pelti_sums
{
    pelt_quat mean;          ///< by weights
    pelt_quat changes[2];    ///< by gradients of weights along both axes
    pelt_quat moments[2][2]; ///< by moments, [axis][part]
    pelt_vec3 stretched[2];  ///< where stretches take the moments of both axes
} pelti_sums;

static inline void pelti_sums_add(pelti_sums* inout, const pelti_vertex* vertex,
                                  const pelti_gradients* gradients,
                                  const pelt_normal_factor* factor, pelt_quat q)
{
    inout->mean = pelti_quat_mad(inout->mean, factor->weight, q);
    inout->changes[0] = pelti_quat_mad(inout->changes[0], factor->alpha, q);
    inout->changes[1] = pelti_quat_mad(inout->changes[1], factor->beta, q);
    for (int axis = 0; axis < 2; ++axis)
    {
        const float* parts = factor->moments[axis];
        inout->moments[axis][0] = pelti_quat_mad(inout->moments[axis][0], parts[0], q);
        inout->moments[axis][1] = pelti_quat_mad(inout->moments[axis][1], parts[1], q);
        pelt_vec3 moment = pelti_along_axes(gradients, parts);
        if (!vertex->palette->is_rigid)
        {
            moment = pelt_mat3_vector(&vertex->palette->stretches[factor->joint], moment);
        }
        inout->stretched[axis] = pelt_vec3_add(inout->stretched[axis], moment);
    }
}

/// The weighted means of joints around a vertex.
typedef struct pelti_mean
{
    pelt_quat sum;      ///< of quaternions, in the signs of the blend
    pelt_quat rotation; ///< its direction
    bool is_canceled;   ///< it has none: rotation is that of the strongest influence
    pelt_mat3 stretch;
} pelti_mean;

/// @param stretch  see pelti_mean_stretch()
void pelti_mean_make(pelti_mean* out, const pelti_vertex* vertex, const pelti_sums* sums,
                     const pelt_mat3* stretch);

/// The identity where joints are rigid.
pelt_mat3 pelti_mean_stretch(const pelti_vertex* vertex, const pelti_gradients* gradients);

/// How fast the mean rotation turns, as a vector, when its sum changes.
pelt_vec3 pelti_turn_of(const pelti_mean* mean, pelt_quat change);

/// The derivative of mean stretch, then mean rotation about the vertex, both of which vary.
void pelti_derive_map(pelt_vec3 out[2], const pelti_gradients* gradients, const pelti_mean* mean,
                      const pelti_sums* sums);

/// What becomes of a vector along both axes because the mean stretch varies, before it is turned.
void pelti_derive_stretch(pelt_vec3 out[2], const pelti_vertex* vertex,
                          const pelti_gradients* gradients, pelt_vec3 arm);

/// Tarini et al. 2014, Eq. 13: the vertex's own map, and joints that pull by their gradients. Exact
/// for LBS; section 4.5 takes it for DQS as well. The limit of section 4.4 is
/// options->normal_clamp.
pelt_mat3 pelti_jacobian_paper(const pelti_vertex* vertex, const pelti_motion* motion,
                               const pelti_gradients* gradients,
                               const pelt_deform_options* options);

#endif
