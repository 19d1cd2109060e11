// SPDX-License-Identifier: MIT
// What the skinning methods share. A method is a function that finds the motion of one vertex.
#ifndef PELTI_DEFORM_VERTEX_H
#define PELTI_DEFORM_VERTEX_H

#include "../../include/pelt/prepare.h"

/// The position of a vertex and the linear map of its neighborhood, which transforms normals.
typedef struct pelti_vertex_map
{
    pelt_mat3 linear;
    pelt_vec3 position;
    bool is_rotation; ///< `linear` is a rotation up to rounding
} pelti_vertex_map;

/// One vertex with its influences; count is at least 1.
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
    uint32_t count;                    ///< of joints around it
    const pelt_normal_factor* factors; ///< count; NULL: weights are constant
    const pelt_influence* influences;  ///< of the vertex
} pelti_gradients;

typedef void (*pelti_mover)(pelti_vertex_map* out, const pelti_vertex* vertex,
                            const pelt_deform_input* input, const pelt_deform_options* options);

/// The derivative of a method at a vertex: what its mover's `position` does along both axes, as
/// vertex and weights change over the surface.
typedef void (*pelti_jacobian)(pelt_vec3 out[2], const pelti_vertex* vertex,
                               const pelti_gradients* gradients, const pelt_deform_input* input,
                               const pelt_deform_options* options);

