// SPDX-License-Identifier: MIT
// What the skinning methods share: the loop over vertices, and blends of stretches and rotations.
#include "../base/exact.h"

#include "deform_vertex.h"

#include "../base/rescale.h"
#include "../normals/stencils.h"
#include "../pose/palette.h"

static bool is_nonzero(pelt_vec3 v)
{
    return v.x != 0.0f || v.y != 0.0f || v.z != 0.0f;
}

// A map that flattens space may carry a normal or tangent to nothing. A plain rotation is used
// then: nothing better is known, and directions stay unit vectors.
static pelt_vec3 unit_or_rotated(pelt_vec3 moved, pelt_vec3 rest, pelt_quat fallback)
{
    return is_nonzero(moved) ? pelt_vec3_normalize(moved) : pelt_quat_rotate(fallback, rest);
}

// Whether a square, or a product of three, is far enough from both ends of float to be trusted.
static bool is_trusted(float product)
{
    return product > 1e-30f && product < 1e30f;
}

static float side_of(const pelt_mat3* linear)
{
    float determinant = pelt_mat3_determinant(linear);
    if (!is_trusted(fabsf(determinant)))
    {
        pelt_mat3 near = pelti_mat3_rescale(linear);
        determinant = pelt_mat3_determinant(&near);
    }
    return determinant < 0.0f ? -1.0f : 1.0f;
}

// What carries the directions of a vertex.
typedef struct carrier
{
    const pelti_motion* motion;
    float side;         // -1 where joints mirror, which a blend that collapses may look like too
    pelt_quat fallback; // for directions that the map takes to nothing
} carrier;

// Normals go with the inverse transpose, up to length: the cofactor matrix, which exists always. It
// takes the cross product of two vectors to that of their images. The side makes normals point
// outwards from a mirrored surface too.
static pelt_vec3 move_normal(const carrier* by, pelt_vec3 n)
{
    pelt_mat3 cofactor = pelt_mat3_cofactor(&by->motion->linear);
    pelt_vec3 moved = pelt_mat3_vector(&cofactor, n);
    if (!is_trusted(pelt_vec3_dot(moved, moved)))
    {
        pelt_mat3 near = pelti_mat3_rescale(&by->motion->linear);
        cofactor = pelt_mat3_cofactor(&near);
        moved = pelt_mat3_vector(&cofactor, n);
    }
    return unit_or_rotated(pelt_vec3_scale(moved, by->side), n, by->fallback);
}

static pelt_vec4 move_tangent(const carrier* by, pelt_vec4 t)
{
    pelt_vec3 rest = pelt_vec3_make(t.x, t.y, t.z);
    pelt_vec3 image = pelt_mat3_vector(&by->motion->linear, rest);
    if (!is_trusted(pelt_vec3_dot(image, image)))
    {
        pelt_mat3 near = pelti_mat3_rescale(&by->motion->linear);
        image = pelt_mat3_vector(&near, rest);
    }
    pelt_vec3 moved = unit_or_rotated(image, rest, by->fallback);
    return (pelt_vec4){moved.x, moved.y, moved.z, by->side * t.w};
}

static void write_moved(const pelt_surface* out, const pelt_deform_input* input, uint32_t v,
                        const carrier* by)
{
    if (out->positions)
    {
        pelti_set_position(out, v, by->motion->position);
    }
    if (out->normals && input->normals)
    {
        pelti_set_normal(out, v, move_normal(by, pelti_normal_of(input, v)));
    }
    if (out->tangents && input->tangents)
    {
        pelti_set_tangent(out, v, move_tangent(by, pelti_tangent_of(input, v)));
    }
}

// What has happened to the surroundings of a vertex before skinning, and not to its normal.
static pelt_mat3 map_before(const pelt_deform_input* input, uint32_t v)
{
    return input->displacements != NULL
               ? pelti_stencil_map(input->stencils, input->displacements, v)
               : pelt_mat3_identity();
}

