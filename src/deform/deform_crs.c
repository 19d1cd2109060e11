// SPDX-License-Identifier: MIT
// Skinning with optimized centers of rotation (Le and Hodgins 2016, Algorithm 1): the mean rotation
// about the vertex's own center, which was found beforehand and moves as under linear blending.
#include "../base/exact.h"

#include "deform_derivative.h"
#include "deform_each.h"

PELTI_INLINE void map_crs(pelti_vertex_map* out, const pelti_vertex* vertex,
                          const pelt_deform_input* input, const pelt_deform_options* options)
{
    pelti_map_about(out, vertex, input->cors[vertex->index], options);
}

// ---------------------------------------------------------------------------------------------
// The derivative of x = sum w T p + R S (x0 - p), every factor by its own gradient; docs/normals.md
// has it in full.

// The center of rotation at a vertex, and its derivatives along both axes.
typedef struct moving_center
{
    pelt_vec3 position;
    pelt_vec3 derivatives[2];
} moving_center;

static moving_center center_at(const pelt_deform_input* input, uint32_t v)
{
    const pelt_normal_factors* from = input->normal_factors;
    if (from->centers == NULL)
    {
        return (moving_center){.position = input->cors[v]};
    }
    return (moving_center){
        .position = from->centers[v],
        .derivatives = {from->center_derivatives[2 * v], from->center_derivatives[2 * v + 1]},
    };
}

// The same after a stretch about the origin by a mean that varies.
static moving_center stretched_center(const moving_center* rest, const pelti_vertex* vertex,
                                      const pelti_gradients* gradients,
                                      const pelti_stretches* stretches)
{
    moving_center out = {.position = pelti_stretch_vector(stretches, rest->position)};
    pelti_derive_stretch(out.derivatives, vertex, gradients, rest->position);
    for (int axis = 0; axis < 2; ++axis)
    {
        out.derivatives[axis] = pelt_vec3_add(
            out.derivatives[axis], pelti_stretch_vector(stretches, rest->derivatives[axis]));
    }
    return out;
}

// The motion of the center: the matrix of a joint, or its rigid motion if the center has been
// stretched about the origin already.
static inline const pelt_mat34* matrix_of(pelt_mat34* storage, const pelt_palette* palette,
                                          bool is_local, uint32_t joint)
{
    if (is_local)
    {
        return &palette->matrices[joint];
    }
    pelt_mat3 rotation = pelt_mat3_from_quat(palette->motions[joint].real);
    *storage = pelt_mat34_make(&rotation, pelt_dquat_translation(palette->motions[joint]));
    return storage;
}

// The mean position of the center under the joints of the vertex, as the center and the weights
// change.
PELTI_INLINE pelti_derivatives move_center(const moving_center* center, bool is_local,
                                           const pelti_vertex* vertex,
                                           const pelti_gradients* gradients)
{
    pelti_derivatives center_derivatives = {0};
    const pelti_four position = pelti_four_of(center->position, 1.0f);
    const pelti_four first = pelti_four_of(center->derivatives[0], 0.0f);
    const pelti_four second = pelti_four_of(center->derivatives[1], 0.0f);
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor factor_storage;
        pelt_mat34 matrix_storage;
        const pelt_normal_factor* factor = pelti_factor_at(&factor_storage, gradients, i);
        pelti_derivatives_add(&center_derivatives,
                              matrix_of(&matrix_storage, vertex->palette, is_local, factor->joint),
                              factor->weight * first + factor->alpha * position,
                              factor->weight * second + factor->beta * position);
    }
    return center_derivatives;
}

PELTI_INLINE void jacobian_crs(pelt_vec3 out[2], const pelti_vertex* vertex,
                               const pelti_gradients* gradients, const pelt_deform_input* input,
                               const pelt_deform_options* options)
{
    bool is_local = vertex->palette->is_rigid || options->scale_pivot == PELT_SCALE_LOCAL;
    pelti_stretches stretch_storage;
    const pelti_stretches* stretches = pelti_stretches_at(&stretch_storage, vertex, gradients);
    const moving_center center = center_at(input, vertex->index);
    const moving_center start =
        is_local ? center : stretched_center(&center, vertex, gradients, stretches);
    pelti_derivatives center_derivatives = move_center(&start, is_local, vertex, gradients);
    pelti_sums sums = {0};
    pelti_signs signs = pelti_signs_at(vertex, options->sign_rule, PELT_DQS_ANTIPODAL);
    for (uint32_t i = 0; i < gradients->count; ++i)
    {
        pelt_normal_factor storage;
        const pelt_normal_factor* factor = pelti_factor_at(&storage, gradients, i);
        pelti_four q = pelti_four_load(&vertex->palette->motions[factor->joint].real);
        pelti_sums_add(&sums, factor, q * pelti_sign_at(vertex, &signs, factor->joint));
    }

    pelti_mean mean = pelti_mean_make(vertex, sums.mean, stretches);
    pelt_vec3 offset = pelt_vec3_sub(vertex->position, center.position), moved[2];
    pelt_vec3 stretched_offset = pelti_stretch_vector(stretches, offset), stretched[2] = {0};
    pelti_derive_map(moved, gradients, &mean, &sums);
    if (stretches != NULL)
    {
        pelti_derive_stretch(stretched, vertex, gradients, offset);
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        // The derivative of the offset is that of the vertex minus that of the center.
        pelt_vec3 lost = pelti_stretch_vector(stretches, center.derivatives[axis]);
        pelt_vec3 angular = pelti_four_vector(pelti_angular_velocity(&mean, sums.changes[axis]));
        pelt_vec3 change = pelt_vec3_add(pelt_vec3_sub(stretched[axis], lost),
                                         pelt_vec3_cross(angular, stretched_offset));
        change = pelt_quat_rotate(mean.rotation, pelt_vec3_add(moved[axis], change));
        out[axis] = pelt_vec3_add(pelti_derivative_along(&center_derivatives, axis), change);
    }
}

void pelt_deform_crs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    PELT_ASSERT(input->cors != NULL);
    const pelti_method method = {.move = map_crs, .jacobian = jacobian_crs};
    pelti_deform_each(out, input, options, range, map_crs, &method);
}
