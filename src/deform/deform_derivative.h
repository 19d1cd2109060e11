// SPDX-License-Identifier: MIT
// Derivatives of skinning methods, as weights change along the surface. A method goes once over the
// joints around a vertex and adds up what it needs; the derivatives along the two axes follow from
// the sums. The formulas are in docs/normals.md.
#ifndef PELTI_DEFORM_DERIVATIVE_H
#define PELTI_DEFORM_DERIVATIVE_H

#include "../base/four.h"
#include "../base/wide.h"
#include "../normals/plane_axes.h"
#include "deform_vertex.h"

/// The gradients at a vertex. Where a morph target has rotated the normal, the axes are rotated
/// along.
/// @param before  the map of the vertex's surroundings by input->displacements; NULL: none
PELTI_INLINE void pelti_gradients_at(pelti_gradients* out, const pelti_vertex* vertex,
                                     const pelt_deform_input* input, const pelt_mat3* before)
{
    const pelt_normal_factors* from = input->normal_factors;
    uint32_t v = vertex->index, count = from->first[v + 1] - from->first[v];
    pelt_vec3 n = pelti_normalize_drift(pelti_normal_of(input, v)), axes[2];
    out->count = count > 0 ? count : vertex->count;
    out->factors = count > 0 ? from->factors + from->first[v] : NULL;
    out->influences = vertex->influences;
    pelti_plane_axes_about(axes, &out->normal, from->tangents[v], n, from->plane_normals[v]);
    for (int axis = 0; axis < 2; ++axis)
    {
        out->rest_axes[axis] = axes[axis];
        out->axes[axis] = before != NULL ? pelt_mat3_vector(before, axes[axis]) : axes[axis];
    }
}

/// One joint of the vertex. Where weights are constant these are its influences.
/// @param storage  for a factor that is not stored
static inline const pelt_normal_factor*
pelti_factor_at(pelt_normal_factor* storage, const pelti_gradients* gradients, uint32_t i)
{
    if (gradients->factors != NULL)
    {
        return &gradients->factors[i];
    }
    float weight = gradients->influences[i].weight;
    *storage = (pelt_normal_factor){.joint = gradients->influences[i].joint,
                                    .weight = weight,
                                    .moments = {{weight, 0.0f}, {0.0f, weight}}};
    return storage;
}

// ---------------------------------------------------------------------------------------------
// Points that matrices move

/// Derivatives of sum T_j (w_j X) along both axes, for a point X in homogeneous coordinates.
/// Products of a row and a vector are summed last.
typedef struct pelti_derivatives
{
    pelti_four rows[2][3]; ///< [axis][row]
} pelti_derivatives;

/// @param first  derivatives of weight times point, and of the weight, along the first axis
static inline void pelti_derivatives_add(pelti_derivatives* inout, const pelt_mat34* matrix,
                                         pelti_four first, pelti_four second)
{
    for (int row = 0; row < 3; ++row)
    {
        pelti_four numbers = pelti_four_load(matrix->m[row]);
        inout->rows[0][row] += numbers * first;
        inout->rows[1][row] += numbers * second;
    }
}

static inline pelt_vec3 pelti_derivative_along(const pelti_derivatives* derivatives, int axis)
{
    const pelti_four* rows = derivatives->rows[axis];
    return pelt_vec3_make(pelti_four_sum(rows[0]), pelti_four_sum(rows[1]),
                          pelti_four_sum(rows[2]));
}

// ---------------------------------------------------------------------------------------------
// Means of rotations

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

/// PELT_SIGN_RUNNING depends on the step.
float pelti_running_sign(const pelti_vertex* vertex, uint32_t joint);

/// The sign of the quaternion of a joint in the blend at the vertex, for any weight.
static inline float pelti_sign_at(const pelti_vertex* vertex, const pelti_signs* signs,
                                  uint32_t joint)
{
    if (signs->is_plain || signs->rule == PELT_SIGN_RUNNING)
    {
        return signs->is_plain ? 1.0f : pelti_running_sign(vertex, joint);
    }
    return pelt_quat_dot(signs->lead, vertex->palette->motions[joint].real) < 0.0f ? -1.0f : 1.0f;
}

/// Sums of quaternions over the joints around a vertex.
typedef struct pelti_sums
{
    pelti_four mean;          ///< by weights
    pelti_four changes[2];    ///< by gradients of weights along both axes
    pelti_four moments[2][2]; ///< by moments, [axis][part]
} pelti_sums;

static inline void pelti_sums_add(pelti_sums* inout, const pelt_normal_factor* factor, pelti_four q)
{
    inout->mean += factor->weight * q;
    inout->changes[0] += factor->alpha * q;
    inout->changes[1] += factor->beta * q;
    inout->moments[0][0] += factor->moments[0][0] * q;
    inout->moments[0][1] += factor->moments[0][1] * q;
    inout->moments[1][0] += factor->moments[1][0] * q;
    inout->moments[1][1] += factor->moments[1][1] * q;
}

