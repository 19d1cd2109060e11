// SPDX-License-Identifier: MIT
// What the skinning methods share: blends of stretches and rotations, derivatives, and the parts of
// the loop over vertices that few vertices need.
#include "../base/exact.h"

#include "deform_derivative.h"
#include "deform_each.h"

#include "../base/four.h"
#include "../base/rescale.h"
#include "../normals/vertex_rings.h"
#include "../pose/palette.h"

pelt_vec3 pelti_unit_or_rotated(pelt_vec3 moved, pelt_vec3 rest, const pelti_vertex* vertex)
{
    bool is_nothing = moved.x == 0.0f && moved.y == 0.0f && moved.z == 0.0f;
    if (!is_nothing || vertex == NULL)
    {
        return is_nothing ? rest : pelt_vec3_normalize(moved);
    }
    const pelt_palette* palette = vertex->palette;
    uint32_t joint = vertex->influences[0].joint;
    if (palette->motions != NULL)
    {
        return pelt_quat_rotate(palette->motions[joint].real, rest);
    }
    pelt_mat3 linear = pelt_mat34_linear(&palette->matrices[joint]), rotation, stretch;
    pelt_mat3_polar(&rotation, &stretch, &linear);
    return pelt_quat_rotate(pelt_quat_from_mat3(&rotation), rest);
}

pelt_vec3 pelti_carry_normal_far(pelti_vertex_map map, pelti_carrier by, pelt_vec3 normal)
{
    pelt_mat3 near = pelti_mat3_rescale(&map.linear), cofactor = pelt_mat3_cofactor(&near);
    pelt_vec3 moved = pelt_vec3_scale(pelt_mat3_vector(&cofactor, normal), by.handedness);
    return pelti_unit_or_rotated(moved, normal, by.vertex);
}

pelt_vec3 pelti_carry_vector_far(pelti_vertex_map map, pelti_carrier by, pelt_vec3 vector)
{
    pelt_mat3 near = pelti_mat3_rescale(&map.linear);
    return pelti_unit_or_rotated(pelt_mat3_vector(&near, vector), vector, by.vertex);
}

static float handedness_of(const pelt_mat3* linear)
{
    float determinant = pelt_mat3_determinant(linear);
    if (!pelti_is_trusted(fabsf(determinant)))
    {
        pelt_mat3 near = pelti_mat3_rescale(linear);
        determinant = pelt_mat3_determinant(&near);
    }
    return determinant < 0.0f ? -1.0f : 1.0f;
}

float pelti_handedness_at(const pelti_vertex* vertex)
{
    pelt_mat3 lead = pelt_mat34_linear(&vertex->palette->matrices[vertex->influences[0].joint]);
    return handedness_of(&lead);
}

pelt_mat3 pelti_map_before(const pelt_deform_input* input, uint32_t v)
{
    return input->displacements != NULL
               ? pelti_stencil_map(input->stencils, input->displacements, v)
               : pelt_mat3_identity();
}

void pelti_write_still(const pelt_surface* out, const pelt_deform_input* input, uint32_t v)
{
    if (input->displacements != NULL)
    {
        pelti_vertex_map map = {.linear = pelti_map_before(input, v),
                                .position = pelti_position_of(input, v)};
        pelti_write_moved(out, input, v, &map, (pelti_carrier){1.0f, NULL});
        return;
    }
    if (out->positions)
    {
        pelti_set_position(out, v, pelti_position_of(input, v));
    }
    if (out->normals && input->normals)
    {
        pelti_set_normal(out, v, pelti_normal_of(input, v));
    }
    if (out->tangents && input->tangents)
    {
        pelti_set_tangent(out, v, pelti_tangent_of(input, v));
    }
}

// ---------------------------------------------------------------------------------------------

