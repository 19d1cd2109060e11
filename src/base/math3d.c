// SPDX-License-Identifier: MIT
// The parts of math3d.h that are too long to be inline, and eigenvalues.
#include "exact.h"

#include "../../include/pelt/math3d.h"

#include "double3.h"

#include <float.h>
#include <math.h>
#include <string.h>

pelt_quat pelt_quat_slerp(pelt_quat a, pelt_quat b, float t)
{
    float d = pelt_quat_dot(a, b);
    float sign = d < 0.0f ? -1.0f : 1.0f;
    d = fabsf(d);

    float wa = 1.0f - t, wb = t;
    // Below this angle sin(angle) loses digits, and the chord equals the arc in float.
    if (d < 0.9995f)
    {
        float angle = acosf(d);
        float s = sinf(angle);
        wa = sinf(wa * angle) / s;
        wb = sinf(wb * angle) / s;
    }
    return pelt_quat_normalize(
        pelt_quat_add(pelt_quat_scale(a, wa), pelt_quat_scale(b, sign * wb)));
}

pelt_quat pelt_quat_from_mat3(const pelt_mat3* rotation)
{
    // Shepperd's method: divide by the largest component, which is at least one half.
    const float(*m)[3] = rotation->m;
    float trace = m[0][0] + m[1][1] + m[2][2];
    pelt_quat q;

    if (trace > m[0][0] && trace > m[1][1] && trace > m[2][2])
    {
        q = pelt_quat_make(m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1.0f + trace);
    }
    else if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2])
    {
        q = pelt_quat_make(1.0f + m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0],
                           m[2][1] - m[1][2]);
    }
    else if (m[1][1] >= m[2][2])
    {
        q = pelt_quat_make(m[0][1] + m[1][0], 1.0f - m[0][0] + m[1][1] - m[2][2], m[1][2] + m[2][1],
                           m[0][2] - m[2][0]);
    }
    else
    {
        q = pelt_quat_make(m[0][2] + m[2][0], m[1][2] + m[2][1], 1.0f - m[0][0] - m[1][1] + m[2][2],
                           m[1][0] - m[0][1]);
    }
    return pelt_quat_normalize(q.w < 0.0f ? pelt_quat_scale(q, -1.0f) : q);
}

// ---------------------------------------------------------------------------------------------
// Polar decomposition

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void scale3(double a[3], double s)
{
    for (int i = 0; i < 3; ++i)
    {
        a[i] *= s;
    }
}

// The component of b perpendicular to the unit vector a, at unit length.
static void orthonormalize3(double b[3], const double a[3])
{
    double along = dot3(a, b);
    for (int i = 0; i < 3; ++i)
    {
        b[i] -= along * a[i];
    }
    scale3(b, 1.0 / sqrt(dot3(b, b)));
}

// Rotate the unit vector v, which is perpendicular to `from`, by the shortest rotation that takes
// unit vector `from` to unit vector `to`.
static void rotate_along(double out[3], const double v[3], const double from[3], const double to[3])
{
    double cosine = dot3(from, to);
    // For a rotation by 180 degrees every perpendicular axis is shortest: v itself is used and does
    // not change.
    double k = cosine > -1.0 + 1e-12 ? dot3(v, to) / (1.0 + cosine) : 0.0;
    for (int i = 0; i < 3; ++i)
    {
        out[i] = v[i] - k * (from[i] + to[i]);
    }
    orthonormalize3(out, to);
}

typedef struct axes
{
    double v[3][3]; // v[i]: unit direction i before the map, largest stretch first
    double u[3][3]; // u[i]: where the rotation takes it
} axes;

// Relative to the largest stretch. The matrix is squared, so directions below 1e-8 are
// undetermined.
static const double unknown_direction = 1e-7;
// Rounding along a chain of joints has this size; its sign must not mirror a flattened joint.
static const double unknown_handedness = 1e-5;

// Principal directions of a, and where a maps them, made orthonormal and right-handed. Returns
// the singular values.
static void principal_axes(axes* out, double sigma[3], const pelt_mat3* a)
{
    double ata[3][3], values[3], vectors[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            ata[i][j] = 0.0;
            for (int k = 0; k < 3; ++k)
            {
                ata[i][j] += (double)a->m[k][i] * (double)a->m[k][j];
            }
        }
    }
    pelti_eigen_symmetric3(values, vectors, ata);
    for (int i = 0; i < 3; ++i)
    {
        sigma[i] = values[i] > 0.0 ? sqrt(values[i]) : 0.0;
        for (int k = 0; k < 3; ++k)
        {
            out->v[i][k] = vectors[k][i];
        }
    }
    cross3(out->v[2], out->v[0], out->v[1]);

    for (int i = 0; i < 2; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            out->u[i][k] =
                a->m[k][0] * out->v[i][0] + a->m[k][1] * out->v[i][1] + a->m[k][2] * out->v[i][2];
        }
    }
    scale3(out->u[0], 1.0 / sqrt(dot3(out->u[0], out->u[0])));
    if (sigma[1] > unknown_direction * sigma[0])
    {
        orthonormalize3(out->u[1], out->u[0]);
    }
    else
    {
        rotate_along(out->u[1], out->v[1], out->v[0], out->u[0]);
    }
    cross3(out->u[2], out->u[0], out->u[1]);
}

static bool is_zero(const pelt_mat3* a)
{
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            if (a->m[i][j] != 0.0f)
            {
                return false;
            }
        }
    }
    return true;
}

