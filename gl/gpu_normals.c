// SPDX-License-Identifier: MIT
// Factors of accurate normals as shaders read them: floats, or ten words per vertex.
#include "pelt/gpu.h"
#include "pelt/prepare.h"

#include <math.h>
#include <string.h>

enum
{
    PLAIN_HEADER_FLOATS = 8, // of a vertex before its slots
    CENTER_HEADER_FLOATS = 16,
    SLOT_FLOATS = 8,
};

pelt_gpu_normals pelt_gpu_normals_of(const pelt_normal_factors* factors, pelt_normal_rule rule)
{
    uint32_t most = factors->max_factors;
    if (most > PELT_GPU_SLOT_MAX)
    {
        return (pelt_gpu_normals){0};
    }
    return (pelt_gpu_normals){.rule = rule,
                              .slot_count = most > 4   ? 8
                                            : most > 2 ? most
                                                       : 2,
                              .has_centers = factors->centers != NULL};
}

static uint32_t header_floats(const pelt_gpu_normals* normals)
{
    return normals->has_centers ? CENTER_HEADER_FLOATS : PLAIN_HEADER_FLOATS;
}

uint32_t pelt_gpu_normal_floats(const pelt_gpu_normals* normals)
{
    if (normals->rule == PELT_NORMAL_STANDARD)
    {
        return 0;
    }
    return normals->is_compact ? (uint32_t)PELT_NORMAL_WORDS
                               : header_floats(normals) + normals->slot_count * SLOT_FLOATS;
}

static float* write_vec3(float* out, pelt_vec3 v)
{
    *out++ = v.x;
    *out++ = v.y;
    *out++ = v.z;
    return out;
}

static void write_header(float* out, const pelt_normal_factors* factors, uint32_t v,
                         bool has_centers)
{
    out = write_vec3(out, factors->tangents[v]);
    *out++ = (float)(factors->first[v + 1] - factors->first[v]);
    *out++ = factors->plane_normals[v].x;
    *out++ = factors->plane_normals[v].y;
    if (has_centers)
    {
        out = write_vec3(out, factors->centers[v]);
        out = write_vec3(out, factors->center_derivatives[2 * v]);
        write_vec3(out, factors->center_derivatives[2 * v + 1]);
    }
}

static void write_slot(float out[SLOT_FLOATS], const pelt_normal_factor* factor)
{
    const float slot[SLOT_FLOATS] = {
        (float)factor->joint,  factor->weight,        factor->alpha,         factor->beta,
        factor->moments[0][0], factor->moments[0][1], factor->moments[1][0], factor->moments[1][1]};
    memcpy(out, slot, sizeof slot);
}

void pelt_gpu_normals_write(float* out, const pelt_normal_factors* factors,
                            const pelt_gpu_normals* normals)
{
    PELT_ASSERT(factors->max_factors <= normals->slot_count && !normals->is_compact);
    PELT_ASSERT(!normals->has_centers || factors->centers != NULL);
    uint32_t vertex_floats = pelt_gpu_normal_floats(normals), header = header_floats(normals);
    memset(out, 0, (size_t)factors->vertex_count * vertex_floats * sizeof *out);
    for (uint32_t v = 0; v < factors->vertex_count; ++v)
    {
        write_header(out, factors, v, normals->has_centers);
        for (uint32_t i = factors->first[v]; i < factors->first[v + 1]; ++i)
        {
            write_slot(out + header + (i - factors->first[v]) * SLOT_FLOATS, &factors->factors[i]);
        }
        out += vertex_floats;
    }
}

// ---------------------------------------------------------------------------------------------
// Ten words
//
// Factors of a vertex sum to constants, so that the first one is left out. The axes are those of
// the coordinate axis that is farthest from the normal, which takes two bits. All other numbers
// share what is left, so that a vertex of two joints has 16 bits for each and one of four has 10.

