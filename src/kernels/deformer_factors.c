// SPDX-License-Identifier: MIT
// Deformers: preparing accurate normals.
#include "../base/exact.h"

#include "../normals/plane_axes.h"
#include "deformer.h"

static bool has_factors(const pelt_normal_factors* factors, uint32_t v)
{
    return factors->first[v] < factors->first[v + 1];
}

// The joints around the vertices of a block; none if weights are constant around all of them.
static void list_joints(pelti_joint_list* out, const pelt_deformer* deformer, uint32_t block)
{
    const pelt_normal_factors* factors = deformer->source.normal_factors;
    const pelt_weights* weights = deformer->source.weights;
    uint32_t first = block * PELTI_BLOCK, end = first + deformer->blocks[block].vertex_count;
    bool is_constant = true;
    out->count = 0;
    for (uint32_t slot = first; slot < end; ++slot)
    {
        uint32_t v = deformer->order[slot];
        is_constant = is_constant && !has_factors(factors, v);
        for (uint32_t i = factors->first[v]; i < factors->first[v + 1]; ++i)
        {
            pelti_joint_list_add(out, factors->factors[i].joint);
        }
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            pelti_joint_list_add(out, weights->influences[i].joint);
        }
    }
    out->count = is_constant ? 0 : out->count;
}

// ---------------------------------------------------------------------------------------------

static pelt_vec3 normal_of(const pelt_deformer_source* source, uint32_t v)
{
    return pelt_vec3_normalize(*pelt_vec3_at(source->normals, source->normal_stride, v));
}

// See pelti_gradients_at().
static void find_axes(pelt_vec3 axes[2], pelt_vec3* plane, const pelt_deformer_source* source,
                      uint32_t v, pelt_vec2 plane_normal)
{
    pelt_vec3 n = normal_of(source, v), t = source->normal_factors->tangents[v];
    t = pelt_vec3_normalize(pelt_vec3_mad(t, -pelt_vec3_dot(t, n), n));
    pelti_plane_axes(axes, plane, t, n, plane_normal);
}

// The coordinates of the factors of a vertex.
typedef struct vertex_frame
{
    pelt_vec3 axes[2];
    pelt_vec2 directions[2]; // the axes of pelti_factor_rows, along these
    pelt_vec3 offset;
} vertex_frame;

// The axes of a vertex, and its normal in them. Where weights are constant, normals are the
// standard ones: the axes are perpendicular to the normal itself.
static void fill_axes(const pelti_factor_rows* out, vertex_frame* frame,
                      const pelt_deformer_source* source, uint32_t lane, uint32_t v)
{
    pelt_vec2 plane_normal = pelti_plane_normal_at(source, v, false);
    pelt_vec3 plane, n = normal_of(source, v);
    find_axes(frame->axes, &plane, source, v, plane_normal);
    pelti_projection_directions(frame->directions, plane_normal);
    frame->offset = *pelt_vec3_at(source->positions, source->position_stride, v);
    for (int axis = 0; axis < 2; ++axis)
    {
        pelti_put3(out->axes[axis], lane, pelti_vec3_along(frame->directions[axis], frame->axes));
    }
    out->normal_x[lane] = pelt_vec3_dot(n, pelti_vec3_along(frame->directions[0], frame->axes));
    out->normal_z[lane] = pelt_vec3_dot(n, plane);
}

static void fill_centers(const pelti_factor_rows* out, vertex_frame* frame,
                         const pelt_deformer_source* source, uint32_t lane, uint32_t v)
{
    const pelt_normal_factors* factors = source->normal_factors;
    bool has_centers = factors->centers != NULL;
    pelt_vec3 center = has_centers ? factors->centers[v] : source->cors[v];
    pelti_put3(out->center, lane, center);
    frame->offset = pelt_vec3_sub(frame->offset, center);
    for (int axis = 0; axis < 2 && has_centers && has_factors(factors, v); ++axis)
    {
        pelti_put3(
            out->centers[axis], lane,
            pelti_vec3_along(frame->directions[axis], factors->center_derivatives + 2 * (size_t)v));
    }
}

static void fill_factor(const pelti_factor_rows* out, uint32_t joint, uint32_t lane,
                        const pelt_normal_factor* factor, const vertex_frame* frame)
{
    if (joint == 0)
    {
        return; // implicit: weights sum to 1 and gradients to 0
    }
    size_t at = (size_t)(joint - 1) * PELTI_BLOCK;
    out->weights[at + lane] = factor->weight;
    for (int axis = 0; axis < 2; ++axis)
    {
        pelt_vec2 direction = frame->directions[axis], moment;
        float slope = direction.x * factor->alpha + direction.y * factor->beta;
        moment.x = direction.x * (factor->moments[0][0] - factor->weight) +
                   direction.y * factor->moments[1][0];
        moment.y = direction.x * factor->moments[0][1] +
                   direction.y * (factor->moments[1][1] - factor->weight);
        out->slopes[axis][at + lane] = slope;
        pelti_put3(out->changes[axis] + 3 * at, lane,
                   pelt_vec3_mad(pelti_vec3_along(moment, frame->axes), slope, frame->offset));
    }
}

