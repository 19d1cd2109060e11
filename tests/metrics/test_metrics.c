// SPDX-License-Identifier: MIT
// Measures of meshes, against closed forms.
#include "pelt/metrics.h"
#include "test.h"

// The unit cube, outwards and counter-clockwise; corner i is at its bits.
static const uint32_t cube_indices[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                          2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static void make_box(pelt_vec3 out[8], pelt_vec3 corner, pelt_vec3 size)
{
    for (uint32_t i = 0; i < 8; ++i)
    {
        out[i] = pelt_vec3_make(corner.x + size.x * (float)(i & 1),
                                corner.y + size.y * (float)(i >> 1 & 1),
                                corner.z + size.z * (float)(i >> 2 & 1));
    }
}

static int box_has_its_volume_and_area(void)
{
    pelt_vec3 box[8];
    make_box(box, pelt_vec3_make(0, 0, 0), pelt_vec3_make(1, 1, 1));
    ENSURE_NEAR(pelt_mesh_volume(box, cube_indices, 36), 1.0, 1e-12);
    ENSURE_NEAR(pelt_mesh_area(box, cube_indices, 36), 6.0, 1e-12);
    make_box(box, pelt_vec3_make(-1, 2, 0.5f), pelt_vec3_make(2, 0.25f, 4));
    ENSURE_NEAR(pelt_mesh_volume(box, cube_indices, 36), 2.0, 1e-12);
    ENSURE_NEAR(pelt_mesh_area(box, cube_indices, 36), 2 * (0.5 + 8.0 + 1.0), 1e-12);
    return 0;
}

// All coordinates are whole numbers that float holds exactly, so nothing may be lost.
static int volume_does_not_depend_on_the_position(void)
{
    pelt_vec3 box[8];
    make_box(box, pelt_vec3_make(1e6f, -2e6f, 4e6f), pelt_vec3_make(2, 3, 4));
    ENSURE_NEAR(pelt_mesh_volume(box, cube_indices, 36), 24.0, 1e-9);
    ENSURE_NEAR(pelt_mesh_area(box, cube_indices, 36), 52.0, 1e-9);
    return 0;
}

static int inside_out_is_negative_volume(void)
{
    pelt_vec3 box[8];
    uint32_t flipped[36];
    make_box(box, pelt_vec3_make(0, 0, 0), pelt_vec3_make(1, 2, 3));
    for (uint32_t i = 0; i < 36; ++i)
    {
        flipped[i] = cube_indices[i / 3 * 3 + 2 - i % 3];
    }
    ENSURE_NEAR(pelt_mesh_volume(box, flipped, 36), -6.0, 1e-12);
    ENSURE_NEAR(pelt_mesh_area(box, flipped, 36), 22.0, 1e-12);
    return 0;
}

static int volume_is_kept_by_rotation(void)
{
    test_random random = {1};
    pelt_vec3 box[8], rotated[8];
    make_box(box, pelt_vec3_make(-0.5f, -1, -2), pelt_vec3_make(1, 2, 4));
    for (int i = 0; i < 100; ++i)
    {
        pelt_quat q = test_rotation(&random, 180.0f);
        for (uint32_t v = 0; v < 8; ++v)
        {
            rotated[v] = pelt_quat_rotate(q, box[v]);
        }
        // Corners up to 3 m away are rounded to 3e-7 m a few times; areas of 8 square meters.
        ENSURE_NEAR(pelt_mesh_volume(rotated, cube_indices, 36), 8.0, 3e-5);
        ENSURE_NEAR(pelt_mesh_area(rotated, cube_indices, 36), 28.0, 3e-5);
    }
    return 0;
}

// A needle: the edges nearly agree, and their cross product loses in float what it has in double.
static int area_of_a_needle_is_exact(void)
{
    const pelt_vec3 p[3] = {{0, 0, 0}, {0.7f, 0.3f, 0.1f}, {0.7001f, 0.3001f, 0.1f}};
    const uint32_t indices[3] = {0, 1, 2};
    double u[3] = {p[1].x, p[1].y, p[1].z}, v[3] = {p[2].x, p[2].y, p[2].z};
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0], expected = 0.5 * sqrt(x * x + y * y + z * z);
    ENSURE_NEAR(pelt_mesh_area(p, indices, 3) / expected, 1.0, 1e-9);
    return 0;
}