typedef struct pelti_method
{
    pelti_mover move;
    pelti_jacobian jacobian; ///< NULL: not known
    bool is_linear;          ///< needs the matrices of a palette alone
    bool is_bent_by_stretch; ///< several joints that stretch about the vertex bend the derivative
                             ///< away from the mover's `linear` even where weights are constant
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

/// Carry each vertex in range along with a matrix: a mesh without a skin.
void pelti_deform_rigid(const pelt_surface* out, const pelt_deform_input* input,
                        const pelt_mat34* matrix, pelt_range range);

/// How a vertex is pushed back to its distance from the bones at rest, see
/// pelt_deform_options.distance_correction.
typedef struct pelti_correction
{
    const pelti_vertex* vertex;
    const pelt_bones* bones;
    pelt_vec3 position;  ///< before
    float nearest, rest; ///< least distances now and at rest, each divided by the influence
    pelt_vec3 sum;       ///< of the directions away from the bones
    float total;         ///< of their parts in it
    bool is_moved;       ///< false: it has not moved away
} pelti_correction;

pelti_correction pelti_correction_at(pelt_vec3 position, const pelti_vertex* vertex,
                                     const pelt_bones* bones);

/// The corrected position.
pelt_vec3 pelti_corrected(const pelti_correction* in, float strength);

/// The derivative of the corrected position along a direction.
/// @param moved      that of the position before
/// @param rest       the direction at rest
/// @param gradients  of the weights, along `axis`; NULL: they are constant
pelt_vec3 pelti_correct_along(const pelti_correction* in, float strength, pelt_vec3 moved,
                              pelt_vec3 rest, const pelti_gradients* gradients, int axis);

/// The linear map of a corrected vertex, as if weights were constant.
/// @param before  the map of its surroundings before skinning; NULL: none
void pelti_correct_map(pelti_vertex_map* inout, const pelti_correction* correction, float strength,
                       const pelt_mat3* before);

void pelti_map_lbs(pelti_vertex_map* out, const pelti_vertex* vertex,
                   const pelt_deform_input* input, const pelt_deform_options* options);
void pelti_map_dqs(pelti_vertex_map* out, const pelti_vertex* vertex,
                   const pelt_deform_input* input, const pelt_deform_options* options);

void pelti_jacobian_lbs(pelt_vec3 out[2], const pelti_vertex* vertex,
                        const pelti_gradients* gradients, const pelt_deform_input* input,
                        const pelt_deform_options* options);
void pelti_jacobian_dqs(pelt_vec3 out[2], const pelti_vertex* vertex,
                        const pelti_gradients* gradients, const pelt_deform_input* input,
                        const pelt_deform_options* options);

// ---------------------------------------------------------------------------------------------
// Rigid motions

/// Whether joints stretch about the vertex.
static inline bool pelti_is_scaled_locally(const pelti_vertex* vertex,
                                           const pelt_deform_options* options)
{
    return !vertex->palette->is_rigid && options->scale_pivot == PELT_SCALE_LOCAL;
}

/// The rigid motion of a joint as used for one vertex. With the vertex as the pivot of scale, a
/// joint is replaced by the rigid motion with the same rotation that moves the vertex to the same
/// position, so that the result moves with the model. These motions are relative to the vertex as
/// origin, which does not change a blend but keeps its digits when a joint shrinks much.
static inline pelt_dquat pelti_motion_at(const pelti_vertex* vertex,
                                         const pelt_deform_options* options, uint32_t joint)
{
    const pelt_palette* palette = vertex->palette;
    if (!pelti_is_scaled_locally(vertex, options))
    {
        return palette->motions[joint];
    }
    return pelt_dquat_make(palette->motions[joint].real,
                           pelt_mat34_point(&palette->matrices[joint], vertex->position));
}

/// The vertex after the first phase, in the space that these motions start from.
static inline pelt_vec3 pelti_stretched_position(const pelti_vertex* vertex,
                                                 const pelt_deform_options* options,
                                                 const pelt_mat3* stretch)
{
    return pelti_is_scaled_locally(vertex, options) ? pelt_vec3_make(0.0f, 0.0f, 0.0f)
                                                    : pelt_mat3_vector(stretch, vertex->position);
}

/// Their mean as unit dual quaternions.
pelt_dquat pelti_blend_motion(const pelti_vertex* vertex, const pelt_deform_options* options);

// ---------------------------------------------------------------------------------------------
// Blends

/// The weighted mean of the joint stretches: the first of the two phases.
pelt_mat3 pelti_blend_stretch(const pelti_vertex* vertex);

/// The influence of a step, 0 to count - 1, in the source's own order.
const pelt_influence* pelti_influence_by_slot(const pelti_vertex* vertex, uint32_t step);

/// Which influence a sign rule visits at a step, 0 to count - 1.
static inline const pelt_influence* pelti_influence_at(const pelti_vertex* vertex,
                                                       pelt_sign_rule rule, uint32_t step)
{
    bool is_packed_order = rule == PELT_SIGN_HEAVIEST || rule == PELT_SIGN_HIERARCHY;
    return is_packed_order ? &vertex->influences[step] : pelti_influence_by_slot(vertex, step);
}

/// +1 or -1: which of q and -q a sign rule chooses. The first step gets +1 for any pivot.
/// @param sum   of the quaternions so far, signed and weighted
/// @param lead  quaternion of the rule's first influence
static inline float pelti_sign_of(pelt_sign_rule rule, pelt_quat q, pelt_quat lead, pelt_quat sum)
{
    if (rule == PELT_SIGN_HIERARCHY)
    {
        return 1.0f;
    }
    pelt_quat pivot = rule == PELT_SIGN_RUNNING ? sum : lead;
    return pelt_quat_dot(pivot, q) < 0.0f ? -1.0f : 1.0f;
}

/// Too short for a direction: quaternions that cancel. The heaviest influence decides then.
static inline bool pelti_is_canceled(pelt_quat sum)
{
    return !(pelt_quat_dot(sum, sum) > 1e-12f);
}

/// Rotate about a center that moves as under linear blend skinning: Le and Hodgins 2016, Eq. 3b,
/// and Kavan and Zara 2005. The stretch goes first, about the same center or about the origin; then
/// the center is stretched too.
void pelti_map_about(pelti_vertex_map* out, const pelti_vertex* vertex, pelt_vec3 center,
                     const pelt_deform_options* options);

#endif
