// SPDX-License-Identifier: MIT
// Powers of two that scale numbers to near 1. Where only a direction or a sign matters, numbers are
// scaled first: this changes no digit, and products stay in the range of float.
#ifndef PELTI_RESCALE_H
#define PELTI_RESCALE_H

#include "../../include/pelt/math3d.h"

#include <stddef.h>

/// The factor that scales the largest of some numbers to near 1; 1 when all are zero.
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
    // Beyond these limits the power itself would not be a normal float.
    exponent = exponent < -126 ? -126 : exponent > 126 ? 126 : exponent;
    return ldexpf(1.0f, -exponent);
}

static inline pelt_mat3 pelti_mat3_rescale(const pelt_mat3* a)
{
    const pelt_mat3 zero = {0};
    return pelt_mat3_mad(&zero, pelti_scale_to_one(&a->m[0][0], 9), a);
}

#endif
