// SPDX-License-Identifier: MIT
// The loop over vertices, and the transformation of normals and tangents by the map of a vertex. It
// is in a header so that the mover of each method is inlined into a loop of its own: passing a
// matrix through memory takes as long as the rest of lbs.
#ifndef PELTI_DEFORM_EACH_H
#define PELTI_DEFORM_EACH_H

#include "../base/wide.h"
#include "deform_derivative.h"

/// What transforms the directions of a vertex, besides its map.
typedef struct pelti_carrier
{
    float handedness; ///< -1 where joints mirror; a blend that collapses may have that determinant
                      ///< too
    const pelti_vertex* vertex; ///< or NULL where it has no influence
} pelti_carrier;

/// Whether a square, or a product of three, is far enough from overflow and underflow.
PELTI_INLINE bool pelti_is_trusted(float product)
{
    return product > 1e-30f && product < 1e30f;
}

/// At unit length. A singular map may take a direction to zero. The rotation of the strongest joint
/// is used then, so that directions stay unit vectors.
pelt_vec3 pelti_unit_or_rotated(pelt_vec3 moved, pelt_vec3 rest, const pelti_vertex* vertex);

/// The same as below where squares overflow or underflow, and for directions in the kernel of a
/// singular map. By value, so that everywhere else the motion stays in registers.
pelt_vec3 pelti_carry_normal_far(pelti_vertex_map map, pelti_carrier by, pelt_vec3 normal);
pelt_vec3 pelti_carry_vector_far(pelti_vertex_map map, pelti_carrier by, pelt_vec3 vector);

/// Normals are transformed by the cofactor matrix, the inverse transpose up to length, which always
/// exists. It takes the cross product of two vectors to that of their derivatives. Times the
/// handedness, normals of a mirrored surface point outwards too.
PELTI_INLINE pelt_vec3 pelti_carry_normal(const pelti_vertex_map* map, pelti_carrier by,
                                          pelt_vec3 normal)
{
    pelt_vec3 moved;
    if (map->is_rotation)
    {
        moved = pelt_mat3_vector(&map->linear, normal);
    }
    else
    {
        pelt_mat3 cofactor = pelt_mat3_cofactor(&map->linear);
        moved = pelt_mat3_vector(&cofactor, normal);
    }
    float square = pelt_vec3_dot(moved, moved);
    return pelti_is_trusted(square) ? pelt_vec3_scale(moved, by.handedness / sqrtf(square))
                                    : pelti_carry_normal_far(*map, by, normal);
}

PELTI_INLINE pelt_vec4 pelti_carry_tangent(const pelti_vertex_map* map, pelti_carrier by,
                                           pelt_vec4 tangent)
{
    pelt_vec3 rest = pelt_vec3_make(tangent.x, tangent.y, tangent.z);
    pelt_vec3 moved = pelt_mat3_vector(&map->linear, rest);
    float square = pelt_vec3_dot(moved, moved);
    moved = pelti_is_trusted(square) ? pelt_vec3_scale(moved, 1.0f / sqrtf(square))
                                     : pelti_carry_vector_far(*map, by, rest);
    return (pelt_vec4){moved.x, moved.y, moved.z, by.handedness * tangent.w};
}

PELTI_INLINE void pelti_write_moved(const pelt_surface* out, const pelt_deform_input* input,
                                    uint32_t v, const pelti_vertex_map* map, pelti_carrier by)
{
    if (out->positions)
    {
        pelti_set_position(out, v, map->position);
    }
    if (out->normals && input->normals)
    {
        pelti_set_normal(out, v, pelti_carry_normal(map, by, pelti_normal_of(input, v)));
    }
    if (out->tangents && input->tangents)
    {
        pelti_set_tangent(out, v, pelti_carry_tangent(map, by, pelti_tangent_of(input, v)));
    }
}

/// Write a vertex without influences.
void pelti_write_still(const pelt_surface* out, const pelt_deform_input* input, uint32_t v);

/// -1 where the strongest joint of a vertex mirrors.
float pelti_handedness_at(const pelti_vertex* vertex);

/// Whether a vertex has both mirrored and unmirrored joints: these have no mean rotation, and lbs
/// is used.
bool pelti_has_mixed_handedness(const pelti_vertex* vertex);

