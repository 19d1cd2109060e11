// SPDX-License-Identifier: MIT
// What the skinning methods share. A method is a function that finds the motion of one vertex.
#ifndef PELTI_DEFORM_VERTEX_H
#define PELTI_DEFORM_VERTEX_H

#include "../../include/pelt/prepare.h"

/// Where a vertex goes, and the linear map of its surroundings, which carries normals.
typedef struct pelti_motion
{
    pelt_mat3 linear;
    pelt_vec3 position;
} pelti_motion;

/// One vertex with everything that pulls on it; count is at least 1.
typedef struct pelti_vertex
{
    uint32_t index;
    pelt_vec3 position;
    const pelt_influence* influences;
    uint32_t count;
    const pelt_palette* palette;
} pelti_vertex;

/// How weights change around a vertex, along two axes in the plane of its triangles.
typedef struct pelti_gradients
{
    pelt_vec3 rest_axes[2];            ///< unit, perpendicular
    pelt_vec3 axes[2];                 ///< the same where displacements have moved them
    pelt_vec3 normal;                  ///< of the plane, at rest
    pelt_vec3 center;                  ///< of rotation
    pelt_vec3 center_derivatives[2];   ///< of that center along both axes
    uint32_t count;                    ///< of joints, see pelti_factor_at()
    const pelt_normal_factor* factors; ///< count; NULL: weights are constant
    const pelt_influence* influences;  ///< of the vertex
} pelti_gradients;

typedef pelti_motion (*pelti_mover)(const pelti_vertex* vertex, const pelt_deform_input* input,
                                    const pelt_deform_options* options);

/// The derivative of a method at a vertex: what its mover's `position` does along both axes, as
/// vertex and weights change over the surface.
typedef void (*pelti_jacobian)(pelt_vec3 out[2], const pelti_vertex* vertex,
                               const pelti_gradients* gradients, const pelt_deform_input* input,
                               const pelt_deform_options* options);

typedef struct pelti_method
{
    pelti_mover move;
    pelti_jacobian jacobian; ///< NULL: not known
    bool is_bent_by_stretch; ///< joints that stretch about the vertex bend the derivative away from
                             ///< the mover's `linear` even where weights are constant
} pelti_method;

/// Attributes of a vertex.
static inline pelt_vec3 pelti_position_of(const pelt_deform_input* input, uint32_t v)
{
    return *pelt_vec3_at(input->positions, input->position_stride, v);
}

static inline pelt_vec3 pelti_normal_of(const pelt_deform_input* input, uint32_t v)
{
    return *pelt_vec3_at(input->normals, input->normal_stride, v);
}

static inline pelt_vec4 pelti_tangent_of(const pelt_deform_input* input, uint32_t v)
{
    return *pelt_vec4_at(input->tangents, input->tangent_stride, v);
}

/// Write them.
static inline void pelti_set_position(const pelt_surface* out, uint32_t v, pelt_vec3 value)
{
    *(pelt_vec3*)pelt_vec3_at(out->positions, out->position_stride, v) = value;
}

static inline void pelti_set_normal(const pelt_surface* out, uint32_t v, pelt_vec3 value)
{
    *(pelt_vec3*)pelt_vec3_at(out->normals, out->normal_stride, v) = value;
}

static inline void pelti_set_tangent(const pelt_surface* out, uint32_t v, pelt_vec4 value)
{
    *(pelt_vec4*)pelt_vec4_at(out->tangents, out->tangent_stride, v) = value;
}

/// Apply a method to each vertex in range.
void pelti_deform_each(const pelt_surface* out, const pelt_deform_input* input,
                       const pelt_deform_options* options, pelt_range range,
                       const pelti_method* method);

/// Carry each vertex in range along with a matrix: a mesh without a skin.
void pelti_deform_rigid(const pelt_surface* out, const pelt_deform_input* input,
                        const pelt_mat34* matrix, pelt_range range);

pelti_motion pelti_motion_lbs(const pelti_vertex* vertex, const pelt_deform_input* input,
                              const pelt_deform_options* options);
/// The rigid motion of a joint as a vertex feels it. With the vertex as the pivot of scale, a joint
/// is replaced by the rigid motion of the same rotation that takes the vertex where the joint takes
/// it, and the result moves along with the model.
pelt_dquat pelti_motion_at(const pelti_vertex* vertex, const pelt_deform_options* options,
                           uint32_t joint);

/// Where the vertex is after the first phase, in the space that such motions move from.
pelt_vec3 pelti_stretched_position(const pelti_vertex* vertex, const pelt_deform_options* options,
                                   const pelt_mat3* stretch);

