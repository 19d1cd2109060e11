// SPDX-License-Identifier: MIT
// Normal factors as integers times units of each vertex, such that their sums stay what they are.
#include "../base/exact.h"

#include "normal_quantize.h"

#include <float.h>
#include <limits.h>

enum
{
    // With more factors than this on one vertex, 8 bits have no place for the least of them.
    FACTOR_MAX = 64,
    TABLE_COUNT = 6, // numbers of a factor besides its weight
};

// One number of every factor of a vertex.
typedef struct table
{
    size_t offset;      // in pelt_normal_factor
    bool is_derivative; // else a moment
    int sum;            // over a vertex
} table;

static const table tables[TABLE_COUNT] = {
    {offsetof(pelt_normal_factor, alpha), true, 0},
    {offsetof(pelt_normal_factor, beta), true, 0},
    {offsetof(pelt_normal_factor, moments), false, 1},
    {offsetof(pelt_normal_factor, moments) + 1 * sizeof(float), false, 0},
    {offsetof(pelt_normal_factor, moments) + 2 * sizeof(float), false, 0},
    {offsetof(pelt_normal_factor, moments) + 3 * sizeof(float), false, 1},
};

static float* number_of(pelt_normal_factor* factor, size_t offset)
{
    return (float*)(void*)((char*)factor + offset);
}

static float number_at(const pelt_normal_factor* factor, size_t offset)
{
    return *(const float*)(const void*)((const char*)factor + offset);
}

static int largest_integer(uint32_t bits)
{
    return bits == 8 ? INT8_MAX : INT16_MAX;
}

static int largest_weight(uint32_t bits)
{
    return bits == 8 ? UINT8_MAX : UINT16_MAX;
}

// ---------------------------------------------------------------------------------------------
// Units

// The least power of two of which `limit` reach up to a size. It stays so far above the least float
// that products with integers are exact.
static float unit_for(float size, int limit)
{
    int exponent;
    frexpf(size / (float)limit, &exponent);
    float half = ldexpf(1.0f, (exponent > FLT_MIN_EXP + 1 ? exponent : FLT_MIN_EXP + 1) - 1);
    return half * (float)limit >= size ? half : 2.0f * half;
}

static pelt_vec2 units_for(const pelt_normal_factor* factors, uint32_t count, int limit)
{
    float gradient = 0.0f, moment = 0.0f;
    for (uint32_t i = 0; i < count * TABLE_COUNT; ++i)
    {
        const table* t = &tables[i % TABLE_COUNT];
        float* size = t->is_derivative ? &gradient : &moment;
        *size = fmaxf(*size, fabsf(number_at(&factors[i / TABLE_COUNT], t->offset)));
    }
    return (pelt_vec2){unit_for(gradient, limit), unit_for(moment, limit)};
}

pelt_vec2 pelt_normal_units(const pelt_normal_factors* factors, uint32_t vertex)
{
    PELT_ASSERT(factors->bits != 0 && vertex < factors->vertex_count);
    uint32_t first = factors->first[vertex];
    return units_for(factors->factors + first, factors->first[vertex + 1] - first,
                     largest_integer(factors->bits));
}

static bool is_whole(float number, float unit, int limit)
{
    float count = number / unit;
    return fabsf(count) <= (float)limit && count == rintf(count);
}

// Whether a number is the float nearest to a fraction.
static bool is_fraction(float number, int whole)
{
    return number == (float)lrintf(number * (float)whole) / (float)whole;
}

static bool are_axes_quantized(const pelt_normal_factors* factors, uint32_t vertex)
{
    pelt_vec3 t = factors->tangents[vertex];
    pelt_vec2 plane = factors->plane_normals[vertex];
    return is_fraction(t.x, INT16_MAX) && is_fraction(t.y, INT16_MAX) &&
           is_fraction(t.z, INT16_MAX) && is_fraction(plane.x, INT16_MAX) &&
           is_fraction(plane.y, INT16_MAX);
}

bool pelti_normal_is_quantized(const pelt_normal_factors* factors, uint32_t vertex)
{
    pelt_vec2 units = pelt_normal_units(factors, vertex);
    bool is_held = units.y <= 1.0f && are_axes_quantized(factors, vertex);
    for (uint32_t i = factors->first[vertex]; i < factors->first[vertex + 1] && is_held; ++i)
    {
        is_held = is_fraction(factors->factors[i].weight, largest_weight(factors->bits));
        for (uint32_t k = 0; k < TABLE_COUNT && is_held; ++k)
        {
            is_held = is_whole(number_at(&factors->factors[i], tables[k].offset),
                               tables[k].is_derivative ? units.x : units.y,
                               largest_integer(factors->bits));
        }
    }
    return is_held;
}

// ---------------------------------------------------------------------------------------------
// One vertex