void pelt_mat3_polar(pelt_mat3* rotation, pelt_mat3* stretch, const pelt_mat3* a)
{
    pelt_mat3 input = *a;
    if (is_zero(&input))
    {
        *rotation = pelt_mat3_identity();
        *stretch = input;
        return;
    }

    axes p;
    double sigma[3];
    principal_axes(&p, sigma, &input);

    // U V^T is the nearest orthogonal matrix; of a mirroring map it is improper, and then its
    // negative is the rotation, with a negative definite stretch.
    double image[3];
    for (int k = 0; k < 3; ++k)
    {
        image[k] =
            input.m[k][0] * p.v[2][0] + input.m[k][1] * p.v[2][1] + input.m[k][2] * p.v[2][2];
    }
    bool is_mirror = sigma[2] > unknown_handedness * sigma[0] && dot3(image, p.u[2]) < 0.0;
    double handedness = is_mirror ? -1.0 : 1.0;

    double r[3][3], s[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            r[i][j] = handedness * (p.u[0][i] * p.v[0][j] + p.u[1][i] * p.v[1][j]) +
                      p.u[2][i] * p.v[2][j];
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            s[i][j] = r[0][i] * input.m[0][j] + r[1][i] * input.m[1][j] + r[2][i] * input.m[2][j];
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            double mean = 0.5 * (s[i][j] + s[j][i]);
            rotation->m[i][j] = (float)r[i][j];
            stretch->m[i][j] = (float)fmin(fmax(mean, -(double)FLT_MAX), (double)FLT_MAX);
        }
    }
}

// ---------------------------------------------------------------------------------------------

bool pelt_mat34_inverse(pelt_mat34* out, const pelt_mat34* a)
{
    double m[3][4], c[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 4; ++j)
        {
            m[i][j] = a->m[i][j];
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j)
        {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
    }
    double determinant = m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
    pelt_mat34 result;
    bool is_finite = true;
    for (int i = 0; i < 3; ++i)
    {
        double t = 0.0;
        for (int j = 0; j < 3; ++j)
        {
            double inverse = c[j][i] / determinant;
            t -= inverse * m[j][3];
            is_finite = is_finite && fabs(inverse) <= (double)FLT_MAX;
            result.m[i][j] = is_finite ? (float)inverse : 0.0f;
        }
        is_finite = is_finite && fabs(t) <= (double)FLT_MAX;
        result.m[i][3] = is_finite ? (float)t : 0.0f;
    }
    *out = is_finite ? result : pelt_mat34_identity();
    return is_finite;
}

pelt_transform pelt_transform_blend(pelt_transform a, pelt_transform b, float t)
{
    pelt_transform out = {pelt_vec3_lerp(a.translation, b.translation, t),
                          pelt_quat_slerp(a.rotation, b.rotation, t),
                          pelt_vec3_lerp(a.scale, b.scale, t)};
    return out;
}

pelt_mat34 pelt_mat34_load(const float* matrices, pelt_matrix_layout layout, size_t index)
{
    PELT_ASSERT((uint32_t)layout < PELT_MATRIX_LAYOUT_COUNT);
    const float* from = matrices + index * (layout == PELT_MATRIX_ROWS_3X4 ? 12u : 16u);
    if (layout == PELT_MATRIX_COLUMNS_4X4)
    {
        return pelt_mat34_from_columns(from);
    }
    pelt_mat34 a;
    memcpy(&a, from, sizeof a);
    return a;
}

// ---------------------------------------------------------------------------------------------
// Eigenvalues by cyclic Jacobi iteration: slow, simple and accurate to the last bits

// Rotate rows and columns p and q of a so that a[p][q] becomes zero (Golub and Van Loan, 8.5.2).
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0);
    double s = t * c;

    for (int i = 0; i < 3; ++i)
    {
        double aip = a[i][p], aiq = a[i][q];
        a[i][p] = c * aip - s * aiq;
        a[i][q] = s * aip + c * aiq;
    }
    for (int i = 0; i < 3; ++i)
    {
        double api = a[p][i], aqi = a[q][i];
        a[p][i] = c * api - s * aqi;
        a[q][i] = s * api + c * aqi;
        double vip = v[i][p], viq = v[i][q];
        v[i][p] = c * vip - s * viq;
        v[i][q] = s * vip + c * viq;
    }
}

static void swap_columns(double values[3], double vectors[3][3], int p, int q)
{
    double value = values[p];
    values[p] = values[q];
    values[q] = value;
    for (int i = 0; i < 3; ++i)
    {
        double x = vectors[i][p];
        vectors[i][p] = vectors[i][q];
        vectors[i][q] = x;
    }
}

void pelti_eigen_symmetric3(double values[3], double vectors[3][3], double a[3][3])
{
    static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    double d[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            d[i][j] = i <= j ? a[i][j] : a[j][i];
            vectors[i][j] = i == j ? 1.0 : 0.0;
        }
    }

    // Convergence is quadratic: five sweeps are usual, and twenty are always enough.
    bool is_diagonal = false;
    for (int sweep = 0; sweep < 20 && !is_diagonal; ++sweep)
    {
        is_diagonal = true;
        for (int k = 0; k < 3; ++k)
        {
            int p = pairs[k][0], q = pairs[k][1];
            if (fabs(d[p][q]) > 1e-17 * (fabs(d[p][p]) + fabs(d[q][q])))
            {
                rotate(d, vectors, p, q);
                is_diagonal = false;
            }
        }
    }

    for (int i = 0; i < 3; ++i)
    {
        values[i] = d[i][i];
    }
    for (int k = 0; k < 3; ++k)
    {
        // Bubble sort of three: (0,1), (1,2), (0,1).
        int p = k == 1 ? 1 : 0;
        if (values[p] < values[p + 1])
        {
            swap_columns(values, vectors, p, p + 1);
        }
    }
}
