// SPDX-License-Identifier: MIT
// Offsets in four bytes, on points for which the steps are known.
#include "bake/thesis_rays.h"

#include "test.h"

enum
{
    POINTS = 2000
};

// Coordinates are off by half a step of the box at most, and by a twelfth of its square on average.
static int boxes_lose_half_a_step_on_each_axis(void)
{
    test_random random = {3};
    pelt_vec3 offsets[POINTS];
    for (int i = 0; i < POINTS; ++i)
    {
        pelt_vec3 at = test_point(&random, 1.0f);
        offsets[i] = pelt_vec3_make(5.0f + at.x, 2.0f * at.y, 0.1f * at.z);
    }
    thesis_code_error error = thesis_code_measure(THESIS_CODE_BOX, offsets, POINTS);
    double half = 0.5 / 127.0, size = sqrt(1.0 + 4.0 + 0.01);
    ENSURE(error.max <= half * size + 1e-5 && error.max > 0.8 * half * size);
    ENSURE_NEAR(error.rms, half * size / sqrt(3.0), 0.03 * half * size);
    return 0;
}

// On an axis only the length is rounded, to 255 steps from the origin on.
static int rays_on_an_axis_lose_half_a_step_of_their_length(void)
{
    pelt_vec3 offsets[POINTS];
    for (int i = 0; i < POINTS; ++i)
    {
        float length = 3.0f * (float)(i + 1) / POINTS;
        offsets[i] = pelt_vec3_make(0.0f, i % 2 ? length : -length, 0.0f);
    }
    thesis_code_error error = thesis_code_measure(THESIS_CODE_RAY, offsets, POINTS);
    ENSURE_NEAR(error.max, 3.0 * 0.5 / 255.0, 1e-4);
    return 0;
}

// The direction is off by at most half a step on each axis, less the part along the ray.
static int rays_lose_in_proportion_to_their_length(void)
{
    test_random random = {5};
    pelt_vec3 offsets[POINTS];
    for (int i = 0; i < POINTS; ++i)
    {
        pelt_vec3 at = pelt_vec3_normalize(test_point(&random, 1.0f));
        offsets[i] = pelt_vec3_scale(at, i == 0 ? 1.0f : 10.0f / 255.0f);
    }
    thesis_code_error error = thesis_code_measure(THESIS_CODE_RAY, offsets + 1, POINTS - 1);
    double largest = sqrt(3.0) * 0.5 / 127.0 * 1.01;
    ENSURE(error.max <= 10.0 / 255.0 * largest && error.max > 0.5 * 10.0 / 255.0 * largest);
    // One long ray leaves the short ones on a step of the length.
    error = thesis_code_measure(THESIS_CODE_RAY, offsets, POINTS);
    ENSURE(error.rms <= 10.0 / 255.0 * largest);
    return 0;
}

// An ellipsoid is a sphere whose axes are stretched, and so are its errors.
static int ellipsoids_follow_their_axes(void)
{
    test_random random = {7};
    pelt_vec3 round[POINTS], flat[POINTS];
    for (int i = 0; i < POINTS; ++i)
    {
        round[i] = pelt_vec3_normalize(test_point(&random, 1.0f));
        flat[i] = pelt_vec3_make(round[i].x, 0.01f * round[i].y, round[i].z);
    }
    thesis_code_error ellipsoid = thesis_code_measure(THESIS_CODE_ELLIPSOID, flat, POINTS);
    thesis_code_error sphere = thesis_code_measure(THESIS_CODE_RAY, round, POINTS);
    ENSURE(ellipsoid.max <= 1.1 * sphere.max && ellipsoid.rms < sphere.rms);
    ENSURE(sphere.max <= sqrt(3.0) * 0.5 / 127.0 + 0.5 / 255.0);
    return 0;
}

static int nothing_and_one_point_lose_nothing(void)
{
    const pelt_vec3 point = {1.0f, -2.0f, 3.0f}, zero = {0.0f, 0.0f, 0.0f};
    for (int code = 0; code < THESIS_CODE_COUNT; ++code)
    {
        ENSURE(thesis_code_name((thesis_code)code)[0] != '\0');
        ENSURE(thesis_code_measure((thesis_code)code, &point, 0).max == 0.0);
        ENSURE(thesis_code_measure((thesis_code)code, &zero, 1).max == 0.0);
    }
    ENSURE(thesis_code_measure(THESIS_CODE_BOX, &point, 1).max == 0.0);
    ENSURE(thesis_code_measure(THESIS_CODE_ELLIPSOID, &point, 1).max == 0.0);
    return 0;
}

void test_thesis_rays(void)
{
    RUN(boxes_lose_half_a_step_on_each_axis);
    RUN(rays_on_an_axis_lose_half_a_step_of_their_length);
    RUN(rays_lose_in_proportion_to_their_length);
    RUN(ellipsoids_follow_their_axes);
    RUN(nothing_and_one_point_lose_nothing);
}