// A vertex that nothing pulls on.
static void write_still(const pelt_surface* out, const pelt_deform_input* input, uint32_t v)
{
    if (input->displacements != NULL)
    {
        pelti_motion motion = {map_before(input, v), pelti_position_of(input, v)};
        write_moved(out, input, v, &(carrier){&motion, 1.0f, pelt_quat_identity()});
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

static bool has_gradients(const pelt_deform_input* input, const pelt_deform_options* options,
                          const pelti_method* method)
{
    return options->normal_rule != PELT_NORMAL_STANDARD && method->jacobian != NULL &&
           input->normal_factors != NULL && input->normals != NULL;
}

// The map that takes the axes of a vertex to their images, and the normal of their plane to the
// normal of the images, up to a power of two: it carries directions only. Along the normal, the map
// stretches as much as it does on average across: authored normals that are not those of the
// triangles keep their angles when all is scaled.
static pelt_mat3 map_of(const pelti_gradients* gradients, pelt_vec3 images[2], float side)
{
    float scale = pelti_scale_to_one(&images[0].x, 6);
    images[0] = pelt_vec3_scale(images[0], scale);
    images[1] = pelt_vec3_scale(images[1], scale);
    pelt_vec3 cross = pelt_vec3_cross(images[0], images[1]);
    float length = pelt_vec3_length(cross);
    pelt_mat3 out = pelt_mat3_outer(
        pelt_vec3_scale(cross, length > 0.0f ? side / sqrtf(length) : 0.0f), gradients->normal);
    for (int axis = 0; axis < 2; ++axis)
    {
        pelt_mat3 product = pelt_mat3_outer(images[axis], gradients->rest_axes[axis]);
        out = pelt_mat3_mad(&out, 1.0f, &product);
    }
    return out;
}

// Whether weights that are constant leave nothing to add to a mover's own map.
static bool is_even(const pelti_gradients* gradients, const pelt_deform_input* input,
                    const pelt_deform_options* options, const pelti_method* method)
{
    bool is_bent = method->is_bent_by_stretch && !input->palette->is_rigid &&
                   options->scale_pivot == PELT_SCALE_LOCAL;
    return gradients->factors == NULL && !is_bent;
}

// The map of a motion, with what weights add to it as they change.
// @param before  the map of the surroundings that the motion's own map includes
static pelt_mat3 complete_map(const pelti_vertex* vertex, const carrier* by,
                              const pelt_mat3* before, const pelt_deform_input* input,
                              const pelt_deform_options* options, const pelti_method* method)
{
    const pelti_motion* motion = by->motion;
    pelti_gradients gradients = pelti_gradients_at(vertex, input, before);
    if (is_even(&gradients, input, options, method))
    {
        return motion->linear;
    }
    if (options->normal_rule == PELT_NORMAL_PAPER)
    {
        return pelti_jacobian_paper(vertex, motion, &gradients, options);
    }
    pelt_vec3 images[2];
    method->jacobian(images, vertex, &gradients, input, options);
    return map_of(&gradients, images, by->side);
}

static void check_contract(const pelt_surface* out, const pelt_deform_input* input,
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
    PELT_ASSERT(factors == NULL || factors->vertex_count == weights->vertex_count);
    PELT_ASSERT(factors == NULL || factors->joint_count <= input->palette->joint_count);
    PELT_ASSERT(
        input->displacements == NULL ||
        (input->stencils != NULL && input->stencils->vertex_count == weights->vertex_count));
}

static void deform_vertex(const pelt_surface* out, const pelti_vertex* vertex,
                          const pelt_deform_input* input, const pelt_deform_options* options,
                          const pelti_method* method)
{
    uint32_t strongest = vertex->influences[0].joint;
    pelt_mat3 lead = pelt_mat34_linear(&vertex->palette->matrices[strongest]);
    pelti_motion motion = method->move(vertex, input, options);
    pelt_mat3 before = map_before(input, vertex->index);
    if (input->displacements != NULL)
    {
        motion.linear = pelt_mat3_mul(&motion.linear, &before);
    }
    carrier by = {.motion = &motion,
                  .side = side_of(&lead),
                  .fallback = vertex->palette->motions[strongest].real};
    if (has_gradients(input, options, method))
    {
        motion.linear = complete_map(vertex, &by, &before, input, options, method);
    }
    write_moved(out, input, vertex->index, &by);
}

// Between a mirror and what is none there is no rotation to take the mean of.
static bool is_mixed(const pelti_vertex* vertex)
{
    return vertex->palette->is_mixed &&
           pelti_palette_mixes(vertex->palette, vertex->influences, vertex->count);
}

void pelti_deform_each(const pelt_surface* out, const pelt_deform_input* input,
                       const pelt_deform_options* options, pelt_range range,
                       const pelti_method* method)
{
    check_contract(out, input, options, range);
    const pelt_weights* weights = input->weights;
    const pelti_method lbs = {.move = pelti_motion_lbs, .jacobian = pelti_jacobian_lbs};

    for (uint32_t v = range.first; v < range.first + range.count; ++v)
    {
        pelti_vertex vertex = {.index = v,
                               .position = pelti_position_of(input, v),
                               .influences = weights->influences + weights->first[v],
                               .count = weights->first[v + 1] - weights->first[v],
                               .palette = input->palette};
        if (vertex.count == 0)
        {
            write_still(out, input, v);
            continue;
        }
        deform_vertex(out, &vertex, input, options, is_mixed(&vertex) ? &lbs : method);
    }
}

void pelti_deform_rigid(const pelt_surface* out, const pelt_deform_input* input,
                        const pelt_mat34* matrix, pelt_range range)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    for (uint32_t v = range.first; v < range.first + range.count; ++v)
    {
        pelt_mat3 before = map_before(input, v);
        pelti_motion motion = {pelt_mat3_mul(&linear, &before),
                               pelt_mat34_point(matrix, pelti_position_of(input, v))};
        carrier by = {&motion, side_of(&linear), pelt_quat_identity()};
        write_moved(out, input, v, &by);
    }
}

// ---------------------------------------------------------------------------------------------
// Blends

// Where the influences of a vertex take a point together: linear blend skinning of that point.
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

// The influence with the smallest slot of those above `after`; -1 starts.
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

const pelt_influence* pelti_influence_at(const pelti_vertex* vertex, pelt_sign_rule rule,
                                         uint32_t step)
{
    const pelt_influence* inf = &vertex->influences[step];
    if (rule == PELT_SIGN_HEAVIEST || rule == PELT_SIGN_HIERARCHY)
    {
        return inf;
    }
    int32_t slot = -1;
    for (uint32_t i = 0; i <= step; ++i)
    {
        const pelt_influence* next = next_slot(vertex, slot);
        // Slots may repeat in a list made by hand; then the packed order serves as well as any.
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

float pelti_sign_of(pelt_sign_rule rule, pelt_quat q, pelt_quat lead, pelt_quat sum)
{
    if (rule == PELT_SIGN_HIERARCHY)
    {
        return 1.0f;
    }
    pelt_quat pivot = rule == PELT_SIGN_RUNNING ? sum : lead;
    return pelt_quat_dot(pivot, q) < 0.0f ? -1.0f : 1.0f;
}

bool pelti_is_canceled(pelt_quat sum)
{
    return !(pelt_quat_dot(sum, sum) > 1e-12f);
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
        float side = pelti_sign_of(rule, q, lead, sum);
        sum = pelt_quat_add(sum, pelt_quat_scale(q, side * inf->weight));
    }
    return pelti_is_canceled(sum) ? motions[vertex->influences[0].joint].real
                                  : pelt_quat_normalize(sum);
}

pelti_motion pelti_motion_about(const pelti_vertex* vertex, pelt_vec3 center,
                                const pelt_deform_options* options)
{
    pelt_mat3 rotation = pelt_mat3_from_quat(blend_rotation(vertex, options->sign_rule));
    pelt_mat3 stretch = pelti_blend_stretch(vertex);
    pelti_motion motion = {.linear = pelt_mat3_mul(&rotation, &stretch)};

    bool is_local = vertex->palette->is_rigid || options->scale_pivot == PELT_SCALE_LOCAL;
    pelt_vec3 arm = pelt_vec3_sub(vertex->position, center);
    pelt_vec3 moved_center = is_local ? blend_point(vertex, center)
                                      : blend_rigid(vertex, pelt_mat3_vector(&stretch, center));
    motion.position = pelt_vec3_add(moved_center, pelt_mat3_vector(&motion.linear, arm));
    return motion;
}