/// Their mean as unit dual quaternions.
pelt_dquat pelti_blend_motion(const pelti_vertex* vertex, const pelt_deform_options* options);

pelti_motion pelti_motion_dqs(const pelti_vertex* vertex, const pelt_deform_input* input,
                              const pelt_deform_options* options);

void pelti_jacobian_lbs(pelt_vec3 out[2], const pelti_vertex* vertex,
                        const pelti_gradients* gradients, const pelt_deform_input* input,
                        const pelt_deform_options* options);
void pelti_jacobian_dqs(pelt_vec3 out[2], const pelti_vertex* vertex,
                        const pelti_gradients* gradients, const pelt_deform_input* input,
                        const pelt_deform_options* options);

/// Tarini et al. 2014, Eq. 13: the vertex's own map, and joints that pull by their gradients. Exact
/// for LBS; section 4.5 takes it for DQS as well. The limit of section 4.4 is
/// options->normal_clamp.
pelt_mat3 pelti_jacobian_paper(const pelti_vertex* vertex, const pelti_motion* motion,
                               const pelti_gradients* gradients,
                               const pelt_deform_options* options);

// ---------------------------------------------------------------------------------------------
// Gradients

/// The gradients at a vertex. Where a shape has turned the normal, the axes are turned along.
/// @param before  the map of the vertex's surroundings by input->displacements
pelti_gradients pelti_gradients_at(const pelti_vertex* vertex, const pelt_deform_input* input,
                                   const pelt_mat3* before);

/// One joint around the vertex. Where weights are constant these are its influences.
pelt_normal_factor pelti_factor_at(const pelti_gradients* gradients, uint32_t i);

/// Derivative of the weight of a joint along an axis.
float pelti_gradient_along(const pelt_normal_factor* factor, int axis);

/// Derivative of the weight of a joint times the place, along an axis: a vector in bind space.
pelt_vec3 pelti_moment_along(const pelti_gradients* gradients, const pelt_normal_factor* factor,
                             int axis);

/// The weighted means of joints around a vertex.
typedef struct pelti_mean
{
    pelt_quat sum;      ///< of quaternions, in the signs of the blend
    pelt_quat rotation; ///< its direction
    bool is_canceled;   ///< it has none: rotation is that of the strongest influence
    pelt_mat3 stretch;
} pelti_mean;

pelti_mean pelti_mean_at(const pelti_vertex* vertex, const pelti_gradients* gradients,
                         const pelt_deform_options* options);

/// The quaternion of a joint in the sign with which it enters a blend at the vertex, or would if it
/// had any weight.
pelt_quat pelti_signed_rotation(const pelti_vertex* vertex, const pelt_deform_options* options,
                                uint32_t joint);

/// How fast the mean rotation turns, as a vector, when its sum changes.
pelt_vec3 pelti_turn_of(const pelti_mean* mean, pelt_quat change);

/// The derivative of mean stretch, then mean rotation about the vertex, both of which vary.
void pelti_derive_map(pelt_vec3 out[2], const pelti_vertex* vertex,
                      const pelti_gradients* gradients, const pelti_mean* mean,
                      const pelt_deform_options* options);

/// What becomes of a vector along both axes because the mean stretch varies, before it is turned.
void pelti_derive_stretch(pelt_vec3 out[2], const pelti_vertex* vertex,
                          const pelti_gradients* gradients, pelt_vec3 arm);

/// The weighted mean of the joint stretches: the first of the two phases.
pelt_mat3 pelti_blend_stretch(const pelti_vertex* vertex);

/// Which influence a sign rule visits at a step, 0 to count - 1.
const pelt_influence* pelti_influence_at(const pelti_vertex* vertex, pelt_sign_rule rule,
                                         uint32_t step);

/// +1 or -1: which of q and -q a sign rule wants. The first step gets +1 whatever the pivot.
/// @param sum   of the quaternions so far, signed and weighted
/// @param lead  quaternion of the rule's first influence
float pelti_sign_of(pelt_sign_rule rule, pelt_quat q, pelt_quat lead, pelt_quat sum);

/// Turn about a center that moves as under linear blend skinning: Le and Hodgins 2016, Eq. 3b,
/// and Kavan and Zara 2005. The stretch goes first, about the same center or about the origin; then
/// the center is stretched too.
pelti_motion pelti_motion_about(const pelti_vertex* vertex, pelt_vec3 center,
                                const pelt_deform_options* options);

/// Too short to tell a direction: quaternions that cancel. The heaviest influence decides then.
bool pelti_is_canceled(pelt_quat sum);

#endif