// Integers near numbers divided by a unit, with a given sum: what rounding leaves goes to those
// that were rounded furthest away from it.
// @param least  of each
static void round_to_sum(int* out, const double* numbers, uint32_t count, int sum, int least)
{
    int left = sum;
    for (uint32_t i = 0; i < count; ++i)
    {
        int nearest = (int)lrint(numbers[i]);
        out[i] = nearest > least ? nearest : least;
        left -= out[i];
    }
    for (int step = left > 0 ? 1 : -1; left != 0; left -= step)
    {
        uint32_t best = 0;
        double most = -DBL_MAX;
        for (uint32_t i = 0; i < count; ++i)
        {
            double gain = step * (numbers[i] - out[i]);
            if (out[i] + step >= least && gain > most)
            {
                best = i;
                most = gain;
            }
        }
        out[best] += step;
    }
}

static void quantize_vertex(pelt_normal_factor* out, const pelt_normal_factor* in, uint32_t count,
                            uint32_t bits, pelt_vec2 units)
{
    double numbers[FACTOR_MAX];
    int integers[FACTOR_MAX], whole = largest_weight(bits);
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i] = in[i];
        numbers[i] = (double)in[i].weight * whole;
    }
    round_to_sum(integers, numbers, count, whole, 1);
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i].weight = (float)integers[i] / (float)whole;
    }
    for (uint32_t k = 0; k < TABLE_COUNT; ++k)
    {
        float unit = tables[k].is_derivative ? units.x : units.y;
        for (uint32_t i = 0; i < count; ++i)
        {
            numbers[i] = (double)number_at(&in[i], tables[k].offset) / (double)unit;
        }
        int sum = tables[k].sum == 0 ? 0 : (int)lrintf(1.0f / unit);
        round_to_sum(integers, numbers, count, sum, INT_MIN);
        for (uint32_t i = 0; i < count; ++i)
        {
            *number_of(&out[i], tables[k].offset) = (float)integers[i] * unit;
        }
    }
}

// Units that leave room for what rounding gives to single factors.
static pelt_vec2 roomy_units(const pelt_normal_factors* in, uint32_t vertex, uint32_t bits)
{
    uint32_t first = in->first[vertex], count = in->first[vertex + 1] - first;
    return units_for(in->factors + first, count, largest_integer(bits) - (int)count);
}

// Whether integers can hold the factors: moments must sum to one, which is then a multiple of their
// unit.
static bool fits(const pelt_normal_factors* in, uint32_t vertex, uint32_t bits)
{
    uint32_t count = in->first[vertex + 1] - in->first[vertex];
    return count > 0 && count <= FACTOR_MAX && roomy_units(in, vertex, bits).y <= 1.0f;
}

// ---------------------------------------------------------------------------------------------

static float round_direction(float x)
{
    return (float)lrintf(x * (float)INT16_MAX) / (float)INT16_MAX;
}

static void quantize_axes(pelt_vec3* tangents, pelt_vec2* plane_normals,
                          const pelt_normal_factors* in)
{
    for (uint32_t v = 0; v < in->vertex_count; ++v)
    {
        pelt_vec3 t = in->tangents[v];
        tangents[v] =
            pelt_vec3_make(round_direction(t.x), round_direction(t.y), round_direction(t.z));
        plane_normals[v] = (pelt_vec2){round_direction(in->plane_normals[v].x),
                                       round_direction(in->plane_normals[v].y)};
    }
}

static bool quantize_all(pelt_normal_factors* inout, const pelt_normal_factors* from,
                         pelt_arena* arena)
{
    uint32_t count = from->vertex_count, bits = inout->bits;
    uint32_t* first = pelt_arena_alloc(arena, (size_t)count + 1, sizeof *first);
    pelt_normal_factor* factors = pelt_arena_alloc(arena, from->factor_count, sizeof *factors);
    pelt_vec3* tangents = pelt_arena_alloc(arena, count, sizeof *tangents);
    pelt_vec2* plane_normals = pelt_arena_alloc(arena, count, sizeof *plane_normals);
    if (first == NULL || factors == NULL || tangents == NULL || plane_normals == NULL)
    {
        return false;
    }
    for (uint32_t v = 0; v < count; ++v)
    {
        uint32_t kept = fits(from, v, bits) ? from->first[v + 1] - from->first[v] : 0;
        if (kept > 0)
        {
            quantize_vertex(factors + first[v], from->factors + from->first[v], kept, bits,
                            roomy_units(from, v, bits));
        }
        first[v + 1] = first[v] + kept;
        inout->max_factors = kept > inout->max_factors ? kept : inout->max_factors;
    }
    quantize_axes(tangents, plane_normals, from);
    inout->factor_count = first[count];
    inout->first = first;
    inout->factors = factors;
    inout->tangents = tangents;
    inout->plane_normals = plane_normals;
    return true;
}

pelt_result pelt_normal_factors_quantize(pelt_normal_factors* out,
                                         const pelt_normal_factors* factors, uint32_t bits,
                                         pelt_arena* arena)
{
    *out = (pelt_normal_factors){0};
    if (bits != 8 && bits != 16)
    {
        return PELT_ERROR_ARGUMENT;
    }
    pelt_normal_factors quantized = *factors;
    quantized.bits = bits;
    quantized.max_factors = 0;
    if (!quantize_all(&quantized, factors, arena))
    {
        return PELT_ERROR_MEMORY;
    }
    *out = quantized;
    return PELT_OK;
}
