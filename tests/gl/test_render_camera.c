// SPDX-License-Identifier: MIT
// Where a camera goes to have a box in the picture. Needs no driver.
#include "render_fixture.h"

// Largest and smallest position of the corners in a picture of 2 aspect by 2, from its middle.
typedef struct extent
{
    double left, right, below, above; // as parts of half the picture
} extent;

static extent extent_of(const pelt_camera* camera, const pelt_bounds* box, double aspect)
{
    extent e = {1e9, -1e9, 1e9, -1e9};
    for (int i = 0; i < 8; ++i)
    {
        pelt_vec3 corner = {i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y,
                            i & 4 ? box->max.z : box->min.z};
        render_point p = render_project(camera, corner, 2.0 * aspect, 2.0);
        double x = p.z > 0.0 ? p.x / aspect - 1.0 : 1e9, y = p.z > 0.0 ? 1.0 - p.y : 1e9;
        e.left = fmin(e.left, x);
        e.right = fmax(e.right, x);
        e.below = fmin(e.below, y);
        e.above = fmax(e.above, y);
    }
    return e;
}

// 0.88 of the picture, touched on both sides in one direction: no nearer camera has the box inside.
// The tolerance is float against double.
static int boxes_fill_the_picture_up_to_the_margin(void)
{
    test_random random = {1};
    for (int i = 0; i < 500; ++i)
    {
        pelt_vec3 a = test_point(&random, 3.0f), size = test_point(&random, 1.4f);
        size = pelt_vec3_add(size, pelt_vec3_make(1.6f, 1.6f, 1.6f));
        pelt_bounds box = {a, pelt_vec3_add(a, size)};
        float aspect = test_uniform(&random, 0.4f, 2.5f);
        pelt_camera camera = pelt_camera_frame(&box, test_uniform(&random, -4.0f, 4.0f),
                                               test_uniform(&random, -1.5f, 1.5f), aspect);
        extent e = extent_of(&camera, &box, (double)aspect);
        ENSURE(e.left > -0.8801 && e.right < 0.8801 && e.below > -0.8801 && e.above < 0.8801);
        bool fills_width = e.left < -0.8799 && e.right > 0.8799;
        bool fills_height = e.below < -0.8799 && e.above > 0.8799;
        ENSURE(fills_width || fills_height);
    }
    return 0;
}

static int azimuth_and_elevation_are_where_the_header_says(void)
{
    const pelt_bounds box = {{-1.0f, 0.0f, -1.0f}, {1.0f, 2.0f, 1.0f}};
    pelt_camera front = pelt_camera_frame(&box, 0.0f, 0.0f, 1.0f);
    pelt_camera left = pelt_camera_frame(&box, 0.5f * PELT_PI, 0.0f, 1.0f);
    pelt_camera above = pelt_camera_frame(&box, 0.0f, 0.5f, 1.0f);
    ENSURE(front.eye.z > 2.0f);
    ENSURE_NEAR(front.eye.x, 0.0, 1e-5);
    ENSURE_NEAR(front.eye.y, 1.0, 1e-5);
    ENSURE(left.eye.x > 2.0f);
    ENSURE_NEAR(left.eye.z, 0.0, 1e-5);
    pelt_vec3 d = pelt_vec3_normalize(pelt_vec3_sub(above.eye, above.target));
    ENSURE_NEAR(asinf(d.y), 0.5, 1e-5);
    return 0;
}

static bool is_finite(pelt_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static int odd_boxes_give_a_finite_camera(void)
{
    const pelt_bounds boxes[] = {pelt_bounds_empty(),
                                 {{2.0f, 3.0f, 4.0f}, {2.0f, 3.0f, 4.0f}},
                                 {{0.0f, 0.0f, -1.0f}, {0.0f, 0.0f, 1.0f}},
                                 {{NAN, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}},
                                 {{-INFINITY, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}}};
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; ++i)
    {
        for (float elevation = -2.0f; elevation <= 2.0f; elevation += 0.5f)
        {
            pelt_camera camera = pelt_camera_frame(&boxes[i], 0.0f, elevation, 1.5f);
            ENSURE(is_finite(camera.eye) && is_finite(camera.target));
            ENSURE(pelt_vec3_distance(camera.eye, camera.target) > 1e-3f);
        }
    }
    return 0;
}

// Against the projection of this suite in double precision, and depth by its closed form: -1 at the
// near plane, 1 at the far one.
static int the_matrix_of_a_camera_projects_as_pictures_do(void)
{
    const double aspect = 1.6, low = 0.5, high = 40.0;
    test_random random = {8};
    for (int i = 0; i < 500; ++i)
    {
        pelt_camera camera = {.eye = test_point(&random, 5.0f),
                              .target = test_point(&random, 5.0f),
                              .field_of_view = test_uniform(&random, 0.2f, 1.5f),
                              .near_plane = (float)low,
                              .far_plane = (float)high};
        float m[16];
        double clip[4];
        pelt_vec3 p = test_point(&random, 8.0f);
        pelt_camera_matrix(m, &camera, (float)aspect);
        for (int row = 0; row < 4; ++row)
        {
            clip[row] = (double)(m[row] * p.x + m[4 + row] * p.y + m[8 + row] * p.z + m[12 + row]);
        }
        render_point expected = render_project(&camera, p, 2.0 * aspect, 2.0);
        ENSURE_NEAR(clip[3], expected.z, 1e-4);
        if (expected.z > low)
        {
            ENSURE_NEAR(clip[0] / clip[3], expected.x / aspect - 1.0, 2e-3);
            ENSURE_NEAR(clip[1] / clip[3], 1.0 - expected.y, 2e-3);
            double depth = ((high + low) - 2.0 * high * low / expected.z) / (high - low);
            ENSURE_NEAR(clip[2] / clip[3], depth, 1e-4);
        }
    }
    return 0;
}

void test_render_camera(void)
{
    RUN(boxes_fill_the_picture_up_to_the_margin);
    RUN(azimuth_and_elevation_are_where_the_header_says);
    RUN(odd_boxes_give_a_finite_camera);
    RUN(the_matrix_of_a_camera_projects_as_pictures_do);
}
