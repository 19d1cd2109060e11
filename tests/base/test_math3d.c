// SPDX-License-Identifier: MIT
// Polar decomposition, quaternions, dual quaternions, matrices.
#include "test.h"

#include <string.h>

// Rounding to float moves a number by this much of itself at most.
static const double rounding = 6e-8;

// Leibniz: along the three diagonals and against them.
static double determinant_of(const pelt_mat3* a)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        sum += (double)a->m[0][k] * a->m[1][(k + 1) % 3] * a->m[2][(k + 2) % 3];
        sum -= (double)a->m[0][k] * a->m[1][(k + 2) % 3] * a->m[2][(k + 1) % 3];
    }
    return sum;
}

static double largest_difference(const pelt_mat3* a, const pelt_mat3* b)
{
    double largest = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        double d = (double)a->m[i / 3][i % 3] - (double)b->m[i / 3][i % 3];
        largest = isnan(d) ? INFINITY : fmax(largest, fabs(d));
    }
    return largest;
}

// Largest difference of two rotations: q and -q are the same.
static double quat_difference(pelt_quat a, pelt_quat b)
{
    float side = pelt_quat_dot(a, b) < 0.0f ? -1.0f : 1.0f;
    return fmax(fmax(fabs((double)(a.x - side * b.x)), fabs((double)(a.y - side * b.y))),
                fmax(fabs((double)(a.z - side * b.z)), fabs((double)(a.w - side * b.w))));
}

static pelt_mat3 scaled(const pelt_mat3* a, float s)
{
    pelt_mat3 zero = {0};
    return pelt_mat3_mad(&zero, s, a);
}

static pelt_mat3 diagonal(float x, float y, float z)
{
    return (pelt_mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

static pelt_mat3 random_matrix(test_random* random)
{
    pelt_mat3 a;
    for (int i = 0; i < 9; ++i)
    {
        a.m[i / 3][i % 3] = test_uniform(random, -1.0f, 1.0f);
    }
    return a;
}

// Rotate, stretch along the axes, rotate: every matrix has this form.
static pelt_mat3 rotated_diagonal(test_random* random, float x, float y, float z)
{
    pelt_mat3 left = pelt_mat3_from_quat(test_rotation(random, 180.0f)),
              right = pelt_mat3_from_quat(test_rotation(random, 180.0f));
    pelt_mat3 stretch = diagonal(x, y, z);
    pelt_mat3 inner = pelt_mat3_mul(&stretch, &right);
    return pelt_mat3_mul(&left, &inner);
}

// R is a rotation, S symmetric, and R S = a. Entries of R and S are rounded once each, and three
// products add up: 3 * 2 roundings, relative to the largest stretch; twice that to be safe.
static int check_polar(const pelt_mat3* a)
{
    pelt_mat3 r, s;
    pelt_mat3_polar(&r, &s, a);
    pelt_mat3 zero = {0};
    double size = largest_difference(&s, &zero);
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            double product = 0.0, gram = 0.0;
            for (int k = 0; k < 3; ++k)
            {
                product += (double)r.m[i][k] * (double)s.m[k][j];
                gram += (double)r.m[k][i] * (double)r.m[k][j];
            }
            ENSURE(isfinite(r.m[i][j]) && isfinite(s.m[i][j]));
            ENSURE(s.m[i][j] == s.m[j][i]);
            ENSURE_NEAR(gram, i == j ? 1.0 : 0.0, 12 * rounding);
            ENSURE_NEAR(product, a->m[i][j], 12 * rounding * size + 1e-44);
        }
    }
    ENSURE_NEAR(determinant_of(&r), 1.0, 12 * rounding);
    return 0;
}

// The stretch is positive definite, or negative definite for a mirror. Sylvester: by the signs of
// the leading minors.
static bool has_definite_stretch(const pelt_mat3* a)
{
    pelt_mat3 r, s;
    pelt_mat3_polar(&r, &s, a);
    double side = determinant_of(a) > 0.0 ? 1.0 : -1.0;
    double x = s.m[0][0], xy = s.m[0][1], y = s.m[1][1];
    return side * x > 0.0 && x * y - xy * xy > 0.0 && side * determinant_of(&s) > 0.0;
}

static int polar_splits_any_matrix(void)
{
    test_random random = {1};
    for (int i = 0; i < 2000; ++i)
    {
        pelt_mat3 a = random_matrix(&random);
        pelt_mat3 shear = {{{1, test_uniform(&random, -9, 9), 0}, {0, 1, 0}, {0, 0, 1}}};
        pelt_mat3 thin = rotated_diagonal(&random, 1.0f, 1e-3f, 1e-5f);
        pelt_mat3 flat = rotated_diagonal(&random, 100.0f, 100.0f, -0.01f);
        pelt_mat3 needle = rotated_diagonal(&random, 1.0f, 5e-6f, 3e-6f);
        ENSURE(check_polar(&a) == 0 && check_polar(&needle) == 0);
        ENSURE(fabs(determinant_of(&a)) < 1e-3 || has_definite_stretch(&a));
        ENSURE(check_polar(&shear) == 0);
        ENSURE(check_polar(&thin) == 0 && check_polar(&flat) == 0);
    }
    return 0;
}

