// SPDX-License-Identifier: MIT
// Deformers: morph targets. A block that a target moves has planes of its displacements; a run adds
// those in use to the block's rest attributes and gives kernels the sum, as a deformer of one
// block.
#include "../base/exact.h"

#include "../normals/tilt.h"
#include "deformer.h"

static const pelt_vec3* deltas_of(const pelt_morph* morph, pelti_attribute attribute)
{
    return attribute == PELTI_POSITIONS ? morph->positions
           : attribute == PELTI_NORMALS ? morph->normals
                                        : morph->tangents;
}

static uint32_t vertex_at(const pelt_deformer* deformer, uint32_t block, uint32_t lane)
{
    uint32_t last = deformer->blocks[block].vertex_count - 1u;
    return deformer->order[block * PELTI_BLOCK + (lane < last ? lane : last)];
}

// Whether a target displaces an attribute of any vertex of a block.
static bool moves_block(const pelt_deformer* deformer, uint32_t block, const pelt_morph* morph,
                        pelti_attribute attribute)
{
    const pelt_vec3* deltas = deltas_of(morph, attribute);
    bool is_kept = attribute == PELTI_POSITIONS ||
                   (attribute == PELTI_NORMALS ? deformer->normals : deformer->tangents) != NULL;
    for (uint32_t lane = 0; lane < PELTI_BLOCK && deltas != NULL && is_kept; ++lane)
    {
        pelt_vec3 delta = deltas[vertex_at(deformer, block, lane)];
        if (delta.x != 0.0f || delta.y != 0.0f || delta.z != 0.0f)
        {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Preparing

static pelt_vec3 direction_at(const pelt_deformer_source* source, pelti_attribute attribute,
                              uint32_t v)
{
    if (attribute == PELTI_NORMALS)
    {
        return *pelt_vec3_at(source->normals, source->normal_stride, v);
    }
    pelt_vec4 t = *pelt_vec4_at(source->tangents, source->tangent_stride, v);
    return pelt_vec3_make(t.x, t.y, t.z);
}

// A shape for a block, written if there is memory for it: see pelti_block_shape.
static void add_shape(pelt_deformer* inout, size_t index, uint32_t block, uint32_t target,
                      pelti_attribute attribute)
{
    if (inout->shapes == NULL)
    {
        return;
    }
    inout->shapes[index] = (pelti_block_shape){target, attribute};
    float* planes = inout->shape_planes + index * 3 * PELTI_BLOCK;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
    {
        uint32_t v = vertex_at(inout, block, lane);
        pelti_put3(planes, lane,
                   target == PELT_NONE ? direction_at(&inout->source, attribute, v)
                                       : deltas_of(&inout->source.morphs[target], attribute)[v]);
    }
}

// All shapes, in the order of blocks, attributes and targets. Returns their number.
static size_t list_shapes(pelt_deformer* inout)
{
    size_t count = 0;
    for (uint32_t block = 0; block < inout->block_count; ++block)
    {
        inout->first_shapes[block] = count;
        for (uint32_t i = 0; i < PELTI_ATTRIBUTE_COUNT; ++i)
        {
            pelti_attribute attribute = (pelti_attribute)i;
            bool has_rest = attribute == PELTI_POSITIONS;
            for (uint32_t target = 0; target < inout->source.morph_count; ++target)
            {
                bool is_moved = moves_block(inout, block, &inout->source.morphs[target], attribute);
                if (is_moved && !has_rest)
                {
                    add_shape(inout, count++, block, PELT_NONE, attribute);
                    has_rest = true;
                }
                if (is_moved)
                {
                    add_shape(inout, count++, block, target, attribute);
                }
            }
        }
    }
    inout->first_shapes[inout->block_count] = count;
    return count;
}

bool pelti_deformer_add_morphs(pelt_deformer* out)
{
    out->first_shapes =
        pelti_deformer_take(out, (size_t)out->block_count + 1, sizeof *out->first_shapes);
    if (out->first_shapes == NULL)
    {
        return false;
    }
    size_t count = list_shapes(out);
    out->shape_planes = pelti_deformer_take(out, count, 3 * PELTI_BLOCK * sizeof(float));
    out->shapes = pelti_deformer_take(out, count, sizeof *out->shapes);
    if (out->shape_planes == NULL || out->shapes == NULL)
    {
        return false;
    }
    list_shapes(out);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Running

static bool is_used(const pelti_block_shape* shape, const float* morph_weights)
{
    return shape->target != PELT_NONE && morph_weights[shape->target] != 0.0f;
}

bool pelti_block_is_shaped(const pelt_deformer* deformer, const float* morph_weights,
                           uint32_t block)
{
    if (deformer->first_shapes == NULL || morph_weights == NULL)
    {
        return false;
    }
    size_t i = deformer->first_shapes[block], end = deformer->first_shapes[block + 1];
    while (i < end && !is_used(&deformer->shapes[i], morph_weights))
    {
        ++i;
    }
    return i < end;
}

// An attribute of a block with the targets in use, in the order of pelt_morph_apply(). Directions
// are not of unit length: they start as they are in the source.
// @param rest  of the block
// @return whether any target is in use
static bool add_shapes(float* out, const float* rest, const pelt_deformer* deformer,
                       const float* morph_weights, uint32_t block, pelti_attribute attribute)
{
    bool is_moved = false;
    for (size_t i = deformer->first_shapes[block]; i < deformer->first_shapes[block + 1]; ++i)
    {
        const pelti_block_shape* shape = &deformer->shapes[i];
        const float* planes = deformer->shape_planes + i * 3 * PELTI_BLOCK;
        if (shape->attribute != attribute || !is_used(shape, morph_weights))
        {
            rest = shape->attribute == attribute && shape->target == PELT_NONE ? planes : rest;
            continue;
        }
        const float weight = morph_weights[shape->target], *from = is_moved ? out : rest;
        for (uint32_t k = 0; k < 3 * PELTI_BLOCK; ++k)
        {
            out[k] = from[k] + weight * planes[k];
        }
        is_moved = true;
    }
    return is_moved;
}

// One that targets cancel out stays as it is at rest.
static pelt_vec3 unit_of(pelt_vec3 sum, pelt_vec3 rest)
{
    pelt_vec3 unit = pelt_vec3_normalize(sum);
    return unit.x == 0.0f && unit.y == 0.0f && unit.z == 0.0f ? rest : unit;
}

static void normalize_directions(float* inout, const float* rest)
{
    float scales[PELTI_BLOCK];
    for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
    {
        pelt_vec3 sum = pelti_get3(inout, lane);
        float square = pelt_vec3_dot(sum, sum);
        bool is_trusted = square > 1e-30f && square < 1e30f;
        scales[lane] = is_trusted ? 1.0f / sqrtf(square) : 1.0f;
        if (!is_trusted)
        {
            pelti_put3(inout, lane, unit_of(sum, pelti_get3(rest, lane)));
        }
    }
    for (uint32_t i = 0; i < 3 * PELTI_BLOCK; ++i)
    {
        inout[i] *= scales[i % PELTI_BLOCK];
    }
}

// What accurate normals have of each vertex, about normals that have turned: the normal of its
// triangles in a block of constant weights, else its axes, see pelti_factor_rows_of(). Where its
// normal stands along them stays the same.
static void turn_axes(pelti_shaped_block* inout, const pelt_deformer* deformer, uint32_t block)
{
    const pelt_normal_factors* factors = deformer->source.normal_factors;
    bool is_even = inout->factor_block.joint_count == 0;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
    {
        uint32_t v = vertex_at(deformer, block, lane);
        bool has_tilt = is_even || factors->first[v] < factors->first[v + 1];
        pelt_vec2 tilt = has_tilt ? factors->tilts[v] : (pelt_vec2){0.0f, 0.0f};
        pelt_vec3 axes[2], plane;
        pelti_turned_axes(axes, &plane, factors->tangents[v], pelti_get3(inout->normals, lane),
                          tilt);
        if (is_even)
        {
            pelti_put3(inout->factor_planes, lane, plane);
            continue;
        }
        pelt_vec2 lean[2];
        pelti_lean_directions(lean, tilt);
        pelti_put3(inout->factor_planes, lane, pelti_vector_along(lean[0], axes));
        pelti_put3(inout->factor_planes + 3 * PELTI_BLOCK, lane, pelti_vector_along(lean[1], axes));
    }
}

// Of a joint along an axis, see pelti_factor_rows: by their slope, vertices are elsewhere.
static void move_changes(float* inout, const float* slopes, const float* rest, const float* shaped)
{
    for (uint32_t plane = 0; plane < 3 * PELTI_BLOCK; plane += PELTI_BLOCK)
    {
        for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
        {
            float move = shaped[plane + lane] - rest[plane + lane];
            inout[plane + lane] += slopes[lane] * move;
        }
    }
}

// What is not their slope is in the plane of the axes, which have turned.
// @param arms  at rest
static void turn_changes(float* inout, const float* slopes, const pelti_factor_rows* from,
                         const pelti_factor_rows* to, const float* arms)
{
    const float *first = from->axes[0], *second = from->axes[1];
    float along[2][PELTI_BLOCK] = {{0}};
    for (uint32_t plane = 0; plane < 3 * PELTI_BLOCK; plane += PELTI_BLOCK)
    {
        for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
        {
            float flat = inout[plane + lane] - slopes[lane] * arms[plane + lane];
            along[0][lane] += flat * first[plane + lane];
            along[1][lane] += flat * second[plane + lane];
        }
    }
    for (uint32_t plane = 0; plane < 3 * PELTI_BLOCK; plane += PELTI_BLOCK)
    {
        for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
        {
            float turn = along[0][lane] * (to->axes[0][plane + lane] - first[plane + lane]);
            turn += along[1][lane] * (to->axes[1][plane + lane] - second[plane + lane]);
            inout[plane + lane] += turn;
        }
    }
}

static void shape_changes(const pelti_factor_rows* inout, const pelti_factor_rows* from,
                          uint32_t joint_count, bool has_turned, const float* rest,
                          const float* shaped)
{
    float arms[3 * PELTI_BLOCK];
    memcpy(arms, rest, sizeof arms);
    for (uint32_t i = 0; i < 3 * PELTI_BLOCK && from->center != NULL; ++i)
    {
        arms[i] -= from->center[i];
    }
    for (uint32_t i = 0; i < 2 * (joint_count - 1); ++i)
    {
        size_t axis = i % 2, at = (size_t)(i / 2) * PELTI_BLOCK;
        float *changes = inout->changes[axis] + 3 * at, *slopes = inout->slopes[axis] + at;
        if (has_turned)
        {
            turn_changes(changes, slopes, from, inout, arms);
        }
        move_changes(changes, slopes, rest, shaped);
    }
}

// What accurate normals have of a block that targets move.
static void shape_factors(pelti_shaped_block* inout, const pelt_deformer* deformer, uint32_t block,
                          bool has_turned)
{
    const pelti_factor_block* from = &deformer->factor_blocks[block];
    pelti_factor_block* to = &inout->factor_block;
    const bool has_centers = deformer->cors != NULL;
    uint32_t plane_count = pelti_factor_plane_count(from->joint_count, has_centers);
    if (plane_count > PELTI_SHAPED_PLANES_MAX)
    {
        to->joint_count = PELTI_BLOCK_JOINTS_MAX + 1; // for the reference
        return;
    }
    float* planes = deformer->factor_planes + (size_t)from->first_plane * PELTI_BLOCK;
    memcpy(inout->factor_planes, planes, plane_count * PELTI_BLOCK * sizeof *planes);
    to->first_plane = 0;
    inout->deformer.factor_planes = inout->factor_planes;
    if (has_turned)
    {
        turn_axes(inout, deformer, block);
    }
    if (from->joint_count > 0)
    {
        const pelti_factor_rows rest = pelti_factor_rows_of(planes, from->joint_count, has_centers);
        const pelti_factor_rows shaped =
            pelti_factor_rows_of(inout->factor_planes, from->joint_count, has_centers);
        shape_changes(&shaped, &rest, from->joint_count, has_turned,
                      deformer->positions + 3 * (size_t)block * PELTI_BLOCK, inout->positions);
    }
}

// See pelti_factor_block.is_skewed.
static bool is_skewed(const pelti_shaped_block* in, const pelt_deformer* deformer, uint32_t block)
{
    const pelt_normal_factors* factors = deformer->source.normal_factors;
    for (uint32_t lane = 0; lane < deformer->blocks[block].vertex_count; ++lane)
    {
        uint32_t v = vertex_at(deformer, block, lane);
        float cosine = pelt_vec3_dot(pelti_get3(in->tangents, lane), pelti_get3(in->normals, lane));
        if (factors->first[v] == factors->first[v + 1] && fabsf(cosine) > PELTI_LITTLE_ANGLE)
        {
            return true;
        }
    }
    return false;
}

void pelti_shape_block(pelti_shaped_block* out, const pelt_deformer* deformer,
                       const float* morph_weights, uint32_t block, bool is_accurate)
{
    size_t at = (size_t)block * PELTI_BLOCK;
    const float *positions = deformer->positions + 3 * at, *normals = NULL, *tangents = NULL;
    bool has_turned = false;
    memcpy(out->positions, positions, sizeof out->positions);
    add_shapes(out->positions, positions, deformer, morph_weights, block, PELTI_POSITIONS);
    if (deformer->normals != NULL)
    {
        normals = deformer->normals + 3 * at;
        memcpy(out->normals, normals, sizeof out->normals);
        has_turned =
            add_shapes(out->normals, normals, deformer, morph_weights, block, PELTI_NORMALS);
    }
    if (has_turned)
    {
        normalize_directions(out->normals, normals);
    }
    if (deformer->tangents != NULL)
    {
        tangents = deformer->tangents + 4 * at;
        memcpy(out->tangents, tangents, sizeof out->tangents);
    }
    bool has_turned_tangents = tangents != NULL && add_shapes(out->tangents, tangents, deformer,
                                                              morph_weights, block, PELTI_TANGENTS);
    if (has_turned_tangents)
    {
        normalize_directions(out->tangents, tangents);
    }

    out->deformer = *deformer;
    out->deformer.block_count = 1;
    out->deformer.blocks += block;
    out->deformer.order += at;
    out->deformer.positions = out->positions;
    out->deformer.normals = deformer->normals != NULL ? out->normals : NULL;
    out->deformer.tangents = deformer->tangents != NULL ? out->tangents : NULL;
    out->deformer.cors += deformer->cors != NULL ? 3 * at : 0;
    out->deformer.mix_factors += deformer->mix_factors != NULL ? at : 0;
    if (is_accurate && deformer->factor_blocks != NULL)
    {
        out->factor_block = deformer->factor_blocks[block];
        out->deformer.factor_blocks = &out->factor_block;
        uint32_t around = out->factor_block.joint_count;
        if (around <= PELTI_BLOCK_JOINTS_MAX)
        {
            shape_factors(out, deformer, block, has_turned);
        }
        if (around > 0 && tangents != NULL && (has_turned || has_turned_tangents))
        {
            out->factor_block.is_skewed = is_skewed(out, deformer, block);
        }
    }
}