static int empty_mesh_measures_nothing(void)
{
    ENSURE(pelt_mesh_volume(NULL, NULL, 0) == 0.0 && pelt_mesh_area(NULL, NULL, 0) == 0.0);
    pelt_difference d = pelt_positions_compare(NULL, NULL, 0);
    ENSURE(d.mean == 0.0 && d.rms == 0.0 && d.max == 0.0);
    return 0;
}

// Distances 0, 3, 4, 5: mean 3, mean square 12.5.
static int difference_has_its_mean_rms_and_max(void)
{
    const pelt_vec3 a[4] = {{1, 1, 1}, {3, 0, 0}, {0, 0, 0}, {0, 0, 5}};
    const pelt_vec3 b[4] = {{1, 1, 1}, {0, 0, 0}, {0, 4, 0}, {3, 4, 5}};
    pelt_difference d = pelt_positions_compare(a, b, 4);
    ENSURE_NEAR(d.mean, 3.0, 1e-12);
    ENSURE_NEAR(d.rms, sqrt(12.5), 1e-12);
    ENSURE_NEAR(d.max, 5.0, 1e-12);
    ENSURE(d.worst_vertex == 3);
    d = pelt_positions_compare(a, a, 4);
    ENSURE(d.mean == 0.0 && d.rms == 0.0 && d.max == 0.0 && d.worst_vertex < 4);
    return 0;
}

// Wherever it is: before, between or after ordinary differences.
static int nan_is_the_worst_difference(void)
{
    for (uint32_t bad = 0; bad < 4; ++bad)
    {
        pelt_vec3 a[4] = {{0}}, b[4] = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {0, 0, 0}};
        a[bad].y = NAN;
        pelt_difference d = pelt_positions_compare(a, b, 4);
        ENSURE(!isfinite(d.max) && !isfinite(d.mean) && !isfinite(d.rms));
        ENSURE(d.worst_vertex == bad);
    }
    return 0;
}

static int infinity_is_a_large_difference(void)
{
    pelt_vec3 a[3] = {{0}}, b[3] = {{1, 0, 0}, {INFINITY, 0, 0}, {2, 0, 0}};
    pelt_difference d = pelt_positions_compare(a, b, 3);
    ENSURE(isinf(d.max) && d.worst_vertex == 1);
    return 0;
}

static int normals_are_weighted_by_area(void)
{
    // A corner of a box between faces of area 1 (x = 0) and 3 (z = 0), each one triangle; and a
    // vertex of no triangle.
    const pelt_vec3 p[5] = {{0, 0, 0}, {0, 2, 0}, {0, 0, 1}, {3, 0, 0}, {9, 9, 9}};
    const uint32_t indices[6] = {0, 1, 2, 0, 3, 1};
    pelt_vec3 n[5];
    pelt_normals_compute(n, p, 5, indices, 6);
    // Cross products (2, 0, 0) and (0, 0, 6).
    ENSURE_POINT(n[0], pelt_vec3_normalize(pelt_vec3_make(2, 0, 6)), 1e-6);
    ENSURE_POINT(n[2], pelt_vec3_make(1, 0, 0), 1e-6);
    ENSURE_POINT(n[3], pelt_vec3_make(0, 0, 1), 1e-6);
    ENSURE_POINT(n[4], pelt_vec3_make(0, 1, 0), 0.0);
    return 0;
}

void test_metrics(void)
{
    RUN(box_has_its_volume_and_area);
    RUN(volume_does_not_depend_on_the_position);
    RUN(inside_out_is_negative_volume);
    RUN(volume_is_kept_by_rotation);
    RUN(area_of_a_needle_is_exact);
    RUN(empty_mesh_measures_nothing);
    RUN(difference_has_its_mean_rms_and_max);
    RUN(nan_is_the_worst_difference);
    RUN(infinity_is_a_large_difference);
    RUN(normals_are_weighted_by_area);
}
