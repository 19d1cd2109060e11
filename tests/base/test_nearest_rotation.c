// SPDX-License-Identifier: MIT
// The rotation that fits vectors best, against rotations that are known.
#include "base/double3.h"
#include "base/nearest_rotation.h"
#include "test.h"

#include <math.h>

static void add(double sum[3][3], double weight, pelti_double3 to, pelti_double3 from)
{
    const double t[3] = {to.x, to.y, to.z}, f[3] = {from.x, from.y, from.z};
    for (int i = 0; i < 9; ++i)
    {
        sum[i / 3][i % 3] += weight * t[i / 3] * f[i % 3];
    }
}

// Rotation by an angle about a unit axis (Rodrigues).
static void make_rotation(double out[3][3], pelti_double3 n, double angle)
{
    double c = cos(angle), s = sin(angle), a[3] = {n.x, n.y, n.z};
    const double across[3][3] = {{0.0, -n.z, n.y}, {n.z, 0.0, -n.x}, {-n.y, n.x, 0.0}};
    for (int i = 0; i < 9; ++i)
    {
        int row = i / 3, column = i % 3;
        out[row][column] =
            (row == column ? c : 0.0) + (1.0 - c) * a[row] * a[column] + s * across[row][column];
    }
}

static pelti_double3 rotate(double r[3][3], pelti_double3 v)
{
    return (pelti_double3){r[0][0] * v.x + r[0][1] * v.y + r[0][2] * v.z,
                           r[1][0] * v.x + r[1][1] * v.y + r[1][2] * v.z,
                           r[2][0] * v.x + r[2][1] * v.y + r[2][2] * v.z};
}

static double largest_difference(double a[3][3], double b[3][3])
{
    double most = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        most = fmax(most, fabs(a[i / 3][i % 3] - b[i / 3][i % 3]));
    }
    return most;
}

static double determinant(double r[3][3])
{
    return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
           r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
           r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

static pelti_double3 random_unit(test_random* random)
{
    return pelti_double3_unit(pelti_double3_from(test_point(random, 1.0f)));
}

// Vectors in space, in a plane, in a plane that is nearly a line; of any size.
static int a_rotation_is_found_again(void)
{
    test_random random = {3};
    for (int i = 0; i < 3000; ++i)
    {
        double truth[3][3], found[3][3], sum[3][3] = {{0.0}};
        double angle = i % 5 == 0 ? 3.14159265358979 : (double)test_uniform(&random, 0.0f, 3.1415f);
        double flatness = i % 3 == 0 ? 0.0 : 1.0;
        double thinness = i % 7 == 0 ? 1e-3 : 1.0, size = pow(10.0, i % 40 - 20);
        double squares = 0.0; // the largest sum of R_ij sum_ij, which the truth has
        make_rotation(truth, random_unit(&random), angle);
        for (int k = 0; k < 6; ++k)
        {
            pelti_double3 v = pelti_double3_from(test_point(&random, 1.0f));
            v = (pelti_double3){size * v.x, size * thinness * v.y, size * flatness * v.z};
            add(sum, 0.5 + k, rotate(truth, v), v);
            squares += (0.5 + k) * pelti_double3_dot(v, v);
        }
        const double bounds[2] = {(double)INFINITY, squares};
        for (int k = 0; k < 2; ++k)
        {
            pelti_nearest_rotation(found, sum, bounds[k]);
            ENSURE_NEAR(largest_difference(found, truth), 0.0, thinness < 1.0 ? 1e-7 : 1e-10);
        }
    }
    return 0;
}

// What a mirror leaves is the best rotation, not the mirror: about z, by 180 degrees or not at all.
static int the_result_is_never_a_mirror(void)
{
    test_random random = {5};
    for (int i = 0; i < 1000; ++i)
    {
        double found[3][3], sum[3][3];
        for (int k = 0; k < 9; ++k)
        {
            sum[k / 3][k % 3] =
                i % 4 == 0 && k % 3 == 2 ? 0.0 : (double)test_uniform(&random, -1.0f, 1.0f);
        }
        pelti_nearest_rotation(found, sum, (double)INFINITY);
        ENSURE_NEAR(determinant(found), 1.0, 1e-9);
    }
    double mirror[3][3] = {{3.0, 0.0, 0.0}, {0.0, 2.0, 0.0}, {0.0, 0.0, -1.0}};
    double identity[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double found[3][3];
    pelti_nearest_rotation(found, mirror, (double)INFINITY);
    ENSURE_NEAR(largest_difference(found, identity), 0.0, 1e-12);
    return 0;
}

// Ranks 1 and 0 leave a choice; what is found is a rotation all the same.
static int a_line_or_nothing_has_a_rotation(void)
{
    double line[3][3] = {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double nothing[3][3] = {{0.0}};
    double found[3][3];
    pelti_nearest_rotation(found, line, (double)INFINITY);
    ENSURE_NEAR(determinant(found), 1.0, 1e-12);
    ENSURE_NEAR(found[1][0], 1.0, 1e-12);
    pelti_nearest_rotation(found, nothing, (double)INFINITY);
    ENSURE_NEAR(determinant(found), 1.0, 1e-12);
    return 0;
}

void test_nearest_rotation(void)
{
    RUN(a_rotation_is_found_again);
    RUN(the_result_is_never_a_mirror);
    RUN(a_line_or_nothing_has_a_rotation);
}