// The 48 symmetries of the cube: multiplying by them only moves and negates entries, so nothing
// is rounded before the split and both splits must agree to the rounding of their results.
static pelt_mat3 cube_symmetry(int index)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    pelt_mat3 g = {0};
    for (int i = 0; i < 3; ++i)
    {
        g.m[i][orders[index % 6][i]] = (index / 6) >> i & 1 ? -1.0f : 1.0f;
    }
    return g;
}

static int polar_moves_along_with_the_world(void)
{
    test_random random = {3};
    for (int i = 0; i < 200; ++i)
    {
        pelt_mat3 a = random_matrix(&random), r, s, rotated_r, rotated_s;
        if (fabs(determinant_of(&a)) < 1e-2)
        {
            continue; // the rotation of a nearly singular matrix magnifies rounding
        }
        pelt_mat3_polar(&r, &s, &a);
        for (int k = 0; k < 48; ++k)
        {
            pelt_mat3 g = cube_symmetry(k), ga = pelt_mat3_mul(&g, &a);
            pelt_mat3 gr = pelt_mat3_mul(&g, &r);
            float side = determinant_of(&g) > 0.0 ? 1.0f : -1.0f;
            pelt_mat3 expected_r = scaled(&gr, side), expected_s = scaled(&s, side);
            pelt_mat3_polar(&rotated_r, &rotated_s, &ga);
            ENSURE_NEAR(largest_difference(&rotated_r, &expected_r), 0.0, 4 * rounding);
            ENSURE_NEAR(largest_difference(&rotated_s, &expected_s), 0.0, 8 * rounding);
        }
    }
    return 0;
}

static int singular_matrices_get_some_rotation(void)
{
    test_random random = {5};
    for (int i = 0; i < 500; ++i)
    {
        float x = test_uniform(&random, 0.1f, 3.0f), y = test_uniform(&random, 0.1f, 3.0f);
        pelt_mat3 plane = diagonal(x, y, 0.0f);
        pelt_mat3 rotated = rotated_diagonal(&random, x, y, 0.0f);
        pelt_mat3 needle = rotated_diagonal(&random, 0.0f, 0.0f, x);
        ENSURE(check_polar(&plane) == 0);
        ENSURE(check_polar(&rotated) == 0);
        ENSURE(check_polar(&needle) == 0);
    }
    pelt_mat3 backwards = diagonal(-1, 0, 0), zero = {0}, identity = diagonal(1, 1, 1), r, s;
    ENSURE(check_polar(&backwards) == 0);
    pelt_mat3_polar(&r, &s, &zero);
    ENSURE(memcmp(&r, &identity, sizeof r) == 0 && memcmp(&s, &zero, sizeof s) == 0);
    return 0;
}

// A joint scaled to nothing along one axis, down a chain of joints: the sign of its determinant is
// noise of the multiplications, and must not change the rotation by 180 degrees.
static int flattened_joint_does_not_flip(void)
{
    test_random random = {6};
    for (int i = 0; i < 5000; ++i)
    {
        pelt_mat3 a = rotated_diagonal(&random, 1.0f, 1.0f, 0.0f), r, s;
        for (int joint = 0; joint < 20; ++joint)
        {
            pelt_mat3 rotation = pelt_mat3_from_quat(test_rotation(&random, 180.0f));
            a = pelt_mat3_mul(&rotation, &a);
        }
        pelt_mat3_polar(&r, &s, &a);
        ENSURE_NEAR(s.m[0][0] + s.m[1][1] + s.m[2][2], 2.0, 1e-4);
    }
    return 0;
}

static int polar_survives_any_magnitude(void)
{
    static const float sizes[] = {1e-38f, 1e-20f, 1e-10f, 1e10f, 1e15f, 1e38f};
    test_random random = {7};
    for (int i = 0; i < 600; ++i)
    {
        pelt_mat3 a = random_matrix(&random), b = scaled(&a, sizes[i % 6]);
        ENSURE(check_polar(&b) == 0);
    }
    return 0;
}