/// Deform a vertex with both mirrored and unmirrored joints by lbs, with any rule of normals.
void pelti_deform_mixed_handedness(const pelt_surface* out, const pelti_vertex* vertex,
                                   const pelt_deform_input* input,
                                   const pelt_deform_options* options);

void pelti_check_contract(const pelt_surface* out, const pelt_deform_input* input,
                          const pelt_deform_options* options, pelt_range range);

// ---------------------------------------------------------------------------------------------
// Weights that change

/// The map of the surroundings of a vertex before skinning, which does not include its normal.
pelt_mat3 pelti_map_before(const pelt_deform_input* input, uint32_t v);

/// Derivatives along the axes, scaled so that float can hold their products: directions only.
void pelti_scale_derivatives(pelt_vec3 inout[2]);

/// Write the directions of a vertex from the derivatives along the axes. The normal of the plane of
/// the axes maps to the normal of the derivatives, stretched by the mean stretch of the plane, so
/// that authored normals that differ from those of the triangles keep their angles under uniform
/// scale.
PELTI_INLINE void pelti_write_derived(const pelt_surface* out, const pelt_deform_input* input,
                                      const pelti_vertex* vertex, const pelti_gradients* gradients,
                                      pelt_vec3 derivatives[2], float handedness)
{
    pelt_vec3 cross = pelt_vec3_cross(derivatives[0], derivatives[1]);
    float square = pelt_vec3_dot(cross, cross);
    if (!pelti_is_trusted(square))
    {
        pelti_scale_derivatives(derivatives);
        cross = pelt_vec3_cross(derivatives[0], derivatives[1]);
    }
    float stretch = sqrtf(pelt_vec3_length(cross));
    const pelt_vec3* axes = gradients->rest_axes;
    if (out->normals)
    {
        // By the cofactors of the map, times its stretch along the normal.
        pelt_vec3 n = pelti_normal_of(input, vertex->index);
        pelt_vec3 tangential = pelt_vec3_scale(derivatives[0], pelt_vec3_dot(n, axes[1]));
        tangential = pelt_vec3_mad(tangential, -pelt_vec3_dot(n, axes[0]), derivatives[1]);
        float along = handedness * stretch * pelt_vec3_dot(n, gradients->normal);
        pelt_vec3 moved = pelt_vec3_mad(pelt_vec3_cross(cross, tangential), along, cross);
        square = pelt_vec3_dot(moved, moved);
        pelti_set_normal(out, vertex->index,
                         pelti_is_trusted(square) ? pelt_vec3_scale(moved, 1.0f / sqrtf(square))
                                                  : pelti_unit_or_rotated(moved, n, vertex));
    }
    if (out->tangents && input->tangents)
    {
        pelt_vec4 tangent = pelti_tangent_of(input, vertex->index);
        pelt_vec3 t = pelt_vec3_make(tangent.x, tangent.y, tangent.z);
        pelt_vec3 moved = pelt_vec3_scale(derivatives[0], pelt_vec3_dot(t, axes[0]));
        moved = pelt_vec3_mad(moved, pelt_vec3_dot(t, axes[1]), derivatives[1]);
        float along = handedness * pelt_vec3_dot(t, gradients->normal);
        moved = pelt_vec3_mad(moved, stretch > 0.0f ? along / stretch : 0.0f, cross);
        moved = pelti_unit_or_rotated(moved, t, vertex);
        pelti_set_tangent(out, vertex->index,
                          (pelt_vec4){moved.x, moved.y, moved.z, handedness * tangent.w});
    }
}

/// Whether weights around a vertex vary and normals are to take that into account.
PELTI_INLINE bool pelti_has_gradients(const pelt_surface* out, const pelti_vertex* vertex,
                                      const pelt_deform_input* input,
                                      const pelt_deform_options* options,
                                      const pelti_method* method)
{
    const pelt_normal_factors* factors = input->normal_factors;
    if (options->normal_rule == PELT_NORMAL_STANDARD || method->jacobian == NULL ||
        factors == NULL || input->normals == NULL || (!out->normals && !out->tangents))
    {
        return false;
    }
    bool is_bent = method->is_bent_by_stretch && vertex->count > 1 && !input->palette->is_rigid &&
                   options->scale_pivot == PELT_SCALE_LOCAL;
    return factors->first[vertex->index] < factors->first[vertex->index + 1] || is_bent;
}

