// SPDX-License-Identifier: MIT
// Four floats, such as a quaternion or a row of a matrix, as a vector of the compiler: sums take a
// quarter of the instructions.
#ifndef PELTI_FOUR_H
#define PELTI_FOUR_H

#include "../../include/pelt/math3d.h"

#include <string.h>

/// Operators work on each element; a scalar is broadcast.
typedef float pelti_four __attribute__((vector_size(16)));

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

#endif