void pelti_check_contract(const pelt_surface* out, const pelt_deform_input* input,
                          const pelt_deform_options* options, pelt_range range)
{
    const pelt_weights* weights = input->weights;
    PELT_ASSERT(weights != NULL && input->palette != NULL && input->positions != NULL);
    PELT_ASSERT((input->position_stride | input->normal_stride | input->tangent_stride |
                 out->position_stride | out->normal_stride | out->tangent_stride) %
                    sizeof(float) ==
                0);
    const pelt_normal_factors* factors = input->normal_factors;
    PELT_ASSERT(range.count <= weights->vertex_count);
    PELT_ASSERT(range.first <= weights->vertex_count - range.count);
    PELT_ASSERT(weights->joint_count <= input->palette->joint_count);
    PELT_ASSERT(options->normal_rule < PELT_NORMAL_RULE_COUNT);
    PELT_ASSERT(options->distance_correction >= 0.0f && options->distance_correction <= 1.0f);
    PELT_ASSERT(input->bones == NULL || weights->joint_count <= input->bones->joint_count);
    PELT_ASSERT(factors == NULL || factors->vertex_count == weights->vertex_count);
    PELT_ASSERT(factors == NULL || factors->joint_count <= input->palette->joint_count);
    PELT_ASSERT(
        input->displacements == NULL ||
        (input->stencils != NULL && input->stencils->vertex_count == weights->vertex_count));
}

void pelti_scale_derivatives(pelt_vec3 inout[2])
{
    float scale = pelti_scale_to_one(&inout[0].x, 6);
    inout[0] = pelt_vec3_scale(inout[0], scale);
    inout[1] = pelt_vec3_scale(inout[1], scale);
}

bool pelti_has_mixed_handedness(const pelti_vertex* vertex)
{
    return pelti_palette_mixes_handedness(vertex->palette, vertex->influences, vertex->count);
}

// ---------------------------------------------------------------------------------------------
// Meshes without a skin

static void deform_rigid_each(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_mat34* matrix, pelt_range range)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    for (uint32_t v = range.first; v < range.first + range.count; ++v)
    {
        pelt_mat3 before = pelti_map_before(input, v);
        pelti_vertex_map map = {.linear = pelt_mat3_mul(&linear, &before),
                                .position = pelt_mat34_point(matrix, pelti_position_of(input, v))};
        pelti_write_moved(out, input, v, &map, (pelti_carrier){handedness_of(&linear), NULL});
    }
}

// A matrix with each entry in all lanes.
typedef struct splat_mat3
{
    pelti_four m[3][3];
} splat_mat3;

static splat_mat3 splat(const pelt_mat3* a)
{
    splat_mat3 out;
    for (int i = 0; i < 9; ++i)
    {
        out.m[i / 3][i % 3] = pelti_four_splat(a->m[i / 3][i % 3]);
    }
    return out;
}

PELTI_INLINE pelti_vectors map_vectors(const splat_mat3* m, const pelti_vectors* a)
{
    return (pelti_vectors){m->m[0][0] * a->x + m->m[0][1] * a->y + m->m[0][2] * a->z,
                           m->m[1][0] * a->x + m->m[1][1] * a->y + m->m[1][2] * a->z,
                           m->m[2][0] * a->x + m->m[2][1] * a->y + m->m[2][2] * a->z};
}

// @return false: some of them need the precautions of pelti_carry_normal()
PELTI_INLINE bool carry_directions(pelti_vectors* out, const splat_mat3* m, float length,
                                   const pelti_vectors* a)
{
    pelti_vectors moved = map_vectors(m, a);
    pelti_four square = moved.x * moved.x + moved.y * moved.y + moved.z * moved.z;
    pelti_four scale = length / pelti_four_root(square);
    pelti_four_mask is_trusted = (square > 1e-30f) & (square < 1e30f); // as pelti_is_trusted()
    *out = (pelti_vectors){scale * moved.x, scale * moved.y, scale * moved.z};
    return (is_trusted[0] & is_trusted[1] & is_trusted[2] & is_trusted[3]) != 0;
}

// Bytes between elements, 0 for packed ones, in floats.
static size_t float_stride(size_t stride, size_t packed)
{
    return stride == 0 ? packed : stride / sizeof(float);
}

static void move_positions(const pelt_surface* out, const pelt_deform_input* input,
                           const pelt_mat34* matrix, pelt_range range)
{
    size_t from_stride = float_stride(input->position_stride, 3);
    size_t to_stride = float_stride(out->position_stride, 3);
    const float* from = &input->positions->x + range.first * from_stride;
    float* to = &out->positions->x + range.first * to_stride;
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    splat_mat3 map = splat(&linear);
    pelt_vec3 offset = pelt_mat34_translation(matrix);
    for (uint32_t i = 0; i < range.count; i += 4)
    {
        pelti_vectors rest = pelti_vectors_load(from + i * from_stride, from_stride);
        pelti_vectors moved = map_vectors(&map, &rest);
        moved.x += offset.x;
        moved.y += offset.y;
        moved.z += offset.z;
        pelti_vectors_store(to + i * to_stride, to_stride, &moved);
    }
}

