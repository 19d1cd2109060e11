// SPDX-License-Identifier: MIT
// The loop over vertices, and what the map of a vertex does to its directions. It is in a header so
// that every method gets a loop of its own with its mover inside: to hand a matrix over through
// memory takes as long as all the rest of lbs.
#ifndef PELTI_DEFORM_EACH_H
#define PELTI_DEFORM_EACH_H

#include "../base/wide.h"
#include "deform_vertex.h"

/// What carries the directions of a vertex, beside its motion.
typedef struct pelti_carrier
{
    float side; ///< -1 where joints mirror, which a blend that collapses may look like too
    const pelti_vertex* vertex; ///< or NULL where no joint pulls
} pelti_carrier;

/// Whether a square, or a product of three, is far enough from both ends of float to be trusted.
PELTI_INLINE bool pelti_is_trusted(float product)
{
    return product > 1e-30f && product < 1e30f;
}

/// The same as below where squares cannot be trusted, and for directions that a map which flattens
/// space takes to nothing. By value, so that everywhere else the motion stays in registers.
pelt_vec3 pelti_carry_normal_far(pelti_motion motion, pelti_carrier by, pelt_vec3 normal);
pelt_vec3 pelti_carry_vector_far(pelti_motion motion, pelti_carrier by, pelt_vec3 vector);

/// Normals go with the inverse transpose, up to length: the cofactor matrix, which exists always.
/// It takes the cross product of two vectors to that of their images. The side makes normals point
/// outwards from a mirrored surface too.
PELTI_INLINE pelt_vec3 pelti_carry_normal(const pelti_motion* motion, pelti_carrier by,
                                          pelt_vec3 normal)
{
    pelt_vec3 moved;
    if (motion->is_rotation)
    {
        moved = pelt_mat3_vector(&motion->linear, normal);
    }
    else
    {
        pelt_mat3 cofactor = pelt_mat3_cofactor(&motion->linear);
        moved = pelt_mat3_vector(&cofactor, normal);
    }
    float square = pelt_vec3_dot(moved, moved);
    return pelti_is_trusted(square) ? pelt_vec3_scale(moved, by.side / sqrtf(square))
                                    : pelti_carry_normal_far(*motion, by, normal);
}

PELTI_INLINE pelt_vec4 pelti_carry_tangent(const pelti_motion* motion, pelti_carrier by,
                                           pelt_vec4 tangent)
{
    pelt_vec3 rest = pelt_vec3_make(tangent.x, tangent.y, tangent.z);
    pelt_vec3 moved = pelt_mat3_vector(&motion->linear, rest);
    float square = pelt_vec3_dot(moved, moved);
    moved = pelti_is_trusted(square) ? pelt_vec3_scale(moved, 1.0f / sqrtf(square))
                                     : pelti_carry_vector_far(*motion, by, rest);
    return (pelt_vec4){moved.x, moved.y, moved.z, by.side * tangent.w};
}

PELTI_INLINE void pelti_write_moved(const pelt_surface* out, const pelt_deform_input* input,
                                    uint32_t v, const pelti_motion* motion, pelti_carrier by)
{
    if (out->positions)
    {
        pelti_set_position(out, v, motion->position);
    }
    if (out->normals && input->normals)
    {
        pelti_set_normal(out, v, pelti_carry_normal(motion, by, pelti_normal_of(input, v)));
    }
    if (out->tangents && input->tangents)
    {
        pelti_set_tangent(out, v, pelti_carry_tangent(motion, by, pelti_tangent_of(input, v)));
    }
}

/// Write a vertex that nothing pulls on.
void pelti_write_still(const pelt_surface* out, const pelt_deform_input* input, uint32_t v);

/// -1 where the strongest joint of a vertex mirrors.
float pelti_side_at(const pelti_vertex* vertex);

/// Whether the vertex has a mirror and a joint that is none: there is no mean rotation of these,
/// and lbs deforms it.
bool pelti_is_mixed(const pelti_vertex* vertex);

/// Deform a vertex by any rule of normals, after any displacements, with any correction.
void pelti_deform_any(const pelt_surface* out, const pelti_vertex* vertex,
                      const pelt_deform_input* input, const pelt_deform_options* options,
                      const pelti_method* method);

void pelti_check_contract(const pelt_surface* out, const pelt_deform_input* input,
                          const pelt_deform_options* options, pelt_range range);

/// Apply a method to each vertex in range.
/// @param move  method->move, known to the compiler
PELTI_INLINE void pelti_deform_each(const pelt_surface* out, const pelt_deform_input* input,
                                    const pelt_deform_options* options, pelt_range range,
                                    pelti_mover move, const pelti_method* method)
{
    pelti_check_contract(out, input, options, range);
    PELT_ASSERT(method->is_linear || input->palette->motions != NULL);
    const pelt_weights* weights = input->weights;
    const pelti_method lbs = {.move = pelti_motion_lbs, .jacobian = pelti_jacobian_lbs};
    bool is_standard = options->normal_rule == PELT_NORMAL_STANDARD && !input->displacements &&
                       !(options->distance_correction > 0.0f);
    for (uint32_t v = range.first; v < range.first + range.count; ++v)
    {
        pelti_vertex vertex = {.index = v,
                               .position = pelti_position_of(input, v),
                               .influences = weights->influences + weights->first[v],
                               .count = weights->first[v + 1] - weights->first[v],
                               .palette = input->palette};
        bool is_mixed = vertex.count > 0 && vertex.palette->is_mixed && pelti_is_mixed(&vertex);
        if (vertex.count == 0)
        {
            pelti_write_still(out, input, v);
        }
        else if (is_mixed || !is_standard)
        {
            pelti_deform_any(out, &vertex, input, options, is_mixed ? &lbs : method);
        }
        else
        {
            pelti_motion motion;
            move(&motion, &vertex, input, options);
            float side = vertex.palette->is_rigid ? 1.0f : pelti_side_at(&vertex);
            pelti_write_moved(out, input, v, &motion, (pelti_carrier){side, &vertex});
        }
    }
}

#endif
