// SPDX-License-Identifier: MIT
// Four floats, such as a quaternion or a row of a matrix, as a vector of the compiler: sums take a
// quarter of the instructions.
#ifndef PELTI_FOUR_H
#define PELTI_FOUR_H

#include "../../include/pelt/math3d.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#if defined(__SSE2__) && !defined(PELT_SCALAR)
#include <emmintrin.h>
#elif defined(__aarch64__) && !defined(PELT_SCALAR)
#include <arm_neon.h>
#endif

/// Operators work on each element; a scalar is broadcast.
typedef float pelti_four __attribute__((vector_size(16)));

/// What comparisons give: -1 for true, 0 for false.
typedef int32_t pelti_four_mask __attribute__((vector_size(16)));

/// Load four floats from memory.
static inline pelti_four pelti_four_load(const void* from)
{
    pelti_four out;
    memcpy(&out, from, sizeof out);
    return out;
}

static inline pelti_four pelti_four_of(pelt_vec3 v, float w)
{
    return (pelti_four){v.x, v.y, v.z, w};
}

static inline pelt_quat pelti_four_quat(pelti_four q)
{
    return pelt_quat_make(q[0], q[1], q[2], q[3]);
}

static inline pelt_vec3 pelti_four_vector(pelti_four a)
{
    return pelt_vec3_make(a[0], a[1], a[2]);
}