/// Sums of stretches over the joints around a vertex.
typedef struct pelti_stretches
{
    pelt_mat3 mean;       ///< by weights
    pelt_vec3 moments[2]; ///< of the derivatives of weight times position
} pelti_stretches;

void pelti_sum_stretches(pelti_stretches* out, const pelti_vertex* vertex,
                         const pelti_gradients* gradients);

/// NULL where joints are rigid.
static inline const pelti_stretches* pelti_stretches_at(pelti_stretches* storage,
                                                        const pelti_vertex* vertex,
                                                        const pelti_gradients* gradients)
{
    if (vertex->palette->is_rigid)
    {
        return NULL;
    }
    pelti_sum_stretches(storage, vertex, gradients);
    return storage;
}

/// The derivatives of a constant vector along both axes, due to the change of the mean stretch.
void pelti_derive_stretch(pelt_vec3 out[2], const pelti_vertex* vertex,
                          const pelti_gradients* gradients, pelt_vec3 offset);

/// The weighted means of joints around a vertex.
typedef struct pelti_mean
{
    pelti_four back[4]; ///< columns of the matrix that multiplies by 2 s* / |s|^2 from the left,
                        ///< with s the sum of quaternions in the signs of the blend
    bool is_canceled;   ///< s is zero, and so is the matrix: one joint decides
    pelt_quat rotation; ///< the direction of s, or that joint's
    const pelti_stretches* stretches; ///< NULL where joints are rigid
} pelti_mean;

static inline pelti_mean pelti_mean_make(const pelti_vertex* vertex, pelti_four sum,
                                         const pelti_stretches* stretches)
{
    pelt_quat s = pelti_four_quat(sum);
    bool is_canceled = pelti_is_canceled(s);
    pelt_quat b = pelt_quat_scale(s, is_canceled ? 0.0f : 2.0f / pelt_quat_dot(s, s));
    return (pelti_mean){
        .back = {{b.w, -b.z, b.y, b.x},
                 {b.z, b.w, -b.x, b.y},
                 {-b.y, b.x, b.w, b.z},
                 {-b.x, -b.y, -b.z, b.w}},
        .is_canceled = is_canceled,
        .rotation = is_canceled ? vertex->palette->motions[vertex->influences[0].joint].real
                                : pelt_quat_normalize(s),
        .stretches = stretches,
    };
}

static inline pelt_vec3 pelti_stretch_vector(const pelti_stretches* stretches, pelt_vec3 v)
{
    return stretches != NULL ? pelt_mat3_vector(&stretches->mean, v) : v;
}

/// The angular derivative of the mean rotation when its sum changes, before the mean rotation is
/// applied; the fourth number is twice the relative growth of the sum.
static inline pelti_four pelti_angular_velocity(const pelti_mean* mean, pelti_four change)
{
    // With the sum s and its change ds, the unit quaternion q changes by (ds - q (q . ds)) / |s|.
    // The vector part does not contain the component of ds along q.
    return (mean->back[0] * change[0] + mean->back[1] * change[1]) +
           (mean->back[2] * change[2] + mean->back[3] * change[3]);
}

/// The derivative of mean stretch, then mean rotation about the vertex, both of which vary. Results
/// are vectors before the mean rotation.
PELTI_INLINE void pelti_derive_map(pelt_vec3 out[2], const pelti_gradients* gradients,
                                   const pelti_mean* mean, const pelti_sums* sums)
{
    // By mean weights, the rotations cancel: moments may include their mean. Moments themselves sum
    // to the identity.
    const pelti_stretches* stretches = mean->stretches;
    pelt_vec3 offsets[2] = {pelti_stretch_vector(stretches, gradients->axes[0]),
                            pelti_stretch_vector(stretches, gradients->axes[1])};
    for (int axis = 0; axis < 2; ++axis)
    {
        out[axis] = stretches != NULL ? stretches->moments[axis] : gradients->axes[axis];
        for (int part = 0; part < 2; ++part)
        {
            pelt_vec3 angular =
                pelti_four_vector(pelti_angular_velocity(mean, sums->moments[axis][part]));
            out[axis] = pelt_vec3_add(out[axis], pelt_vec3_cross(angular, offsets[part]));
        }
    }
}

/// Tarini et al. 2014, Eq. 13: the vertex's own map plus one term for each joint with a gradient.
/// Exact for LBS; section 4.5 uses it for DQS as well. The limit of section 4.4 is
/// options->normal_clamp.
pelt_mat3 pelti_jacobian_paper(const pelti_vertex* vertex, const pelti_vertex_map* map,
                               const pelti_gradients* gradients,
                               const pelt_deform_options* options);

#endif
