// SPDX-License-Identifier: MIT
// Columns of a matrix are made perpendicular by rotating them: A V = (R D), so A = R D V^T. The
// first part is a transform, and so is the rotation V^T. Without shear V is the identity.
#include "matrix_decompose.h"

typedef struct columns
{
    double v[3][3]; // v[i]: column i
} columns;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double length(const double a[3])
{
    return sqrt(dot(a, a));
}

// Rotate columns p and q in their plane by the angle with this cosine and sine.
static void rotate_columns(columns* a, int p, int q, double cosine, double sine)
{
    for (int i = 0; i < 3; ++i)
    {
        double x = a->v[p][i], y = a->v[q][i];
        a->v[p][i] = cosine * x - sine * y;
        a->v[q][i] = sine * x + cosine * y;
    }
}

// Make two columns perpendicular; the same rotation is kept in `rotations`. Returns how far off
// they were.
static double make_perpendicular(columns* a, columns* rotations, int p, int q)
{
    double pp = dot(a->v[p], a->v[p]), qq = dot(a->v[q], a->v[q]), pq = dot(a->v[p], a->v[q]);
    double size = sqrt(pp) * sqrt(qq);
    if (!(fabs(pq) > 1e-14 * size))
    {
        return 0.0;
    }
    double zeta = (qq - pp) / (2.0 * pq);
    double tangent = (zeta < 0.0 ? -1.0 : 1.0) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    double cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    rotate_columns(a, p, q, cosine, cosine * tangent);
    rotate_columns(rotations, p, q, cosine, cosine * tangent);
    return fabs(pq) / size;
}

// One-sided Jacobi rotations (Hestenes 1958): a becomes a * rotations, with perpendicular columns.
static void make_all_perpendicular(columns* a, columns* rotations)
{
    *rotations = (columns){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    double off = 1.0;
    for (int sweep = 0; sweep < 40 && off > 0.0; ++sweep)
    {
        off = make_perpendicular(a, rotations, 0, 1);
        off = fmax(off, make_perpendicular(a, rotations, 0, 2));
        off = fmax(off, make_perpendicular(a, rotations, 1, 2));
    }
}

static double largest_cosine(const columns* a)
{
    double largest = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3;
        double size = length(a->v[i]) * length(a->v[j]);
        largest = size > 0.0 ? fmax(largest, fabs(dot(a->v[i], a->v[j])) / size) : largest;
    }
    return largest;
}

// Any unit vector perpendicular to the unit vector a.
static void perpendicular(double out[3], const double a[3])
{
    double axis[3] = {0.0, 0.0, 0.0};
    axis[fabs(a[0]) < 0.6 ? 0 : 1] = 1.0;
    cross(out, a, axis);
    double size = length(out);
    for (int i = 0; i < 3; ++i)
    {
        out[i] /= size;
    }
}

// Give zero columns a direction: perpendicular to the others, and right-handed.
static void complete(columns* unit, const double scale[3])
{
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (scale[i] > 0.0 && !(scale[j] > 0.0))
        {
            // The third one is free as well, or has to agree; in both cases it decides.
            if (scale[k] > 0.0)
            {
                cross(unit->v[j], unit->v[k], unit->v[i]);
            }
            else
            {
                perpendicular(unit->v[j], unit->v[i]);
                cross(unit->v[k], unit->v[i], unit->v[j]);
            }
            return;
        }
    }
    if (!(scale[0] > 0.0))
    {
        *unit = (columns){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    }
}

// Columns that are perpendicular as rotation and scale; a mirror goes into scale x.
static void to_rotation_and_scale(pelt_transform* out, const columns* a)
{
    columns unit = *a;
    double scale[3], normal[3];
    for (int i = 0; i < 3; ++i)
    {
        scale[i] = length(a->v[i]);
        for (int k = 0; k < 3; ++k)
        {
            unit.v[i][k] = scale[i] > 0.0 ? a->v[i][k] / scale[i] : 0.0;
        }
    }
    complete(&unit, scale);
    cross(normal, unit.v[1], unit.v[2]);
    double sign = dot(normal, unit.v[0]) < 0.0 ? -1.0 : 1.0;

    pelt_mat3 rotation;
    for (int k = 0; k < 3; ++k)
    {
        rotation.m[k][0] = (float)(sign * unit.v[0][k]);
        rotation.m[k][1] = (float)unit.v[1][k];
        rotation.m[k][2] = (float)unit.v[2][k];
    }
    out->rotation = pelt_quat_from_mat3(&rotation);
    out->scale = pelt_vec3_make((float)(sign * scale[0]), (float)scale[1], (float)scale[2]);
}

uint32_t pelti_split_matrix(pelt_transform parts[2], const pelt_mat34* matrix)
{
    columns a, rotations;
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            a.v[i][k] = matrix->m[k][i];
        }
    }
    // Rotation matrices written with six digits are off by as much as this.
    bool is_sheared = largest_cosine(&a) > 4e-6;
    if (is_sheared)
    {
        make_all_perpendicular(&a, &rotations);
    }
    parts[0] = parts[1] = pelt_transform_identity();
    parts[0].translation = pelt_mat34_translation(matrix);
    to_rotation_and_scale(&parts[0], &a);
    if (!is_sheared)
    {
        return 1;
    }
    pelt_mat3 back;
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            back.m[i][k] = (float)rotations.v[i][k];
        }
    }
    parts[1].rotation = pelt_quat_from_mat3(&back);
    return 2;
}