static int quaternion_and_matrix_are_the_same_rotation(void)
{
    test_random random = {8};
    for (int i = 0; i < 2000; ++i)
    {
        pelt_quat q = test_rotation(&random, 360.0f);
        pelt_mat3 r = pelt_mat3_from_quat(q);
        pelt_quat back = pelt_quat_from_mat3(&r);
        ENSURE(back.w >= 0.0f);
        ENSURE_NEAR(quat_difference(q, back), 0.0, 3e-7);
        pelt_vec3 p = test_point(&random, 1.0f);
        ENSURE_POINT(pelt_quat_rotate(q, p), pelt_mat3_vector(&r, p), 1e-6);
    }
    return 0;
}

static int rotations_by_180_degrees_have_exact_quaternions(void)
{
    const pelt_mat3 rotates[3] = {diagonal(1, -1, -1), diagonal(-1, 1, -1), diagonal(-1, -1, 1)};
    for (int i = 0; i < 3; ++i)
    {
        pelt_quat q = pelt_quat_from_mat3(&rotates[i]);
        ENSURE(fabsf(q.x) == (i == 0) && fabsf(q.y) == (i == 1) && fabsf(q.z) == (i == 2));
        ENSURE(q.w == 0.0f);
        pelt_mat3 back = pelt_mat3_from_quat(q);
        ENSURE(largest_difference(&back, &rotates[i]) == 0.0);
    }
    test_random random = {9};
    for (int i = 0; i < 500; ++i)
    {
        pelt_quat q = pelt_quat_axis_angle(test_point(&random, 1.0f), PELT_PI);
        pelt_mat3 rotation = pelt_mat3_from_quat(q);
        ENSURE(pelt_quat_from_mat3(&rotation).w >= 0.0f);
        ENSURE_NEAR(quat_difference(pelt_quat_from_mat3(&rotation), q), 0.0, 3e-7);
    }
    return 0;
}

// Rotations about one axis: the angle is linear in t. The chord that replaces arcs below 3.6
// degrees is off by 5e-7 radians at most.
static int slerp_rotates_at_constant_speed(void)
{
    const pelt_vec3 axis = {1.0f, -2.0f, 0.5f};
    for (float rotation = 0.0f; rotation < 3.1f; rotation += 0.021f)
    {
        pelt_quat a = pelt_quat_axis_angle(axis, 0.3f),
                  b = pelt_quat_axis_angle(axis, 0.3f + rotation);
        for (float t = 0.0f; t <= 1.0f; t += 0.125f)
        {
            pelt_quat expected = pelt_quat_axis_angle(axis, 0.3f + t * rotation);
            ENSURE_NEAR(quat_difference(pelt_quat_slerp(a, b, t), expected), 0.0, 1e-6);
        }
    }
    return 0;
}

static int slerp_takes_the_shorter_arc_between_its_ends(void)
{
    test_random random = {10};
    for (int i = 0; i < 500; ++i)
    {
        pelt_quat a = test_rotation(&random, 360.0f), b = test_rotation(&random, 360.0f);
        float t = test_uniform(&random, 0.0f, 1.0f);
        pelt_quat q = pelt_quat_slerp(a, b, t);
        pelt_quat flipped = pelt_quat_slerp(a, pelt_quat_scale(b, -1.0f), t);
        // Negation is exact, so the same rotation comes out to the bit.
        ENSURE(memcmp(&q, &flipped, sizeof q) == 0);
        double arc = acos(fmin(1.0, fabs((double)pelt_quat_dot(a, b))));
        double part = acos(fmin(1.0, fabs((double)pelt_quat_dot(a, q))));
        ENSURE_NEAR(part, t * arc, 1e-3); // acos converts a rounding near 1 into its root
        ENSURE_NEAR(quat_difference(pelt_quat_slerp(a, b, 0.0f), a), 0.0, 4 * rounding);
        ENSURE_NEAR(quat_difference(pelt_quat_slerp(a, b, 1.0f), b), 0.0, 4 * rounding);
        ENSURE_NEAR(pelt_quat_dot(q, q), 1.0, 8 * rounding);
    }
    return 0;
}

// Without division: cofactor(a) transposed times a = determinant times identity.
static int cofactor_is_determinant_times_inverse_transpose(void)
{
    test_random random = {12};
    for (int i = 0; i < 500; ++i)
    {
        pelt_mat3 a = random_matrix(&random), c = pelt_mat3_cofactor(&a);
        pelt_mat3 rotation = pelt_mat3_from_quat(test_rotation(&random, 180.0f)),
                  same = pelt_mat3_cofactor(&rotation);
        for (int k = 0; k < 9; ++k)
        {
            double sum = 0.0;
            for (int n = 0; n < 3; ++n)
            {
                sum += (double)c.m[n][k / 3] * a.m[n][k % 3];
            }
            ENSURE_NEAR(sum, k / 3 == k % 3 ? determinant_of(&a) : 0.0, 1e-6);
        }
        ENSURE_NEAR(pelt_mat3_determinant(&a), determinant_of(&a), 1e-6);
        ENSURE_NEAR(largest_difference(&same, &rotation), 0.0, 1e-6);
    }
    pelt_mat3 flat = diagonal(2, 3, 0), normal = diagonal(0, 0, 6), line = diagonal(2, 0, 0),
              zero = {0};
    pelt_mat3 of_flat = pelt_mat3_cofactor(&flat), of_line = pelt_mat3_cofactor(&line);
    ENSURE(largest_difference(&of_flat, &normal) == 0.0);
    ENSURE(largest_difference(&of_line, &zero) == 0.0);
    return 0;
}