static void carry_normals(const pelt_surface* out, const pelt_deform_input* input,
                          const pelt_mat34* matrix, float handedness, pelt_range range)
{
    size_t from_stride = float_stride(input->normal_stride, 3);
    size_t to_stride = float_stride(out->normal_stride, 3);
    const pelt_surface normals = {.normals = out->normals, .normal_stride = out->normal_stride};
    pelt_mat3 linear = pelt_mat34_linear(matrix), cofactor = pelt_mat3_cofactor(&linear);
    splat_mat3 map = splat(&cofactor);
    for (uint32_t v = range.first; v < range.first + range.count; v += 4)
    {
        pelti_vectors rest = pelti_vectors_load(&input->normals->x + v * from_stride, from_stride),
                      moved;
        if (carry_directions(&moved, &map, handedness, &rest))
        {
            pelti_vectors_store(&out->normals->x + v * to_stride, to_stride, &moved);
        }
        else
        {
            deform_rigid_each(&normals, input, matrix, (pelt_range){v, 4});
        }
    }
}

static void carry_tangents(const pelt_surface* out, const pelt_deform_input* input,
                           const pelt_mat34* matrix, float handedness, pelt_range range)
{
    size_t from_stride = float_stride(input->tangent_stride, 4);
    size_t to_stride = float_stride(out->tangent_stride, 4);
    const pelt_surface tangents = {.tangents = out->tangents,
                                   .tangent_stride = out->tangent_stride};
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    splat_mat3 map = splat(&linear);
    for (uint32_t v = range.first; v < range.first + range.count; v += 4)
    {
        const float* from = &input->tangents->x + v * from_stride;
        float* to = &out->tangents->x + v * to_stride;
        pelti_vectors rest = pelti_vectors_load(from, from_stride), moved;
        if (carry_directions(&moved, &map, 1.0f, &rest))
        {
            pelti_vectors_store(to, to_stride, &moved);
            for (size_t i = 0; i < 4; ++i)
            {
                to[i * to_stride + 3] = handedness * from[i * from_stride + 3];
            }
        }
        else
        {
            deform_rigid_each(&tangents, input, matrix, (pelt_range){v, 4});
        }
    }
}

// The same as one vertex after another, to the bit, but four at a time where nothing displaces
// them.
void pelti_deform_rigid(const pelt_surface* out, const pelt_deform_input* input,
                        const pelt_mat34* matrix, pelt_range range)
{
    uint32_t wide_count = input->displacements == NULL ? range.count - range.count % 4 : 0;
    pelt_range wide = {range.first, wide_count};
    pelt_range rest = {range.first + wide_count, range.count - wide_count};
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    float handedness = handedness_of(&linear);
    if (out->positions != NULL)
    {
        move_positions(out, input, matrix, wide);
    }
    if (out->normals != NULL && input->normals != NULL)
    {
        carry_normals(out, input, matrix, handedness, wide);
    }
    if (out->tangents != NULL && input->tangents != NULL)
    {
        carry_tangents(out, input, matrix, handedness, wide);
    }
    deform_rigid_each(out, input, matrix, rest);
}

// ---------------------------------------------------------------------------------------------
// Blends

// The weighted mean of the positions to which the joints of a vertex move a point: linear blend
// skinning of that point.
static pelt_vec3 blend_point(const pelti_vertex* vertex, pelt_vec3 point)
{
    pelt_vec3 sum = {0};
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* inf = &vertex->influences[i];
        pelt_vec3 moved = pelt_mat34_point(&vertex->palette->matrices[inf->joint], point);
        sum = pelt_vec3_mad(sum, inf->weight, moved);
    }
    return sum;
}

// The same with the rigid motions of the joints alone.
static pelt_vec3 blend_rigid(const pelti_vertex* vertex, pelt_vec3 point)
{
    pelt_vec3 sum = {0};
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* inf = &vertex->influences[i];
        pelt_vec3 moved = pelt_dquat_point(vertex->palette->motions[inf->joint], point);
        sum = pelt_vec3_mad(sum, inf->weight, moved);
    }
    return sum;
}

