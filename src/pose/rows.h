// SPDX-License-Identifier: MIT
// Affine maps as three vectors of four floats, the rows of a pelt_mat34. Products are those of
// pelt_mat34_mul() and conversions those of pelt_mat34_from_transform(), to the bit: the same
// operations in the same order.
#ifndef PELTI_ROWS_H
#define PELTI_ROWS_H

#include "../../include/pelt/pelt.h"

#include "../base/wide.h"

#include <assert.h>
#include <stddef.h>

typedef float pelti_row __attribute__((vector_size(16)));
typedef int32_t pelti_row_mask __attribute__((vector_size(16)));

typedef struct pelti_rows
{
    pelti_row m[3];
} pelti_rows;

PELTI_INLINE pelti_row row_load(const void* from)
{
    pelti_row out;
    memcpy(&out, from, sizeof out);
    return out;
}

PELTI_INLINE void row_store(void* to, pelti_row row)
{
    memcpy(to, &row, sizeof row);
}

PELTI_INLINE pelti_row row_splat(float a)
{
    return (pelti_row){a, a, a, a};
}

// Four rows become the columns of their matrix.
PELTI_INLINE void row_transpose(pelti_row a[4])
{
#if defined(__clang__)
#define PELTI_ROW_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define PELTI_ROW_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (pelti_row_mask){i, j, k, l})
#endif
    pelti_row low01 = PELTI_ROW_SHUFFLE(a[0], a[1], 0, 4, 1, 5);
    pelti_row high01 = PELTI_ROW_SHUFFLE(a[0], a[1], 2, 6, 3, 7);
    pelti_row low23 = PELTI_ROW_SHUFFLE(a[2], a[3], 0, 4, 1, 5);
    pelti_row high23 = PELTI_ROW_SHUFFLE(a[2], a[3], 2, 6, 3, 7);
    a[0] = PELTI_ROW_SHUFFLE(low01, low23, 0, 1, 4, 5);
    a[1] = PELTI_ROW_SHUFFLE(low01, low23, 2, 3, 6, 7);
    a[2] = PELTI_ROW_SHUFFLE(high01, high23, 0, 1, 4, 5);
    a[3] = PELTI_ROW_SHUFFLE(high01, high23, 2, 3, 6, 7);
#undef PELTI_ROW_SHUFFLE
}

PELTI_INLINE pelti_rows rows_load(const pelt_mat34* from)
{
    return (pelti_rows){{row_load(from->m[0]), row_load(from->m[1]), row_load(from->m[2])}};
}

PELTI_INLINE void rows_store(pelt_mat34* to, const pelti_rows* rows)
{
    for (int i = 0; i < 3; ++i)
    {
        row_store(to->m[i], rows->m[i]);
    }
}

PELTI_INLINE pelti_rows rows_mul(const pelti_rows* a, const pelti_rows* b)
{
    const pelti_row_mask is_last = {0, 0, 0, -1};
    pelti_rows c;
    for (int i = 0; i < 3; ++i)
    {
        pelti_row row = a->m[i];
        pelti_row last = (pelti_row)((pelti_row_mask)row & is_last);
        c.m[i] = row_splat(row[0]) * b->m[0] + row_splat(row[1]) * b->m[1] +
                 row_splat(row[2]) * b->m[2] + last;
    }
    return c;
}

static_assert(sizeof(pelt_transform) == 10 * sizeof(float), "translation, rotation, scale");

// Four transforms, one after another in memory.
PELTI_INLINE void rows_from_transforms(pelti_rows out[4], const pelt_transform from[4])
{
    // Floats 0 to 3, 3 to 6 and 6 to 9 of each: translation, rotation, scale.
    pelti_row t[4], q[4], s[4];
    for (int i = 0; i < 4; ++i)
    {
        const unsigned char* bytes = (const unsigned char*)&from[i];
        t[i] = row_load(bytes);
        q[i] = row_load(bytes + offsetof(pelt_transform, rotation));
        s[i] = row_load(bytes + offsetof(pelt_transform, rotation.w));
    }
    row_transpose(t);
    row_transpose(q);
    row_transpose(s);
    pelti_row x = q[0], y = q[1], z = q[2], w = q[3], x2 = x + x, y2 = y + y, z2 = z + z;
    pelti_row one = row_splat(1.0f);
    pelti_row rows[3][4] = {
        {(one - (y * y2 + z * z2)) * s[1], (x * y2 - w * z2) * s[2], (x * z2 + w * y2) * s[3],
         t[0]},
        {(x * y2 + w * z2) * s[1], (one - (x * x2 + z * z2)) * s[2], (y * z2 - w * x2) * s[3],
         t[1]},
        {(x * z2 - w * y2) * s[1], (y * z2 + w * x2) * s[2], (one - (x * x2 + y * y2)) * s[3],
         t[2]},
    };
    for (int i = 0; i < 3; ++i)
    {
        row_transpose(rows[i]);
        for (int k = 0; k < 4; ++k)
        {
            out[k].m[i] = rows[i][k];
        }
    }
}

#endif