enum
{
    COMPACT_SLOTS = 4,
    WORD_BITS = 32,
    PLANE_BITS = 14,
    SIZE_AT = 32, // of gradients, moments and derivatives of the center
    SIZE_BITS = 8,
    JOINT_AT = 56,
    JOINT_BITS = 16,
    FACTOR_NUMBERS = 7,
    NUMBER_BITS = 16, // at most
};

// Factors of a vertex along other axes than those they were built for.
typedef struct vertex_factors
{
    uint32_t axis;  // the coordinate axis that is the tangent
    uint32_t count; // besides the first
    pelt_vec2 plane_normal;
    pelt_normal_factor factors[COMPACT_SLOTS];
    pelt_vec3 center_derivatives[2];
} vertex_factors;

// Where numbers are, and how many bits they have.
typedef struct number_layout
{
    uint32_t first, bits;
} number_layout;

static number_layout layout_of(uint32_t count, bool has_centers)
{
    uint32_t numbers = FACTOR_NUMBERS * count + (has_centers ? 6 : 0);
    uint32_t first = JOINT_AT + JOINT_BITS * count;
    uint32_t bits = (PELT_NORMAL_WORDS * WORD_BITS - first) / numbers;
    return (number_layout){first, bits < NUMBER_BITS ? bits : NUMBER_BITS};
}

static void put_bits(uint32_t* words, uint32_t at, uint32_t count, uint32_t value)
{
    uint64_t shifted = (uint64_t)(value & ((1u << count) - 1u)) << at % WORD_BITS;
    words[at / WORD_BITS] |= (uint32_t)shifted;
    if (shifted >> WORD_BITS != 0)
    {
        words[at / WORD_BITS + 1] |= (uint32_t)(shifted >> WORD_BITS);
    }
}

static uint32_t get_bits(const uint32_t* words, uint32_t at, uint32_t count)
{
    uint64_t pair = words[at / WORD_BITS];
    if (at % WORD_BITS + count > WORD_BITS)
    {
        pair |= (uint64_t)words[at / WORD_BITS + 1] << WORD_BITS;
    }
    return (uint32_t)(pair >> at % WORD_BITS) & ((1u << count) - 1u);
}

static void put_fraction(uint32_t* words, uint32_t at, uint32_t bits, float fraction)
{
    float whole = (float)((1u << (bits - 1)) - 1u);
    put_bits(words, at, bits, (uint32_t)lrintf(fmaxf(-1.0f, fminf(fraction, 1.0f)) * whole));
}

static float get_fraction(const uint32_t* words, uint32_t at, uint32_t bits)
{
    int32_t whole = (int32_t)(1u << (bits - 1)) - 1, value = (int32_t)get_bits(words, at, bits);
    return (float)(value > whole ? value - 2 * whole - 2 : value) / (float)whole;
}

// Four sizes per factor of two, from 2^-32 on: few enough bits, and at most 19 % too large.
static float size_of(uint32_t code)
{
    return exp2f(0.25f * (float)code - 32.0f);
}

