// SPDX-License-Identifier: MIT
// A = T R S by polar decomposition, S = V D V^T by Jacobi rotations: T (R V) D is a transform, and
// so is V^T. Without shear S is diagonal and one transform is enough.
#include "matrix_split.h"

// Off-diagonal stretch relative to the largest one: what products of float matrices leave behind.
static const float no_shear = 2e-6f;

static bool is_diagonal(const pelt_mat3* s)
{
    float largest = 0.0f;
    for (int i = 0; i < 3; ++i)
    {
        largest = fmaxf(largest, fabsf(s->m[i][i]));
    }
    float limit = no_shear * largest;
    return fabsf(s->m[0][1]) <= limit && fabsf(s->m[0][2]) <= limit && fabsf(s->m[1][2]) <= limit;
}

// One Jacobi rotation: afterwards d[p][q] is zero (Golub and Van Loan, 8.5.2).
static void turn_pair(double d[3][3], double v[3][3], int p, int q)
{
    double theta = (d[q][q] - d[p][p]) / (2.0 * d[p][q]);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int i = 0; i < 3; ++i)
    {
        double x = d[i][p], y = d[i][q];
        d[i][p] = c * x - s * y;
        d[i][q] = s * x + c * y;
    }
    for (int i = 0; i < 3; ++i)
    {
        double x = d[p][i], y = d[q][i];
        d[p][i] = c * x - s * y;
        d[q][i] = s * x + c * y;
        x = v[i][p];
        y = v[i][q];
        v[i][p] = c * x - s * y;
        v[i][q] = s * x + c * y;
    }
}

// The principal axes of a symmetric matrix as a rotation: Jacobi never mirrors, and starting from
// the identity it stays near it.
static pelt_mat3 principal_axes(pelt_vec3* stretch, const pelt_mat3* symmetric)
{
    double d[3][3], v[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            d[i][j] = (double)(i <= j ? symmetric->m[i][j] : symmetric->m[j][i]);
        }
    }
    // Convergence is quadratic: five sweeps are usual.
    for (int step = 0; step < 60; ++step)
    {
        static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
        int p = pairs[step % 3][0], q = pairs[step % 3][1];
        if (fabs(d[p][q]) > 1e-17 * (fabs(d[p][p]) + fabs(d[q][q])))
        {
            turn_pair(d, v, p, q);
        }
    }
    *stretch = pelt_vec3_make((float)d[0][0], (float)d[1][1], (float)d[2][2]);
    pelt_mat3 axes;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            axes.m[i][j] = (float)v[i][j];
        }
    }
    return axes;
}

uint32_t pelti_split_matrix(pelt_transform parts[2], const pelt_mat34* a)
{
    pelt_mat3 linear = pelt_mat34_linear(a), rotation, stretch;
    pelt_mat3_polar(&rotation, &stretch, &linear);
    parts[0] = parts[1] = pelt_transform_identity();
    parts[0].translation = pelt_mat34_translation(a);
    if (is_diagonal(&stretch))
    {
        parts[0].rotation = pelt_quat_from_mat3(&rotation);
        parts[0].scale = pelt_vec3_make(stretch.m[0][0], stretch.m[1][1], stretch.m[2][2]);
        return 1;
    }
    pelt_mat3 axes = principal_axes(&parts[0].scale, &stretch);
    pelt_mat3 turned = pelt_mat3_mul(&rotation, &axes);
    parts[0].rotation = pelt_quat_from_mat3(&turned);
    parts[1].rotation = pelt_quat_conjugate(pelt_quat_from_mat3(&axes));
    return 2;
}
