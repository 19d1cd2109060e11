// SPDX-License-Identifier: MIT
// Skinning with optimized centers of rotation (Le and Hodgins 2016, Algorithm 1): the mean rotation
// about the vertex's own center, which was found beforehand and moves as under linear blending.
#include "../base/exact.h"

#include "deform_derivative.h"
#include "deform_each.h"

PELTI_INLINE void motion_crs(pelti_motion* out, const pelti_vertex* vertex,
                             const pelt_deform_input* input, const pelt_deform_options* options)
{
    pelti_motion_about(out, vertex, input->cors[vertex->index], options);
}

// ---------------------------------------------------------------------------------------------
// The derivative of x = sum w T p + R S (x0 - p), every factor by its own gradient; docs/normals.md
// has it in full.

// How the center moves: with the matrices, or stretched about the origin and then rigidly.
typedef struct center_motion
{
    bool is_local;
    pelt_vec3 start;      // the center, stretched already if that is about the origin
    pelt_mat3 linear;     // of the mean motion
    pelt_vec3 changes[2]; // as weights change
} center_motion;

static pelt_mat34 matrix_of(const center_motion* m, const pelt_palette* palette, uint32_t joint)
{
    if (m->is_local)
    {
        return palette->matrices[joint];
    }
    pelt_mat3 rotation = pelt_mat3_from_quat(palette->motions[joint].real);
    return pelt_mat34_make(&rotation, pelt_dquat_translation(palette->motions[joint]));
}

static void add_joints(center_motion* center, pelti_sums* sums, const pelti_vertex* vertex,
                       const pelti_gradients* gradients, const pelt_deform_options* options)
{
    pelti_signs signs = pelti_signs_at(vertex, options->sign_rule, PELT_DQS_ANTIPODAL);
    pelt_mat34 strongest = matrix_of(center, vertex->palette, vertex->influences[0].joint);
    pelt_vec3 origin = pelt_mat34_point(&strongest, center->start);
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor factor = pelti_factor_at(gradients, i);
        pelt_mat34 matrix = matrix_of(center, vertex->palette, factor.joint);
        pelt_mat3 linear = pelt_mat34_linear(&matrix);
        // Gradients sum to zero, so any origin serves; one nearby keeps digits.
        pelt_vec3 away = pelt_vec3_sub(pelt_mat34_point(&matrix, center->start), origin);
        center->linear = pelt_mat3_mad(&center->linear, factor.weight, &linear);
        center->changes[0] = pelt_vec3_mad(center->changes[0], factor.alpha, away);
        center->changes[1] = pelt_vec3_mad(center->changes[1], factor.beta, away);
        pelti_sums_add(sums, vertex, gradients, &factor,
                       pelti_signed_rotation(vertex, &signs, factor.joint));
    }
}

// What the center does because it moves over the rest pose, and is stretched about the origin.
static void add_drift(center_motion* inout, const pelti_vertex* vertex,
                      const pelti_gradients* gradients, const pelti_mean* mean)
{
    pelt_vec3 stretched[2] = {0};
    if (!inout->is_local)
    {
        pelti_derive_stretch(stretched, vertex, gradients, gradients->center);
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        pelt_vec3 gradient =
            inout->is_local ? gradients->center_derivatives[axis]
                            : pelt_mat3_vector(&mean->stretch, gradients->center_derivatives[axis]);
        pelt_vec3 drift =
            pelt_mat3_vector(&inout->linear, pelt_vec3_add(gradient, stretched[axis]));
        inout->changes[axis] = pelt_vec3_add(inout->changes[axis], drift);
    }
}

static void jacobian_crs(pelt_vec3 out[2], const pelti_vertex* vertex,
                         const pelti_gradients* gradients, const pelt_deform_input* input,
                         const pelt_deform_options* options)
{
    (void)input;
    pelti_mean mean;
    pelti_sums sums = {0};
    pelt_mat3 stretch = pelti_mean_stretch(vertex, gradients);
    bool is_local = vertex->palette->is_rigid || options->scale_pivot == PELT_SCALE_LOCAL;
    center_motion center = {.is_local = is_local,
                            .start = is_local ? gradients->center
                                              : pelt_mat3_vector(&stretch, gradients->center)};
    add_joints(&center, &sums, vertex, gradients, options);
    pelti_mean_make(&mean, vertex, &sums, &stretch);
    add_drift(&center, vertex, gradients, &mean);

    pelt_vec3 arm = pelt_vec3_sub(vertex->position, gradients->center), stretched[2];
    pelt_vec3 moved_arm = pelt_quat_rotate(mean.rotation, pelt_mat3_vector(&mean.stretch, arm));
    pelti_derive_map(out, gradients, &mean, &sums);
    pelti_derive_stretch(stretched, vertex, gradients, arm);
    for (int axis = 0; axis < 2; ++axis)
    {
        // The arm loses where the center gains.
        pelt_vec3 lost = pelt_mat3_vector(&mean.stretch, gradients->center_derivatives[axis]);
        pelt_vec3 along = pelt_quat_rotate(mean.rotation, pelt_vec3_sub(stretched[axis], lost));
        pelt_vec3 turn = pelti_turn_of(&mean, sums.changes[axis]);
        out[axis] = pelt_vec3_add(out[axis], pelt_vec3_add(center.changes[axis], along));
        out[axis] = pelt_vec3_add(out[axis], pelt_vec3_cross(turn, moved_arm));
    }
}

void pelt_deform_crs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    PELT_ASSERT(input->cors != NULL);
    const pelti_method method = {.move = motion_crs, .jacobian = jacobian_crs};
    pelti_deform_each(out, input, options, range, motion_crs, &method);
}