static uint32_t size_code(float size)
{
    uint32_t code = 0;
    if (size > 0.0f)
    {
        float least = ceilf(4.0f * (log2f(size) + 32.0f));
        code = (uint32_t)fmaxf(0.0f, fminf(least, 255.0f));
        code += code < 255 && size_of(code) < size;
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Other axes

static uint32_t axis_far_from(pelt_vec3 n)
{
    float x = fabsf(n.x), y = fabsf(n.y), z = fabsf(n.z);
    return x <= y && x <= z ? 0 : y <= z ? 1 : 2;
}

static pelt_vec3 tangent_of(uint32_t axis, pelt_vec3 normal)
{
    pelt_vec3 e = pelt_vec3_make(axis == 0, axis == 1, axis == 2);
    pelt_vec3 along = pelt_vec3_scale(normal, pelt_vec3_dot(e, normal));
    return pelt_vec3_normalize(pelt_vec3_sub(e, along));
}

// Tangents are perpendicular to normals except for rounding.
static pelt_vec2 unit_or_none(pelt_vec2 rotation)
{
    float length = hypotf(rotation.x, rotation.y);
    return length > 0.0f ? (pelt_vec2){rotation.x / length, rotation.y / length}
                         : (pelt_vec2){1.0f, 0.0f};
}

static pelt_vec2 rotate(pelt_vec2 v, pelt_vec2 rotation)
{
    return (pelt_vec2){rotation.x * v.x + rotation.y * v.y, rotation.x * v.y - rotation.y * v.x};
}

// Both indices of the moments refer to the axes.
static pelt_normal_factor rotate_factor(const pelt_normal_factor* in, pelt_vec2 rotation)
{
    pelt_normal_factor out = *in;
    pelt_vec2 gradient = rotate((pelt_vec2){in->alpha, in->beta}, rotation);
    out.alpha = gradient.x;
    out.beta = gradient.y;
    pelt_vec2 rows[2], columns[2];
    for (int i = 0; i < 2; ++i)
    {
        rows[i] = rotate((pelt_vec2){in->moments[i][0], in->moments[i][1]}, rotation);
    }
    columns[0] = rotate((pelt_vec2){rows[0].x, rows[1].x}, rotation);
    columns[1] = rotate((pelt_vec2){rows[0].y, rows[1].y}, rotation);
    out.moments[0][0] = columns[0].x;
    out.moments[1][0] = columns[0].y;
    out.moments[0][1] = columns[1].x;
    out.moments[1][1] = columns[1].y;
    return out;
}

static vertex_factors gather(const pelt_normal_factors* in, uint32_t v, pelt_vec3 normal)
{
    vertex_factors out = {0};
    uint32_t first = in->first[v], count = in->first[v + 1] - first;
    pelt_vec3 n = pelt_vec3_normalize(normal), old = in->tangents[v];
    out.axis = axis_far_from(n);
    out.count = count > 0 ? count - 1 : 0;
    pelt_vec3 tangent = tangent_of(out.axis, n);
    pelt_vec2 rotation = unit_or_none(
        (pelt_vec2){pelt_vec3_dot(tangent, old), pelt_vec3_dot(tangent, pelt_vec3_cross(n, old))});
    out.plane_normal = rotate(in->plane_normals[v], rotation);
    for (uint32_t i = 0; i < count; ++i)
    {
        out.factors[i] = rotate_factor(&in->factors[first + i], rotation);
    }
    if (in->center_derivatives != NULL)
    {
        const pelt_vec3* d = in->center_derivatives + 2 * (size_t)v;
        out.center_derivatives[0] =
            pelt_vec3_add(pelt_vec3_scale(d[0], rotation.x), pelt_vec3_scale(d[1], rotation.y));
        out.center_derivatives[1] =
            pelt_vec3_sub(pelt_vec3_scale(d[1], rotation.x), pelt_vec3_scale(d[0], rotation.y));
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// One vertex

// Numbers of a factor besides its weight, gradients first.
static void numbers_of(float out[FACTOR_NUMBERS - 1], const pelt_normal_factor* factor)
{
    out[0] = factor->alpha;
    out[1] = factor->beta;
    memcpy(out + 2, factor->moments, sizeof factor->moments);
}

// Sizes of gradients, moments and derivatives of the center.
static void find_sizes(uint32_t codes[3], const vertex_factors* in)
{
    float sizes[3] = {0.0f};
    for (uint32_t i = 1; i <= in->count; ++i)
    {
        float numbers[FACTOR_NUMBERS - 1];
        numbers_of(numbers, &in->factors[i]);
        for (uint32_t k = 0; k < FACTOR_NUMBERS - 1; ++k)
        {
            sizes[k < 2 ? 0 : 1] = fmaxf(sizes[k < 2 ? 0 : 1], fabsf(numbers[k]));
        }
    }
    for (uint32_t k = 0; k < 6; ++k)
    {
        float number = pelt_vec3_component(in->center_derivatives[k / 3], (int)(k % 3));
        sizes[2] = fmaxf(sizes[2], fabsf(number));
    }
    for (uint32_t k = 0; k < 3; ++k)
    {
        codes[k] = size_code(sizes[k]);
    }
}

static void pack_vertex(uint32_t* out, const vertex_factors* in, bool has_centers)
{
    memset(out, 0, PELT_NORMAL_WORDS * sizeof *out);
    put_bits(out, 0, 2, in->axis);
    put_bits(out, 2, 2, in->count);
    put_fraction(out, 4, PLANE_BITS, in->plane_normal.x);
    put_fraction(out, 4 + PLANE_BITS, PLANE_BITS, in->plane_normal.y);
    if (in->count == 0)
    {
        return;
    }
    uint32_t codes[3];
    find_sizes(codes, in);
    for (uint32_t k = 0; k < 3; ++k)
    {
        put_bits(out, SIZE_AT + k * SIZE_BITS, SIZE_BITS, codes[k]);
    }
    number_layout layout = layout_of(in->count, has_centers);
    uint32_t at = layout.first;
    for (uint32_t i = 1; i <= in->count; ++i)
    {
        float numbers[FACTOR_NUMBERS - 1], whole = (float)((1u << layout.bits) - 1u);
        numbers_of(numbers, &in->factors[i]);
        put_bits(out, JOINT_AT + (i - 1) * JOINT_BITS, JOINT_BITS, in->factors[i].joint);
        put_bits(out, at, layout.bits,
                 (uint32_t)lrintf(fmaxf(0.0f, fminf(in->factors[i].weight, 1.0f)) * whole));
        at += layout.bits;
        for (uint32_t k = 0; k < FACTOR_NUMBERS - 1; ++k, at += layout.bits)
        {
            put_fraction(out, at, layout.bits, numbers[k] / size_of(codes[k < 2 ? 0 : 1]));
        }
    }
    for (uint32_t k = 0; k < 6 && has_centers; ++k, at += layout.bits)
    {
        float number = pelt_vec3_component(in->center_derivatives[k / 3], (int)(k % 3));
        put_fraction(out, at, layout.bits, number / size_of(codes[2]));
    }
}

// As shaders do: see skin_normals.glsl.
static void unpack_vertex(vertex_factors* out, const uint32_t* in, uint32_t joint, bool has_centers)
{
    *out = (vertex_factors){.axis = get_bits(in, 0, 2), .count = get_bits(in, 2, 2)};
    out->plane_normal.x = get_fraction(in, 4, PLANE_BITS);
    out->plane_normal.y = get_fraction(in, 4 + PLANE_BITS, PLANE_BITS);
    if (out->count == 0)
    {
        return;
    }
    float sizes[3];
    for (uint32_t k = 0; k < 3; ++k)
    {
        sizes[k] = size_of(get_bits(in, SIZE_AT + k * SIZE_BITS, SIZE_BITS));
    }
    number_layout layout = layout_of(out->count, has_centers);
    uint32_t at = layout.first;
    out->factors[0] = (pelt_normal_factor){
        (pelt_joint_index)joint, 1.0f, 0.0f, 0.0f, {{1.0f, 0.0f}, {0.0f, 1.0f}}};
    for (uint32_t i = 1; i <= out->count; ++i)
    {
        pelt_normal_factor* first = &out->factors[0];
        float numbers[FACTOR_NUMBERS];
        numbers[0] = (float)get_bits(in, at, layout.bits) / (float)((1u << layout.bits) - 1u);
        at += layout.bits;
        for (uint32_t k = 1; k < FACTOR_NUMBERS; ++k, at += layout.bits)
        {
            numbers[k] = get_fraction(in, at, layout.bits) * sizes[k < 3 ? 0 : 1];
        }
        out->factors[i] = (pelt_normal_factor){
            (pelt_joint_index)get_bits(in, JOINT_AT + (i - 1) * JOINT_BITS, JOINT_BITS),
            numbers[0],
            numbers[1],
            numbers[2],
            {{numbers[3], numbers[4]}, {numbers[5], numbers[6]}}};
        first->weight -= numbers[0];
        first->alpha -= numbers[1];
        first->beta -= numbers[2];
        for (uint32_t k = 0; k < 4; ++k)
        {
            first->moments[k / 2][k % 2] -= numbers[3 + k];
        }
    }
    for (uint32_t k = 0; k < 6 && has_centers; ++k, at += layout.bits)
    {
        *pelt_vec3_component_at(&out->center_derivatives[k / 3], (int)(k % 3)) =
            get_fraction(in, at, layout.bits) * sizes[2];
    }
}

// ---------------------------------------------------------------------------------------------

pelt_gpu_normals pelt_gpu_normals_compact(const pelt_normal_factors* factors, pelt_normal_rule rule)
{
    if (factors->max_factors > COMPACT_SLOTS)
    {
        return (pelt_gpu_normals){0};
    }
    return (pelt_gpu_normals){.rule = rule,
                              .slot_count = COMPACT_SLOTS,
                              .has_centers = factors->centers != NULL,
                              .is_compact = true};
}

void pelt_gpu_normals_pack(uint32_t* out, const pelt_normal_factors* factors,
                           const pelt_vec3* normals, const pelt_gpu_normals* layout)
{
    PELT_ASSERT(layout->is_compact && factors->max_factors <= COMPACT_SLOTS);
    PELT_ASSERT(!layout->has_centers || factors->centers != NULL);
    for (uint32_t v = 0; v < factors->vertex_count; ++v)
    {
        vertex_factors vertex = gather(factors, v, normals[v]);
        pack_vertex(out + (size_t)v * PELT_NORMAL_WORDS, &vertex, layout->has_centers);
    }
}

static bool allocate(pelt_normal_factors* out, pelt_arena* arena)
{
    out->factors = pelt_arena_alloc(arena, out->factor_count, sizeof *out->factors);
    out->tangents = pelt_arena_alloc(arena, out->vertex_count, sizeof *out->tangents);
    out->plane_normals = pelt_arena_alloc(arena, out->vertex_count, sizeof *out->plane_normals);
    if (out->centers != NULL)
    {
        out->center_derivatives =
            pelt_arena_alloc(arena, 2 * (size_t)out->vertex_count, sizeof *out->center_derivatives);
    }
    return out->factors != NULL && out->tangents != NULL && out->plane_normals != NULL &&
           (out->centers == NULL || out->center_derivatives != NULL);
}

pelt_result pelt_gpu_normals_round(pelt_normal_factors* out, const pelt_normal_factors* factors,
                                   const pelt_vec3* normals, pelt_arena* arena)
{
    PELT_ASSERT(factors->max_factors <= COMPACT_SLOTS);
    pelt_normal_factors rounded = *factors;
    rounded.bits = 0;
    *out = (pelt_normal_factors){0};
    if (!allocate(&rounded, arena))
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < factors->vertex_count; ++v)
    {
        uint32_t words[PELT_NORMAL_WORDS], first = factors->first[v];
        uint32_t count = factors->first[v + 1] - first;
        vertex_factors vertex = gather(factors, v, normals[v]);
        pack_vertex(words, &vertex, factors->centers != NULL);
        unpack_vertex(&vertex, words, count > 0 ? factors->factors[first].joint : 0,
                      factors->centers != NULL);
        memcpy((pelt_normal_factor*)rounded.factors + first, vertex.factors,
               count * sizeof *vertex.factors);
        pelt_vec3 n = pelt_vec3_normalize(normals[v]);
        ((pelt_vec3*)rounded.tangents)[v] = tangent_of(vertex.axis, n);
        ((pelt_vec2*)rounded.plane_normals)[v] = vertex.plane_normal;
        if (factors->centers != NULL)
        {
            memcpy((pelt_vec3*)rounded.center_derivatives + 2 * (size_t)v,
                   vertex.center_derivatives, sizeof vertex.center_derivatives);
        }
    }
    *out = rounded;
    return PELT_OK;
}
