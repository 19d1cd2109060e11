// SPDX-License-Identifier: MIT
// The rotation that fits a set of vectors best, in the sense of least squares.
#include "exact.h"

#include "nearest_rotation.h"

#include "double3.h"

// ---------------------------------------------------------------------------------------------
// By principal axes: slower, and right for every matrix

// The rotation nearest to sum (Kabsch 1976), never a mirror. Its action along the direction in
// which sum is smallest follows from the other two, so that a flat ring has one too.
static void fit_by_axes(double rotation[3][3], double sum[3][3])
{
    double square[3][3], values[3], v[3][3], u[3][3] = {{0.0}};
    for (int i = 0; i < 9; ++i)
    {
        int row = i / 3, column = i % 3;
        square[row][column] = sum[0][row] * sum[0][column] + sum[1][row] * sum[1][column] +
                              sum[2][row] * sum[2][column];
    }
    pelti_eigen_symmetric3(values, v, square);
    pelti_double3 from[3], to[3];
    for (int k = 0; k < 2; ++k)
    {
        from[k] = (pelti_double3){v[0][k], v[1][k], v[2][k]};
        to[k] =
            (pelti_double3){sum[0][0] * from[k].x + sum[0][1] * from[k].y + sum[0][2] * from[k].z,
                            sum[1][0] * from[k].x + sum[1][1] * from[k].y + sum[1][2] * from[k].z,
                            sum[2][0] * from[k].x + sum[2][1] * from[k].y + sum[2][2] * from[k].z};
    }
    double size = pelti_double3_length(to[0]);
    to[0] = size > 0.0 ? pelti_double3_unit(to[0]) : from[0];
    to[1] = pelti_double3_mad(to[1], -pelti_double3_dot(to[0], to[1]), to[0]);
    to[1] = pelti_double3_length(to[1]) > 1e-12 * size ? pelti_double3_unit(to[1])
                                                       : pelti_double3_across(to[0]);
    from[2] = pelti_double3_cross(from[0], from[1]);
    to[2] = pelti_double3_cross(to[0], to[1]);
    for (int k = 0; k < 3; ++k)
    {
        double t[3] = {to[k].x, to[k].y, to[k].z}, f[3] = {from[k].x, from[k].y, from[k].z};
        for (int i = 0; i < 9; ++i)
        {
            u[i / 3][i % 3] += t[i / 3] * f[i % 3];
        }
    }
    for (int i = 0; i < 9; ++i)
    {
        rotation[i / 3][i % 3] = u[i / 3][i % 3];
    }
}

// ---------------------------------------------------------------------------------------------
// By quaternion: the unit quaternion of the best rotation is the eigenvector of the largest
// eigenvalue of a symmetric 4x4 matrix (Horn 1987), which is found by Newton's method on the
// characteristic polynomial (Theobald 2005)

enum
{
    NEWTON_COUNT = 32,
};

// Products of the gaps between the largest eigenvalue and the others that are smaller than this
// part of its cube leave the eigenvector with errors above 1e-9.
static const double least_gap = 1e-3;

static double determinant3(double m[4][4], const int rows[3], const int columns[3])
{
    const double *a = m[rows[0]], *b = m[rows[1]], *c = m[rows[2]];
    int x = columns[0], y = columns[1], z = columns[2];
    return a[x] * (b[y] * c[z] - b[z] * c[y]) - a[y] * (b[x] * c[z] - b[z] * c[x]) +
           a[z] * (b[x] * c[y] - b[y] * c[x]);
}

// Newton's method from a bound above the largest root, where the polynomial is convex, never
// overshoots. The nearer the bound, the fewer steps: two or three for vectors that are hardly
// strained.
static double largest_root(double s[3][3], double square, double bound)
{
    double cofactors[9], determinant = 0.0, sum = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        int a = (i / 3 + 1) % 3, b = (i / 3 + 2) % 3, c = (i % 3 + 1) % 3, d = (i % 3 + 2) % 3;
        cofactors[i] = s[a][c] * s[b][d] - s[a][d] * s[b][c];
        determinant += i < 3 ? s[0][i] * cofactors[i] : 0.0;
        sum += cofactors[i] * cofactors[i];
    }
    double c2 = -2.0 * square, c1 = -8.0 * determinant, c0 = square * square - 4.0 * sum;
    double root = fmin(sqrt(3.0 * square), bound);
    for (int i = 0; i < NEWTON_COUNT; ++i)
    {
        double value = ((root * root + c2) * root + c1) * root + c0;
        double slope = (4.0 * root * root + 2.0 * c2) * root + c1;
        double step = slope > 0.0 ? value / slope : 0.0;
        root -= step;
        if (!(fabs(step) > 1e-15 * root))
        {
            break;
        }
    }
    return root;
}

// @param q  w, x, y, z. @return false: the matrix does not tell it well enough
static bool fit_quaternion(double q[4], double s[3][3], double bound)
{
    static const int others[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    double square = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        square += s[i / 3][i % 3] * s[i / 3][i % 3];
    }
    double root = largest_root(s, square, bound);
    double n[4][4] = {{s[0][0] + s[1][1] + s[2][2] - root, s[2][1] - s[1][2], s[0][2] - s[2][0],
                       s[1][0] - s[0][1]},
                      {s[2][1] - s[1][2], s[0][0] - s[1][1] - s[2][2] - root, s[1][0] + s[0][1],
                       s[0][2] + s[2][0]},
                      {s[0][2] - s[2][0], s[1][0] + s[0][1], s[1][1] - s[0][0] - s[2][2] - root,
                       s[2][1] + s[1][2]},
                      {s[1][0] - s[0][1], s[0][2] + s[2][0], s[2][1] + s[1][2],
                       s[2][2] - s[0][0] - s[1][1] - root}};
    // The adjugate is the product of the eigenvector with itself, times minus the gaps.
    int best = 0;
    double most = 0.0, gaps = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        double minor = -determinant3(n, others[i], others[i]);
        gaps += minor;
        best = minor > most ? i : best;
        most = fmax(most, minor);
    }
    if (!(gaps > least_gap * root * root * root))
    {
        return false;
    }
    double length = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        double sign = (i + best) % 2 == 0 ? 1.0 : -1.0;
        q[i] = sign * determinant3(n, others[best], others[i]);
        length += q[i] * q[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 4; ++i)
    {
        q[i] /= length;
    }
    return length > 0.0;
}

void pelti_nearest_rotation(double rotation[3][3], double sum[3][3], double bound)
{
    // By powers of two, so that units do not matter and there is no rounding.
    double largest = 0.0, scaled[3][3], q[4];
    for (int i = 0; i < 9; ++i)
    {
        largest = fmax(largest, fabs(sum[i / 3][i % 3]));
    }
    int exponent = 0;
    if (largest > 0.0 && isfinite(largest))
    {
        frexp(largest, &exponent);
    }
    double scale = ldexp(1.0, -exponent);
    for (int i = 0; i < 9; ++i)
    {
        scaled[i / 3][i % 3] = scale * sum[i / 3][i % 3];
    }
    // Rounding must not put the bound below the root.
    if (!fit_quaternion(q, scaled, (1.0 + 1e-12) * scale * bound))
    {
        fit_by_axes(rotation, sum);
        return;
    }
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double r[9] = {
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z),       2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),       2.0 * (y * z + w * x),       1.0 - 2.0 * (x * x + y * y)};
    for (int i = 0; i < 9; ++i)
    {
        rotation[i / 3][i % 3] = r[i];
    }
}
