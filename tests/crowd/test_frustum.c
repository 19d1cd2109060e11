// SPDX-License-Identifier: MIT
// Planes and boxes, against clip coordinates of points in double precision.
#include "crowd_points.h"

static void narrow(float out[16], const double in[16])
{
    for (int i = 0; i < 16; ++i)
    {
        out[i] = (float)in[i];
    }
}

static void random_camera(double out[16], test_random* random)
{
    pelt_vec3 eye = test_point(random, 10.0f);
    pelt_vec3 target = pelt_vec3_add(eye, pelt_vec3_make(test_uniform(random, 0.5f, 2.0f),
                                                         test_uniform(random, -2.0f, 2.0f),
                                                         test_uniform(random, -2.0f, 2.0f)));
    crowd_points_camera(out, eye, target, (double)test_uniform(random, 0.2f, 2.5f),
                        (double)test_uniform(random, 0.5f, 2.0f));
}

static int planes_are_the_sides_of_clip_space(void)
{
    test_random random = {3};
    for (int i = 0; i < 2000; ++i)
    {
        double exact[16];
        float matrix[16];
        random_camera(exact, &random);
        narrow(matrix, exact);
        pelt_frustum frustum = pelt_frustum_of(matrix);
        pelt_vec3 p = test_point(&random, 20.0f);
        float least = INFINITY;
        for (int k = 0; k < 6; ++k)
        {
            pelt_vec4 plane = frustum.planes[k];
            least = fminf(least, plane.x * p.x + plane.y * p.y + plane.z * p.z + plane.w);
        }
        // Coordinates of some hundreds, in float.
        ENSURE_NEAR(least, crowd_points_depth(exact, p), 1e-3);
    }
    return 0;
}

// Points of the box, corners included, moved in double precision.
static bool has_point_inside(const double exact[16], const pelt_bounds* box,
                             const pelt_crowd_transform* transform)
{
    const int steps = 6;
    for (int i = 0; i < steps * steps * steps; ++i)
    {
        const int index[3] = {i % steps, i / steps % steps, i / steps / steps};
        pelt_vec3 p;
        for (int axis = 0; axis < 3; ++axis)
        {
            float low = (&box->min.x)[axis], high = (&box->max.x)[axis];
            (&p.x)[axis] = low + (high - low) * (float)index[axis] / (float)(steps - 1);
        }
        p = pelt_quat_rotate(transform->rotation, pelt_vec3_scale(p, transform->scale));
        if (crowd_points_depth(exact, pelt_vec3_add(transform->position, p)) > 0.0)
        {
            return true;
        }
    }
    return false;
}

// Sampled points miss boxes of which only an edge or a face is in view, so that the part of boxes
// that are kept and have no point inside is a bound from above on what the planes let through.
static int boxes_in_view_are_kept_and_most_others_are_not(void)
{
    test_random random = {5};
    uint32_t kept = 0, inside = 0, culled = 0;
    for (int i = 0; i < 6000; ++i)
    {
        double exact[16];
        float matrix[16];
        random_camera(exact, &random);
        narrow(matrix, exact);
        pelt_frustum frustum = pelt_frustum_of(matrix);
        pelt_bounds box = pelt_bounds_empty();
        pelt_vec3 corners[2] = {test_point(&random, 1.0f), test_point(&random, 1.0f)};
        pelt_bounds_add(&box, corners, 2);
        pelt_crowd_transform transform = {.position = test_point(&random, 20.0f),
                                          .scale =
                                              test_uniform(&random, 0.2f, 3.0f) * (i % 7 ? 1 : -1),
                                          .rotation = test_rotation(&random, 180.0f)};
        bool is_kept = pelt_frustum_meets(&frustum, &box, &transform);
        bool is_inside = has_point_inside(exact, &box, &transform);
        ENSURE(is_kept || !is_inside);
        kept += is_kept;
        inside += is_inside;
        culled += !is_kept;
    }
    printf("  %u of 6000 boxes kept, %u have points in view\n", kept, inside);
    ENSURE(inside > 500 && culled > 3000);
    ENSURE(kept < 1.2 * inside);
    return 0;
}

// A box that ends a millimeter before a plane of the frustum, by its closed form, is culled; one
// that ends a millimeter behind it is not.
static int the_side_of_a_frustum_is_where_it_is(void)
{
    double exact[16];
    float matrix[16];
    crowd_points_camera(exact, pelt_vec3_make(0.0f, 0.0f, 0.0f), pelt_vec3_make(0.0f, 0.0f, -1.0f),
                        2.0 * atan(0.5), 1.0);
    narrow(matrix, exact);
    pelt_frustum frustum = pelt_frustum_of(matrix);
    pelt_bounds box = {{0.0f, -1.0f, -10.0f}, {1.0f, 1.0f, -10.0f}};
    for (int i = -1; i <= 1; i += 2)
    {
        // At a depth of 10 the right plane is at 5.
        pelt_crowd_transform transform = {.position = {5.0f + 1e-3f * (float)i, 0.0f, 0.0f},
                                          .scale = 1.0f,
                                          .rotation = pelt_quat_identity()};
        ENSURE(pelt_frustum_meets(&frustum, &box, &transform) == (i < 0));
    }
    return 0;
}

static int a_box_that_is_not_a_number_or_endless_is_kept(void)
{
    double exact[16];
    float matrix[16];
    crowd_points_camera(exact, pelt_vec3_make(0.0f, 0.0f, 0.0f), pelt_vec3_make(0.0f, 0.0f, -1.0f),
                        1.0, 1.0);
    narrow(matrix, exact);
    pelt_frustum frustum = pelt_frustum_of(matrix);
    pelt_crowd_transform transform = {
        .position = {0.0f, 0.0f, 100.0f}, .scale = 1.0f, .rotation = pelt_quat_identity()};
    pelt_bounds box = {{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    ENSURE(!pelt_frustum_meets(&frustum, &box, &transform));
    pelt_bounds endless = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    ENSURE(pelt_frustum_meets(&frustum, &endless, &transform));
    box.min.y = NAN;
    ENSURE(pelt_frustum_meets(&frustum, &box, &transform));
    return 0;
}

void test_frustum(void)
{
    RUN(planes_are_the_sides_of_clip_space);
    RUN(boxes_in_view_are_kept_and_most_others_are_not);
    RUN(the_side_of_a_frustum_is_where_it_is);
    RUN(a_box_that_is_not_a_number_or_endless_is_kept);
}
