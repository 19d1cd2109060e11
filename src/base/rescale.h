// SPDX-License-Identifier: MIT
// Powers of two that bring numbers near one. Where only a direction or a sign counts, they may go
// first: they change no digit, and products no longer leave the range of float.
#ifndef PELTI_RESCALE_H
#define PELTI_RESCALE_H

#include "../../include/pelt/math3d.h"

#include <stddef.h>

/// What to multiply with so that the largest of some numbers lies near one; 1 when all are zero.
static inline float pelti_scale_to_one(const float* values, size_t count)
{
    float largest = 0.0f;
    for (size_t i = 0; i < count; ++i)
    {
        largest = fmaxf(largest, fabsf(values[i]));
    }
    int exponent = 0;
    if (largest > 0.0f && isfinite(largest))
    {
        frexpf(largest, &exponent);
    }
    // Beyond these the power itself would be none of float's normal numbers.
    exponent = exponent < -126 ? -126 : exponent > 126 ? 126 : exponent;
    return ldexpf(1.0f, -exponent);
}

static inline pelt_mat3 pelti_mat3_rescale(const pelt_mat3* a)
{
    const pelt_mat3 zero = {0};
    return pelt_mat3_mad(&zero, pelti_scale_to_one(&a->m[0][0], 9), a);
}

#endif