/// Deform a vertex by any rule of normals, after any displacements, with any correction.
PELTI_INLINE void pelti_deform_any(const pelt_surface* out, const pelti_vertex* vertex,
                                   const pelt_deform_input* input,
                                   const pelt_deform_options* options, const pelti_method* method)
{
    pelti_vertex_map map;
    method->move(&map, vertex, input, options);
    float handedness = vertex->palette->is_rigid ? 1.0f : pelti_handedness_at(vertex);
    bool is_displaced = input->displacements != NULL;
    bool has_gradients = pelti_has_gradients(out, vertex, input, options, method);
    pelt_mat3 before;
    pelti_gradients gradients;
    if (is_displaced)
    {
        before = pelti_map_before(input, vertex->index);
        map.linear = pelt_mat3_mul(&map.linear, &before);
        map.is_rotation = false;
    }
    if (has_gradients)
    {
        pelti_gradients_at(&gradients, vertex, input, is_displaced ? &before : NULL);
    }
    if (has_gradients && options->normal_rule == PELT_NORMAL_PAPER)
    {
        map.linear = pelti_jacobian_paper(vertex, &map, &gradients, options);
        map.is_rotation = false;
    }
    float strength = input->bones != NULL ? options->distance_correction : 0.0f;
    bool is_accurate = has_gradients && options->normal_rule == PELT_NORMAL_ACCURATE;
    pelti_correction correction = {.is_moved = false};
    if (strength > 0.0f)
    {
        correction = pelti_correction_at(map.position, vertex, input->bones);
        map.position = pelti_corrected(&correction, strength);
    }
    if (correction.is_moved && !is_accurate)
    {
        pelti_correct_map(&map, &correction, strength, is_displaced ? &before : NULL);
    }
    if (is_accurate)
    {
        pelt_vec3 derivatives[2];
        method->jacobian(derivatives, vertex, &gradients, input, options);
        for (int k = 0; k < 2 && correction.is_moved; ++k)
        {
            derivatives[k] = pelti_correct_along(&correction, strength, derivatives[k],
                                                 gradients.axes[k], &gradients, k);
        }
        pelti_write_derived(out, input, vertex, &gradients, derivatives, handedness);
        if (out->positions)
        {
            pelti_set_position(out, vertex->index, map.position);
        }
        return;
    }
    pelti_write_moved(out, input, vertex->index, &map, (pelti_carrier){handedness, vertex});
}

// ---------------------------------------------------------------------------------------------

/// Apply a method to each vertex in range.
/// @param move    method->move, where the compiler can put it into the loop
/// @param method  a constant whose jacobian the compiler can put into the loop
PELTI_INLINE void pelti_deform_each(const pelt_surface* out, const pelt_deform_input* input,
                                    const pelt_deform_options* options, pelt_range range,
                                    pelti_mover move, const pelti_method* method)
{
    pelti_check_contract(out, input, options, range);
    PELT_ASSERT(method->is_linear || input->palette->motions != NULL);
    const pelt_weights* weights = input->weights;
    bool is_standard = options->normal_rule == PELT_NORMAL_STANDARD && !input->displacements &&
                       !(options->distance_correction > 0.0f);
    for (uint32_t v = range.first; v < range.first + range.count; ++v)
    {
        pelti_vertex vertex = {.index = v,
                               .position = pelti_position_of(input, v),
                               .influences = weights->influences + weights->first[v],
                               .count = weights->first[v + 1] - weights->first[v],
                               .palette = input->palette};
        if (vertex.count == 0)
        {
            pelti_write_still(out, input, v);
        }
        else if (vertex.palette->has_mixed_handedness && pelti_has_mixed_handedness(&vertex))
        {
            pelti_deform_mixed_handedness(out, &vertex, input, options);
        }
        else if (!is_standard)
        {
            pelti_deform_any(out, &vertex, input, options, method);
        }
        else
        {
            pelti_vertex_map map;
            move(&map, &vertex, input, options);
            float handedness = vertex.palette->is_rigid ? 1.0f : pelti_handedness_at(&vertex);
            pelti_write_moved(out, input, v, &map, (pelti_carrier){handedness, &vertex});
        }
    }
}

#endif