static void fill_vertex(const pelti_factor_rows* out, const pelt_deformer* deformer,
                        const pelti_factor_block* block, uint32_t lane, uint32_t v)
{
    const pelt_deformer_source* source = &deformer->source;
    const pelt_normal_factors* factors = source->normal_factors;
    const uint16_t* joints = deformer->factor_joints + block->first_joint;
    vertex_frame frame;
    fill_axes(out, &frame, source, lane, v);
    if (out->center != NULL)
    {
        fill_centers(out, &frame, source, lane, v);
    }
    for (uint32_t i = factors->first[v]; i < factors->first[v + 1]; ++i)
    {
        const pelt_normal_factor* factor = &factors->factors[i];
        fill_factor(out, pelti_joint_find(joints, block->joint_count, factor->joint), lane, factor,
                    &frame);
    }
    const pelt_weights* weights = source->weights;
    uint32_t first = weights->first[v],
             end = has_factors(factors, v) ? first : weights->first[v + 1];
    for (uint32_t i = first; i < end; ++i)
    {
        const pelt_influence* inf = &weights->influences[i];
        const pelt_normal_factor factor = {.weight = inf->weight,
                                           .moments = {{inf->weight, 0}, {0, inf->weight}}};
        fill_factor(out, pelti_joint_find(joints, block->joint_count, inf->joint), lane, &factor,
                    &frame);
    }
}

// See needs_plane_normals and has_skewed_tangents.
static void compare_axes(pelti_factor_block* inout, const pelt_deformer* deformer, uint32_t block)
{
    const pelt_deformer_source* source = &deformer->source;
    bool is_constant = inout->joint_count == 0;
    for (uint32_t i = 0; i < deformer->blocks[block].vertex_count; ++i)
    {
        uint32_t v = deformer->order[block * PELTI_BLOCK + i];
        if (!pelti_has_plane_normal(source, v, is_constant))
        {
            pelt_vec2 plane_normal = pelti_plane_normal_at(
                source, v, true); // as a block of constant weights would have it
            inout->needs_plane_normals |=
                fabsf(plane_normal.x) + fabsf(plane_normal.y) > PELTI_SMALL_ANGLE;
            if (source->tangents != NULL)
            {
                pelt_vec4 t = *pelt_vec4_at(source->tangents, source->tangent_stride, v);
                pelt_vec3 unit = pelt_vec3_normalize(pelt_vec3_make(t.x, t.y, t.z));
                inout->has_skewed_tangents |=
                    fabsf(pelt_vec3_dot(unit, normal_of(source, v))) > PELTI_SMALL_ANGLE;
            }
        }
    }
}

static void fill_constant_block(pelt_deformer* out, uint32_t block)
{
    if (out->blocks[block].joint_count > 1) // of one joint: the standard rule moves it
    {
        compare_axes(&out->factor_blocks[block], out, block);
    }
    float* planes =
        out->factor_planes + (size_t)out->factor_blocks[block].first_plane * PELTI_BLOCK;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
    {
        uint32_t v = pelti_vertex_at(out, block, lane);
        pelt_vec3 axes[2], plane;
        find_axes(axes, &plane, &out->source, v, pelti_plane_normal_at(&out->source, v, true));
        pelti_put3(planes, lane, plane);
    }
}

static void fill_block(pelt_deformer* out, uint32_t block)
{
    pelti_factor_block* to = &out->factor_blocks[block];
    pelti_joint_list list;
    compare_axes(to, out, block);
    list_joints(&list, out, block);
    memcpy(out->factor_joints + to->first_joint, list.joints, list.count * sizeof *list.joints);
    const pelti_factor_rows rows =
        pelti_factor_rows_of(out->factor_planes + (size_t)to->first_plane * PELTI_BLOCK,
                             to->joint_count, out->cors != NULL);
    for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
    {
        fill_vertex(&rows, out, to, lane, pelti_vertex_at(out, block, lane));
    }
}

static void find_runs(pelt_deformer* out)
{
    for (uint32_t block = out->block_count; block-- > 0;)
    {
        pelti_factor_block *to = &out->factor_blocks[block], *next = to + 1;
        bool is_equal =
            block + 1 < out->block_count && to->needs_plane_normals == next->needs_plane_normals &&
            to->has_skewed_tangents == next->has_skewed_tangents &&
            pelti_joints_are_equal(out->factor_joints + to->first_joint, to->joint_count,
                                   out->factor_joints + next->first_joint, next->joint_count);
        to->run_length = pelti_run_length(is_equal, is_equal ? next->run_length : 0);
    }
}

bool pelti_deformer_add_factors(pelt_deformer* out)
{
    uint32_t joint_count = 0, plane_count = 0;
    out->factor_blocks = pelti_deformer_take(out, out->block_count, sizeof *out->factor_blocks);
    if (out->factor_blocks == NULL)
    {
        return false;
    }
    for (uint32_t block = 0; block < out->block_count; ++block)
    {
        pelti_joint_list list;
        list_joints(&list, out, block);
        out->factor_blocks[block] = (pelti_factor_block){.first_joint = joint_count,
                                                         .first_plane = plane_count,
                                                         .joint_count = (uint8_t)list.count};
        if (list.count <= PELTI_BLOCK_JOINTS_MAX)
        {
            joint_count += list.count;
            plane_count += pelti_factor_plane_count(list.count, out->cors != NULL);
        }
    }
    out->factor_joints = pelti_deformer_take(out, joint_count, sizeof *out->factor_joints);
    out->factor_planes =
        pelti_deformer_take(out, (size_t)plane_count * PELTI_BLOCK, sizeof *out->factor_planes);
    if (out->factor_joints == NULL || out->factor_planes == NULL)
    {
        return false;
    }
    for (uint32_t block = 0; block < out->block_count; ++block)
    {
        uint32_t count = out->factor_blocks[block].joint_count;
        if (count == 0)
        {
            fill_constant_block(out, block);
        }
        else if (count <= PELTI_BLOCK_JOINTS_MAX)
        {
            fill_block(out, block);
        }
    }
    find_runs(out);
    return true;
}
