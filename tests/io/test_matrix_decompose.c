// SPDX-License-Identifier: MIT
// Matrices as one transform or two.
#include "matrix_decompose.h"
#include "test.h"

static pelt_mat34 random_matrix(test_random* random)
{
    pelt_mat34 a;
    for (int i = 0; i < 12; ++i)
    {
        a.m[i / 4][i % 4] = test_uniform(random, -2.0f, 2.0f);
    }
    return a;
}

static float matrix_distance(const pelt_mat34* a, const pelt_mat34* b)
{
    float worst = 0.0f;
    for (int i = 0; i < 12; ++i)
    {
        worst = fmaxf(worst, fabsf(a->m[i / 4][i % 4] - b->m[i / 4][i % 4]));
    }
    return worst;
}

// Half of them mirror.
static int any_matrix_is_the_product_of_its_two_parts(void)
{
    test_random random = {3};
    for (int i = 0; i < 1000; ++i)
    {
        pelt_mat34 a = random_matrix(&random);
        pelt_transform parts[2];
        ENSURE(pelti_split_matrix(parts, &a) == 2);
        pelt_mat34 upper = pelt_mat34_from_transform(parts[0]);
        pelt_mat34 lower = pelt_mat34_from_transform(parts[1]);
        pelt_mat34 product = pelt_mat34_mul(&upper, &lower);
        ENSURE_NEAR(matrix_distance(&product, &a), 0.0f, 5e-6);
    }
    return 0;
}

static int matrix_of_a_transform_stays_one_part(void)
{
    test_random random = {4};
    for (int i = 0; i < 1000; ++i)
    {
        // Scales differ, one is zero now and then, and any number of them is negative.
        pelt_transform t = {test_point(&random, 3.0f), test_rotation(&random, 180.0f),
                            test_point(&random, 2.0f)};
        t.scale.y = i % 10 == 0 ? 0.0f : t.scale.y;
        pelt_mat34 a = pelt_mat34_from_transform(t);
        pelt_transform parts[2];
        ENSURE(pelti_split_matrix(parts, &a) == 1);
        pelt_mat34 b = pelt_mat34_from_transform(parts[0]);
        ENSURE_NEAR(matrix_distance(&a, &b), 0.0f, 5e-6);
    }
    return 0;
}

void test_matrix_decompose(void)
{
    RUN(any_matrix_is_the_product_of_its_two_parts);
    RUN(matrix_of_a_transform_stays_one_part);
}