// The scale of a mesh quantized to 16 bits sits in its inverse binds: 9.3e-5, determinant 8e-13.
static int inverse_undoes_a_map_of_any_scale(void)
{
    test_random random = {13};
    for (int i = 0; i < 600; ++i)
    {
        float size = i % 3 == 0 ? 1.0f : i % 3 == 1 ? 9.3e-5f : 1e12f;
        pelt_mat3 linear = rotated_diagonal(&random, size, -0.5f * size, 2.0f * size);
        pelt_mat34 a = pelt_mat34_make(&linear, test_point(&random, size)), b;
        ENSURE(pelt_mat34_inverse(&b, &a));
        // Condition 4, and six products rounded each way.
        pelt_vec3 p = test_point(&random, 1.0f);
        ENSURE_POINT(pelt_mat34_point(&b, pelt_mat34_point(&a, p)), p, 5e-6);
    }
    return 0;
}

static int inverse_refuses_what_has_none(void)
{
    pelt_mat34 identity = pelt_mat34_identity(),
               cases[5] = {{{{1, 2, 3, 9}, {4, 5, 6, 9}, {7, 8, 9, 9}}}, {{{0}}}};
    cases[2] = cases[3] = cases[4] = identity;
    cases[2].m[0][0] = INFINITY;
    cases[3].m[1][2] = NAN;
    cases[4].m[1][1] = 1e-40f; // 1e40 is no float
    for (int i = 0; i < 5; ++i)
    {
        pelt_mat34 out = {0};
        ENSURE(!pelt_mat34_inverse(&out, &cases[i]));
        ENSURE(memcmp(&out, &identity, sizeof out) == 0);
    }
    return 0;
}

static int normalize_keeps_the_direction_of_any_size(void)
{
    static const float sizes[] = {1e-37f, 1e-30f, 1e-20f, 1.0f, 1e20f, 1e38f};
    for (int i = 0; i < 6; ++i)
    {
        pelt_vec3 v = pelt_vec3_make(1.0f * sizes[i], -2.0f * sizes[i], 2.0f * sizes[i]);
        pelt_vec3 third = pelt_vec3_make(1.0f / 3.0f, -2.0f / 3.0f, 2.0f / 3.0f);
        ENSURE_POINT(pelt_vec3_normalize(v), third, 5e-7);
    }
    ENSURE(pelt_vec3_length(pelt_vec3_normalize(pelt_vec3_make(0.0f, -0.0f, 0.0f))) == 0.0f);
    return 0;
}

static int quaternions_of_any_size_become_unit(void)
{
    static const float sizes[] = {1e-30f, 1e-22f, 1e-10f, 1.0f, 1e15f, 1e25f};
    ENSURE(pelt_quat_normalize((pelt_quat){0}).w == 1.0f);
    for (int i = 0; i < 6; ++i)
    {
        pelt_quat q = pelt_quat_normalize(pelt_quat_make(0.0f, -3.0f * sizes[i], 0, 4 * sizes[i]));
        ENSURE_NEAR(quat_difference(q, pelt_quat_make(0.0f, -0.6f, 0.0f, 0.8f)), 0.0, 2e-7);
    }
    return 0;
}

void test_math3d(void)
{
    RUN(polar_splits_any_matrix);
    RUN(polar_moves_along_with_the_world);
    RUN(singular_matrices_get_some_rotation);
    RUN(flattened_joint_does_not_flip);
    RUN(polar_survives_any_magnitude);
    RUN(quaternion_and_matrix_are_the_same_rotation);
    RUN(rotations_by_180_degrees_have_exact_quaternions);
    RUN(slerp_rotates_at_constant_speed);
    RUN(slerp_takes_the_shorter_arc_between_its_ends);
    RUN(cofactor_is_determinant_times_inverse_transpose);
    RUN(inverse_undoes_a_map_of_any_scale);
    RUN(inverse_refuses_what_has_none);
    RUN(normalize_keeps_the_direction_of_any_size);
    RUN(quaternions_of_any_size_become_unit);
}