pelt_mat3 pelti_blend_stretch(const pelti_vertex* vertex)
{
    if (vertex->palette->is_rigid)
    {
        return pelt_mat3_identity();
    }
    pelt_mat3 sum = {0};
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* inf = &vertex->influences[i];
        sum = pelt_mat3_mad(&sum, inf->weight, &vertex->palette->stretches[inf->joint]);
    }
    return sum;
}

// The influence with the smallest slot above `after`; -1 starts.
static const pelt_influence* next_slot(const pelti_vertex* vertex, int32_t after)
{
    const pelt_influence* next = NULL;
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* inf = &vertex->influences[i];
        if (inf->slot > after && (next == NULL || inf->slot < next->slot))
        {
            next = inf;
        }
    }
    return next;
}

const pelt_influence* pelti_influence_by_slot(const pelti_vertex* vertex, uint32_t step)
{
    const pelt_influence* inf = &vertex->influences[step];
    int32_t slot = -1;
    for (uint32_t i = 0; i <= step; ++i)
    {
        const pelt_influence* next = next_slot(vertex, slot);
        // Slots may repeat in a list made by hand: the packed order is used then.
        if (next == NULL)
        {
            return inf;
        }
        slot = next->slot;
        if (i == step)
        {
            inf = next;
        }
    }
    return inf;
}

// The weighted mean of the joint rotations as a unit quaternion (QLERP).
static pelt_quat blend_rotation(const pelti_vertex* vertex, pelt_sign_rule rule)
{
    const pelt_dquat* motions = vertex->palette->motions;
    pelt_quat lead = motions[pelti_influence_at(vertex, rule, 0)->joint].real;
    pelt_quat sum = {0};

    for (uint32_t step = 0; step < vertex->count; ++step)
    {
        const pelt_influence* inf = pelti_influence_at(vertex, rule, step);
        pelt_quat q = motions[inf->joint].real;
        float sign = pelti_sign_of(rule, q, lead, sum);
        sum = pelt_quat_add(sum, pelt_quat_scale(q, sign * inf->weight));
    }
    return pelti_is_canceled(sum) ? motions[vertex->influences[0].joint].real
                                  : pelt_quat_normalize(sum);
}

void pelti_map_about(pelti_vertex_map* out, const pelti_vertex* vertex, pelt_vec3 center,
                     const pelt_deform_options* options)
{
    pelt_vec3 offset = pelt_vec3_sub(vertex->position, center);
    out->is_rotation = vertex->palette->is_rigid;
    out->linear = pelt_mat3_from_quat(blend_rotation(vertex, options->sign_rule));
    if (out->is_rotation)
    {
        out->position = blend_point(vertex, center);
    }
    else
    {
        pelt_mat3 stretch = pelti_blend_stretch(vertex);
        out->linear = pelt_mat3_mul(&out->linear, &stretch);
        out->position = options->scale_pivot == PELT_SCALE_LOCAL
                            ? blend_point(vertex, center)
                            : blend_rigid(vertex, pelt_mat3_vector(&stretch, center));
    }
    out->position = pelt_vec3_add(out->position, pelt_mat3_vector(&out->linear, offset));
}

// ---------------------------------------------------------------------------------------------
// Derivatives

float pelti_running_sign(const pelti_vertex* vertex, uint32_t joint)
{
    const pelt_dquat* motions = vertex->palette->motions;
    pelt_quat so_far = {0}, own = motions[joint].real;
    // A joint of the vertex compares with the sum before its own step, any other joint with the
    // whole.
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

// base, plus the changes along the axes.
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
        // Relative to the stretch by the strongest joint. The paper assumes that to be 1, but
        // characters in other units than their poses have scale in every joint.
        float whole = pelt_vec3_length(pelt_mat3_vector(&strongest, gradients->axes[axis]));
        float length = pelt_vec3_length(changes[axis]), most = limit * whole;
        changes[axis] = pelt_vec3_scale(changes[axis], length > most ? most / length : 1.0f);
    }
    return add_changes(&map->linear, gradients, changes);
}