static inline float pelti_four_sum(pelti_four a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

static inline void pelti_four_store(void* to, pelti_four row)
{
    memcpy(to, &row, sizeof row);
}

static inline pelti_four pelti_four_root(pelti_four a)
{
#if defined(__SSE2__) && !defined(PELT_SCALAR)
    return (pelti_four)_mm_sqrt_ps((__m128)a);
#elif defined(__aarch64__) && !defined(PELT_SCALAR)
    return (pelti_four)vsqrtq_f32((float32x4_t)a);
#else
    return (pelti_four){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
#endif
}

static inline pelti_four pelti_four_splat(float a)
{
    return (pelti_four){a, a, a, a};
}

#if defined(__clang__)
#define PELTI_FOUR_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define PELTI_FOUR_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (pelti_four_mask){i, j, k, l})
#endif

/// Four rows become the columns of their matrix.
static inline void pelti_four_transpose(pelti_four a[4])
{
    pelti_four low01 = PELTI_FOUR_SHUFFLE(a[0], a[1], 0, 4, 1, 5);
    pelti_four high01 = PELTI_FOUR_SHUFFLE(a[0], a[1], 2, 6, 3, 7);
    pelti_four low23 = PELTI_FOUR_SHUFFLE(a[2], a[3], 0, 4, 1, 5);
    pelti_four high23 = PELTI_FOUR_SHUFFLE(a[2], a[3], 2, 6, 3, 7);
    a[0] = PELTI_FOUR_SHUFFLE(low01, low23, 0, 1, 4, 5);
    a[1] = PELTI_FOUR_SHUFFLE(low01, low23, 2, 3, 6, 7);
    a[2] = PELTI_FOUR_SHUFFLE(high01, high23, 0, 1, 4, 5);
    a[3] = PELTI_FOUR_SHUFFLE(high01, high23, 2, 3, 6, 7);
}

/// An affine map by its rows, as pelt_mat34 has them. Products are those of pelt_mat34_mul() and
/// conversions those of pelt_mat34_from_transform(), to the bit: the same operations in the same
/// order.
typedef struct pelti_rows
{
    pelti_four m[3];
} pelti_rows;

static inline pelti_rows pelti_rows_load(const pelt_mat34* from)
{
    return (pelti_rows){
        {pelti_four_load(from->m[0]), pelti_four_load(from->m[1]), pelti_four_load(from->m[2])}};
}

static inline void pelti_rows_store(pelt_mat34* to, const pelti_rows* rows)
{
    for (int i = 0; i < 3; ++i)
    {
        pelti_four_store(to->m[i], rows->m[i]);
    }
}

static inline pelti_rows pelti_rows_mul(const pelti_rows* a, const pelti_rows* b)
{
    const pelti_four_mask is_last = {0, 0, 0, -1};
    pelti_rows c;
    for (int i = 0; i < 3; ++i)
    {
        pelti_four row = a->m[i];
        pelti_four last = (pelti_four)((pelti_four_mask)row & is_last);
        c.m[i] = pelti_four_splat(row[0]) * b->m[0] + pelti_four_splat(row[1]) * b->m[1] +
                 pelti_four_splat(row[2]) * b->m[2] + last;
    }
    return c;
}

/// Four vectors of three floats, by component.
typedef struct pelti_vectors
{
    pelti_four x, y, z;
} pelti_vectors;

/// @param stride  floats from one vector to the next
static inline pelti_vectors pelti_vectors_load(const float* from, size_t stride)
{
    if (stride == 3)
    {
        pelti_four a = pelti_four_load(from);
        pelti_four b = pelti_four_load(from + 4);
        pelti_four c = pelti_four_load(from + 8);
        pelti_four x = PELTI_FOUR_SHUFFLE(a, b, 0, 3, 6, 6);
        pelti_four y = PELTI_FOUR_SHUFFLE(a, b, 1, 4, 7, 7);
        pelti_four z = PELTI_FOUR_SHUFFLE(a, b, 2, 5, 5, 5);
        return (pelti_vectors){PELTI_FOUR_SHUFFLE(x, c, 0, 1, 2, 5),
                               PELTI_FOUR_SHUFFLE(y, c, 0, 1, 2, 6),
                               PELTI_FOUR_SHUFFLE(z, c, 0, 1, 4, 7)};
    }
    const float *b = from + stride, *c = b + stride, *d = c + stride;
    return (pelti_vectors){
        {from[0], b[0], c[0], d[0]}, {from[1], b[1], c[1], d[1]}, {from[2], b[2], c[2], d[2]}};
}

static inline void pelti_vectors_store(float* to, size_t stride, const pelti_vectors* v)
{
    if (stride == 3)
    {
        pelti_four xy = PELTI_FOUR_SHUFFLE(v->x, v->y, 0, 4, 1, 5);  // x0 y0 x1 y1
        pelti_four yz = PELTI_FOUR_SHUFFLE(v->y, v->z, 1, 5, 2, 6);  // y1 z1 y2 z2
        pelti_four zx = PELTI_FOUR_SHUFFLE(v->z, v->x, 0, 5, 2, 7);  // z0 x1 z2 x3
        pelti_four xy2 = PELTI_FOUR_SHUFFLE(v->x, v->y, 2, 6, 3, 7); // x2 y2 x3 y3
        pelti_four yz3 = PELTI_FOUR_SHUFFLE(v->y, v->z, 3, 7, 3, 7); // y3 z3
        pelti_four_store(to, PELTI_FOUR_SHUFFLE(xy, zx, 0, 1, 4, 5));
        pelti_four_store(to + 4, PELTI_FOUR_SHUFFLE(yz, xy2, 0, 1, 4, 5));
        pelti_four_store(to + 8, PELTI_FOUR_SHUFFLE(zx, yz3, 2, 3, 4, 5));
        return;
    }
    for (size_t i = 0; i < 4; ++i)
    {
        float* at = to + i * stride;
        at[0] = v->x[i];
        at[1] = v->y[i];
        at[2] = v->z[i];
    }
}

static_assert(sizeof(pelt_transform) == 10 * sizeof(float), "translation, rotation, scale");

// Component of four vectors at any distance from each other, in floats.
static inline pelti_four row_gather(const float* from, size_t stride)
{
    return (pelti_four){from[0], from[stride], from[2 * stride], from[3 * stride]};
}

static inline void row_scatter(float* to, size_t stride, pelti_four row)
{
    for (size_t i = 0; i < 4; ++i)
    {
        to[i * stride] = row[i];
    }
}

static_assert(sizeof(pelt_transform) == 10 * sizeof(float), "translation, rotation, scale");

/// Four transforms, one after another in memory.
static inline void pelti_rows_from_transforms(pelti_rows out[4], const pelt_transform from[4])
{
    // Floats 0 to 3, 3 to 6 and 6 to 9 of each: translation, rotation, scale.
    pelti_four t[4], q[4], s[4];
    for (int i = 0; i < 4; ++i)
    {
        const unsigned char* bytes = (const unsigned char*)&from[i];
        t[i] = pelti_four_load(bytes);
        q[i] = pelti_four_load(bytes + offsetof(pelt_transform, rotation));
        s[i] = pelti_four_load(bytes + offsetof(pelt_transform, rotation.w));
    }
    pelti_four_transpose(t);
    pelti_four_transpose(q);
    pelti_four_transpose(s);
    pelti_four x = q[0], y = q[1], z = q[2], w = q[3], x2 = x + x, y2 = y + y, z2 = z + z;
    pelti_four one = pelti_four_splat(1.0f);
    pelti_four rows[3][4] = {
        {(one - (y * y2 + z * z2)) * s[1], (x * y2 - w * z2) * s[2], (x * z2 + w * y2) * s[3],
         t[0]},
        {(x * y2 + w * z2) * s[1], (one - (x * x2 + z * z2)) * s[2], (y * z2 - w * x2) * s[3],
         t[1]},
        {(x * z2 - w * y2) * s[1], (y * z2 + w * x2) * s[2], (one - (x * x2 + y * y2)) * s[3],
         t[2]},
    };
    for (int i = 0; i < 3; ++i)
    {
        pelti_four_transpose(rows[i]);
        for (int k = 0; k < 4; ++k)
        {
            out[k].m[i] = rows[i][k];
        }
    }
}

#endif
