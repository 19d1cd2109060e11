// SPDX-License-Identifier: MIT
// What the skinning methods share. A method is a function that finds the motion of one vertex.
#ifndef PELTI_DEFORM_VERTEX_H
#define PELTI_DEFORM_VERTEX_H

#include "../include/pelt/pelt.h"

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

/// How fast weights change around a vertex, along two directions across its normal. The rates of
/// all joints sum to zero.
typedef struct pelti_rates
{
    pelt_vec3 axes[2];    ///< unit, perpendicular
    pelt_vec3 centers[2]; ///< rates of the centre of rotation
    const pelt_normal_factor* factors;
    uint32_t count;
} pelti_rates;

typedef pelti_motion (*pelti_mover)(const pelti_vertex* vertex, const pelt_deform_input* input,
                                    const pelt_deform_options* options);

/// The derivative of a method at a vertex: what its mover's `position` does as vertex and weights
/// change along the surface.
typedef pelt_mat3 (*pelti_jacobian)(const pelti_vertex* vertex, const pelti_motion* motion,
                                    const pelti_rates* rates, const pelt_deform_input* input,
                                    const pelt_deform_options* options);

typedef struct pelti_method
{
    pelti_mover move;
    pelti_jacobian jacobian; ///< NULL: not known
} pelti_method;

/// Apply a method to each vertex in range.
void pelti_deform_each(const pelt_surface* out, const pelt_deform_input* input,
                       const pelt_deform_options* options, pelt_range range,
                       const pelti_method* method);

/// Carry each vertex in range along with a matrix: a mesh without a skin.
void pelti_deform_rigid(const pelt_surface* out, const pelt_deform_input* input,
                        const pelt_mat34* matrix, pelt_range range);

pelti_motion pelti_motion_lbs(const pelti_vertex* vertex, const pelt_deform_input* input,
                              const pelt_deform_options* options);
pelti_motion pelti_motion_dqs(const pelti_vertex* vertex, const pelt_deform_input* input,
                              const pelt_deform_options* options);

pelt_mat3 pelti_jacobian_lbs(const pelti_vertex* vertex, const pelti_motion* motion,
                             const pelti_rates* rates, const pelt_deform_input* input,
                             const pelt_deform_options* options);
pelt_mat3 pelti_jacobian_dqs(const pelti_vertex* vertex, const pelti_motion* motion,
                             const pelti_rates* rates, const pelt_deform_input* input,
                             const pelt_deform_options* options);

/// Tarini et al. 2014, Eq. 13: the vertex's own map, and joints that pull by their rates. Exact for
/// LBS; section 4.5 takes it for DQS as well. The limit of section 4.4 is options->normal_clamp.
pelt_mat3 pelti_jacobian_paper(const pelti_vertex* vertex, const pelti_motion* motion,
                               const pelti_rates* rates, const pelt_deform_options* options);

/// The rates at a vertex. Where a shape has turned the normal, the directions are turned along.
pelti_rates pelti_rates_at(const pelt_deform_input* input, uint32_t v);

/// Where the joints take a point, summed by their rates along both axes.
/// @param origin  of the sum: as rates sum to zero it makes no difference, but one nearby keeps
///                digits (Tarini et al. 2014, Eq. 13)
void pelti_rate_point(pelt_vec3 out[2], const pelti_vertex* vertex, const pelti_rates* rates,
                      pelt_vec3 point, pelt_vec3 origin);

/// base, and what changes along the axes on top of it.
pelt_mat3 pelti_add_changes(const pelt_mat3* base, const pelti_rates* rates,
                            const pelt_vec3 changes[2]);

/// Where the influences of a vertex take a point together: linear blend skinning of that point.
pelt_vec3 pelti_blend_point(const pelti_vertex* vertex, pelt_vec3 point);

/// The same with the rigid motions of the joints alone.
pelt_vec3 pelti_blend_rigid(const pelti_vertex* vertex, pelt_vec3 point);

/// The weighted mean of the joint stretches: the first of the two phases.
pelt_mat3 pelti_blend_stretch(const pelti_vertex* vertex);

/// Which influence a sign rule visits at a step, 0 to count - 1.
const pelt_influence* pelti_influence_at(const pelti_vertex* vertex, pelt_sign_rule rule,
                                         uint32_t step);

/// +1 or -1: which of q and -q a sign rule wants. The first step gets +1 whatever the pivot.
/// @param sum   of the quaternions so far, signed and weighted
/// @param lead  quaternion of the rule's first influence
float pelti_sign_of(pelt_sign_rule rule, pelt_quat q, pelt_quat lead, pelt_quat sum);

/// The weighted mean of the joint rotations as a unit quaternion (QLERP).
pelt_quat pelti_blend_rotation(const pelti_vertex* vertex, pelt_sign_rule rule);

/// The sum of which that is the direction.
pelt_quat pelti_sum_rotations(const pelti_vertex* vertex, pelt_sign_rule rule);

/// The sign with which a joint enters that sum, or would if it had any weight.
/// @param sum  only looked at for joints without weight
float pelti_sign_in_sum(const pelti_vertex* vertex, pelt_sign_rule rule, uint32_t joint,
                        pelt_quat sum);

/// Turn about a centre that moves as under linear blend skinning: Le and Hodgins 2016, Eq. 3b,
/// and Kavan and Zara 2005. The stretch goes first, about the same centre or about the origin; then
/// the centre is stretched too.
pelti_motion pelti_motion_about(const pelti_vertex* vertex, pelt_vec3 center,
                                const pelt_deform_options* options);

/// Too short to tell a direction: quaternions that cancel. The heaviest influence decides then.
bool pelti_is_cancelled(pelt_quat sum);

#endif
