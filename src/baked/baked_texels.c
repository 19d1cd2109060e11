// SPDX-License-Identifier: MIT
// Reads and writes packed numbers and the words that describe them.
#include "../base/exact.h"

#include "baked_texels.h"

#include <float.h>
#include <string.h>

uint32_t pelti_bits_read(const uint32_t* words, size_t bit, uint32_t width)
{
    if (width == 0)
    {
        return 0;
    }
    const uint32_t* word = words + bit / 32;
    uint32_t shift = (uint32_t)(bit % 32);
    uint64_t both = word[0];
    if (shift + width > 32)
    {
        both |= (uint64_t)word[1] << 32;
    }
    return (uint32_t)(both >> shift & ((UINT64_C(1) << width) - 1));
}

void pelti_bits_write(uint32_t* words, size_t bit, uint32_t width, uint32_t value)
{
    uint32_t* word = words + bit / 32;
    uint32_t shift = (uint32_t)(bit % 32);
    uint64_t both = (uint64_t)value << shift;
    if (width > 0)
    {
        word[0] |= (uint32_t)both;
    }
    if (shift + width > 32)
    {
        word[1] |= (uint32_t)(both >> 32);
    }
}

float pelti_word_float(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

uint32_t pelti_float_word(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

// ---------------------------------------------------------------------------------------------
// Components

#define LOW_MASK UINT32_C(0xFFFF8000) // bits 15 to 31: sign, exponent and eight bits of a float
#define CONSTANT_MASK UINT32_C(0xFFFFFFE0)

enum
{
    RANGE_EXPONENT_BIAS = 28,
    PATH_EXPONENT_BIAS = 30,
};

uint32_t pelti_component_bits(uint32_t word)
{
    uint32_t width = word & 31;
    return width == PELTI_WIDTH_FLOAT ? 32 : width;
}

static float range_of(uint32_t code, float scale)
{
    return scale * ldexpf((float)(32 + (code & 31)), (int)(code >> 5) - RANGE_EXPONENT_BIAS);
}

pelti_component pelti_component_read(uint32_t word, float scale)
{
    pelti_component component = {.width = word & 31};
    if (component.width == 0)
    {
        component.low = pelti_word_float(word & CONSTANT_MASK);
    }
    else if (component.width != PELTI_WIDTH_FLOAT)
    {
        component.low = pelti_word_float(word & LOW_MASK);
        component.range = range_of(word >> 5 & 1023, scale);
    }
    return component;
}

float pelti_component_value(const pelti_component* component, uint32_t value)
{
    if (component->width == PELTI_WIDTH_FLOAT)
    {
        return pelti_word_float(value);
    }
    if (component->width == 0)
    {
        return component->low;
    }
    float steps = (float)((UINT32_C(1) << component->width) - 1);
    return component->low + component->range * ((float)value / steps);
}

// Round to a float that has only the bits of a mask, toward minus infinity or to the nearest.
static uint32_t cut_float(float value, uint32_t mask, bool is_down)
{
    uint32_t word = pelti_float_word(value), step = ~mask + 1;
    if (is_down)
    {
        // Clearing bits rounds toward 0, which is up for negative values.
        bool is_cut = (word & ~mask) != 0;
        return (word & mask) + (is_cut && value < 0.0f ? step : 0);
    }
    return (word + step / 2) & mask;
}

uint32_t pelti_component_word(float low, float high, uint32_t width, float scale)
{
    if (width == PELTI_WIDTH_FLOAT)
    {
        return PELTI_WIDTH_FLOAT;
    }
    if (width == 0)
    {
        return cut_float(0.5f * low + 0.5f * high, CONSTANT_MASK, false);
    }
    uint32_t start = cut_float(low, LOW_MASK, true), code = 0;
    // Slightly more than the distance, so that rounding keeps the highest value inside.
    float distance = (high - pelti_word_float(start)) * (1.0f + 4.0f * FLT_EPSILON);
    // The exponent first, then the mantissa.
    while (code < 992 && range_of(code + 31, scale) < distance)
    {
        code += 32;
    }
    while (code < 1023 && range_of(code, scale) < distance)
    {
        ++code;
    }
    return start | code << 5 | width;
}

uint32_t pelti_component_quantize(const pelti_component* component, float value)
{
    if (component->width == PELTI_WIDTH_FLOAT)
    {
        return pelti_float_word(value);
    }
    if (component->width == 0)
    {
        return 0;
    }
    double steps = (double)((UINT32_C(1) << component->width) - 1);
    double step = ((double)value - (double)component->low) / (double)component->range * steps;
    return (uint32_t)fmin(fmax(floor(step + 0.5), 0.0), steps);
}

// ---------------------------------------------------------------------------------------------
// Paths

static float path_range_of(uint32_t code, float scale)
{
    return scale * ldexpf((float)(2 + (code & 1)), (int)(code >> 1) - PATH_EXPONENT_BIAS);
}

pelti_path pelti_path_read(uint32_t word, int axis, float scale)
{
    uint32_t bits = word >> 10 * axis & 1023;
    pelti_path path = {.width = bits & 15, .range = path_range_of(bits >> 4, scale)};
    return path;
}

float pelti_path_value(const pelti_path* path, uint32_t value)
{
    if (path->width == 0)
    {
        return 0.0f;
    }
    float middle = (float)(UINT32_C(1) << (path->width - 1));
    return path->range * (((float)value - middle) / (middle + middle));
}

uint32_t pelti_path_quantize(const pelti_path* path, float value)
{
    if (path->width == 0)
    {
        return 0;
    }
    double middle = (double)(UINT32_C(1) << (path->width - 1));
    double step = (double)value / (double)path->range * 2.0 * middle + middle;
    return (uint32_t)fmin(fmax(floor(step + 0.5), 0.0), 2.0 * middle - 1.0);
}

uint32_t pelti_path_bits(float largest, uint32_t width, float scale)
{
    if (width == 0)
    {
        return 0;
    }
    // The highest step is one below half of the range.
    float share = 0.5f - 1.0f / (float)(UINT32_C(1) << width);
    uint32_t code = 0;
    while (code < 63 && path_range_of(code, scale) * share < largest)
    {
        ++code;
    }
    return code << 4 | width;
}

// ---------------------------------------------------------------------------------------------
// Normals

// Cigolle et al., "A Survey of Efficient Representations for Independent Unit Vectors", 2014.
static void fold(float* x, float* y)
{
    float folded = (1.0f - fabsf(*y)) * (*x < 0.0f ? -1.0f : 1.0f);
    *y = (1.0f - fabsf(*x)) * (*y < 0.0f ? -1.0f : 1.0f);
    *x = folded;
}

pelt_vec3 pelti_octahedral_value(uint32_t x, uint32_t y, uint32_t width)
{
    float steps = (float)((UINT32_C(1) << width) - 1);
    float ex = 2.0f * ((float)x / steps) - 1.0f, ey = 2.0f * ((float)y / steps) - 1.0f;
    float z = 1.0f - fabsf(ex) - fabsf(ey);
    if (z < 0.0f)
    {
        fold(&ex, &ey); // the lower half of the octahedron
    }
    return pelt_vec3_normalize(pelt_vec3_make(ex, ey, z));
}

void pelti_octahedral_quantize(uint32_t* x, uint32_t* y, pelt_vec3 normal, uint32_t width)
{
    float length = sqrtf(pelt_vec3_dot(normal, normal));
    bool has_direction = length > 0.0f && isfinite(length);
    pelt_vec3 n =
        has_direction ? pelt_vec3_scale(normal, 1.0f / length) : pelt_vec3_make(0.0f, 0.0f, 1.0f);
    float sum = fabsf(n.x) + fabsf(n.y) + fabsf(n.z), ex = n.x / sum, ey = n.y / sum;
    if (n.z < 0.0f)
    {
        fold(&ex, &ey);
    }
    uint32_t last = (UINT32_C(1) << width) - 1;
    uint32_t left = (uint32_t)(0.5f * (ex + 1.0f) * (float)last);
    uint32_t below = (uint32_t)(0.5f * (ey + 1.0f) * (float)last);
    float best = INFINITY;
    for (uint32_t i = 0; i < 4; ++i)
    {
        uint32_t a = left + i % 2, b = below + i / 2;
        a = a < last ? a : last;
        b = b < last ? b : last;
        // Cosines of neighbors may be equal in float; squared distances are not.
        pelt_vec3 off = pelt_vec3_sub(pelti_octahedral_value(a, b, width), n);
        float square = pelt_vec3_dot(off, off);
        *x = square < best ? a : *x;
        *y = square < best ? b : *y;
        best = fminf(square, best);
    }
}

// ---------------------------------------------------------------------------------------------
// Rotations

pelt_vec3 pelti_quat_to_vector(pelt_quat q)
{
    float sign = q.w < 0.0f ? -1.0f : 1.0f;
    return pelt_vec3_scale(pelt_vec3_make(q.x, q.y, q.z), sign / (1.0f + sign * q.w));
}

pelt_quat pelti_quat_from_vector(pelt_vec3 v)
{
    float square = pelt_vec3_dot(v, v), factor = 1.0f / (1.0f + square);
    return pelt_quat_make(2.0f * v.x * factor, 2.0f * v.y * factor, 2.0f * v.z * factor,
                          (1.0f - square) * factor);
}

uint32_t pelti_reference_word(pelt_quat q)
{
    pelt_vec3 v = pelti_quat_to_vector(q);
    const float axes[3] = {v.x, v.y, v.z};
    uint32_t word = 0;
    for (int i = 0; i < 3; ++i)
    {
        float step = fminf(fmaxf(floorf(axes[i] * 511.0f + 511.5f), 0.0f), 1022.0f);
        word |= (uint32_t)step << 10 * i;
    }
    return word;
}

pelt_quat pelti_reference_read(uint32_t word)
{
    float axes[3];
    for (int i = 0; i < 3; ++i)
    {
        axes[i] = ((float)(word >> 10 * i & 1023) - 511.0f) / 511.0f;
    }
    return pelti_quat_from_vector(pelt_vec3_make(axes[0], axes[1], axes[2]));
}
