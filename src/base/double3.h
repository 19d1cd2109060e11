// SPDX-License-Identifier: MIT
// Vectors and eigenvalues in double precision, for what is computed once and offline.
#ifndef PELTI_DOUBLE3_H
#define PELTI_DOUBLE3_H

#include "../../include/pelt/math3d.h"

typedef struct pelti_double3
{
    double x, y, z;
} pelti_double3;

static inline pelti_double3 pelti_double3_from(pelt_vec3 a)
{
    return (pelti_double3){a.x, a.y, a.z};
}

static inline pelt_vec3 pelti_double3_to(pelti_double3 a)
{
    return pelt_vec3_make((float)a.x, (float)a.y, (float)a.z);
}

static inline pelti_double3 pelti_double3_sub(pelti_double3 a, pelti_double3 b)
{
    return (pelti_double3){a.x - b.x, a.y - b.y, a.z - b.z};
}

/// a + s * b
static inline pelti_double3 pelti_double3_mad(pelti_double3 a, double s, pelti_double3 b)
{
    return (pelti_double3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline pelti_double3 pelti_double3_scale(pelti_double3 a, double s)
{
    return (pelti_double3){a.x * s, a.y * s, a.z * s};
}

static inline double pelti_double3_dot(pelti_double3 a, pelti_double3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline pelti_double3 pelti_double3_cross(pelti_double3 a, pelti_double3 b)
{
    return (pelti_double3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double pelti_double3_length(pelti_double3 a)
{
    return sqrt(pelti_double3_dot(a, a));
}

/// Unit vector along a; zero stays zero.
static inline pelti_double3 pelti_double3_unit(pelti_double3 a)
{
    double length = pelti_double3_length(a);
    return pelti_double3_scale(a, length > 0.0 ? 1.0 / length : 0.0);
}

/// A unit vector across the unit vector n.
static inline pelti_double3 pelti_double3_across(pelti_double3 n)
{
    pelti_double3 axis =
        fabs(n.x) < 0.6 ? (pelti_double3){1.0, 0.0, 0.0} : (pelti_double3){0.0, 1.0, 0.0};
    return pelti_double3_unit(pelti_double3_mad(axis, -pelti_double3_dot(axis, n), n));
}

// ---------------------------------------------------------------------------------------------
// Eigenvalues: math3d.c

/// a = sum of values[i] * v_i v_i^T with v_i the orthonormal columns of `vectors`, largest value
/// first. Only the upper triangle of a is read.
void pelti_eigen_symmetric3(double values[3], double vectors[3][3], double a[3][3]);

#endif
