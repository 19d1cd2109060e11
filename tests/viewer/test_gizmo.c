// SPDX-License-Identifier: MIT
// Rings around a joint: where they are, which one the mouse is on, and how far a drag rotates them.
#include "edit/gizmo.h"
#include "test.h"

// From 5 m before the origin along -z.
static projection front_view(void)
{
    return (projection){.eye = {0.0f, 0.0f, 5.0f},
                        .right = {1.0f, 0.0f, 0.0f},
                        .up = {0.0f, 1.0f, 0.0f},
                        .forward = {0.0f, 0.0f, -1.0f},
                        .slope = 0.5f,
                        .width = 800.0f,
                        .height = 600.0f};
}

// From anywhere, towards about the origin.
static projection random_view(test_random* random)
{
    pelt_quat rotation = test_rotation(random, 180.0f);
    projection out = front_view();
    out.right = pelt_quat_rotate(rotation, out.right);
    out.up = pelt_quat_rotate(rotation, out.up);
    out.forward = pelt_quat_rotate(rotation, out.forward);
    pelt_vec3 target = test_point(random, 0.2f);
    out.eye = pelt_vec3_mad(target, -test_uniform(random, 2.0f, 8.0f), out.forward);
    return out;
}

static gizmo ring_about(pelt_vec3 axis, float radius)
{
    return (gizmo){.axes = {axis, axis, axis}, .radius = radius, .sense = 1.0f};
}

static pelt_vec3 on_ring(const gizmo* in, float angle)
{
    pelt_vec3 other = fabsf(in->axes[0].z) < 0.7f ? pelt_vec3_make(0.0f, 0.0f, 1.0f)
                                                  : pelt_vec3_make(0.0f, 1.0f, 0.0f);
    pelt_vec3 u = pelt_vec3_normalize(pelt_vec3_cross(in->axes[0], other));
    pelt_vec3 way = pelt_quat_rotate(pelt_quat_axis_angle(in->axes[0], angle), u);
    return pelt_vec3_mad(in->center, in->radius, way);
}

static int rays_lead_back_to_their_pixels(void)
{
    test_random random = {7};
    for (int i = 0; i < 100; ++i)
    {
        projection view = random_view(&random);
        float x = test_uniform(&random, 0.0f, view.width);
        float y = test_uniform(&random, 0.0f, view.height);
        pixel found;
        pelt_vec3 ray = projection_ray(&view, x, y);
        ENSURE(projection_find(&found, &view, pelt_vec3_mad(view.eye, 3.0f, ray)));
        ENSURE_NEAR(found.x, x, 5e-3f); // of 800 pixels: 24 bits after a few operations
        ENSURE_NEAR(found.y, y, 5e-3f);
        ENSURE(!projection_find(&found, &view, pelt_vec3_mad(view.eye, -1.0f, ray)));
    }
    return 0;
}

// A circle of 0.5 m that faces the eye 5 m away is 600 / (0.5 * 5) * 0.5 = 120 pixels wide.
static int a_ring_that_faces_the_eye_is_a_circle(void)
{
    projection view = front_view();
    gizmo rings = ring_about(pelt_vec3_make(0.0f, 0.0f, 1.0f), 0.5f);
    gizmo_point points[GIZMO_POINT_COUNT];
    ENSURE(gizmo_draw(points, &rings, 0, &view));
    for (uint32_t i = 0; i < GIZMO_POINT_COUNT; ++i)
    {
        ENSURE_NEAR(hypotf(points[i].at.x - 400.0f, points[i].at.y - 300.0f), 120.0f, 1e-3f);
        ENSURE(points[i].is_front);
    }
    ENSURE(gizmo_pick(&rings, &view, (pixel){520.0f, 300.0f}, 6.0f) == 0);
    ENSURE(gizmo_pick(&rings, &view, (pixel){400.0f, 300.0f - 124.0f}, 6.0f) == 0);
    ENSURE(gizmo_pick(&rings, &view, (pixel){400.0f, 300.0f}, 6.0f) == PELT_NONE);
    ENSURE(gizmo_pick(&rings, &view, (pixel){400.0f, 300.0f - 128.0f}, 6.0f) == PELT_NONE);
    return 0;
}

// Each of three rings is picked where it is alone, and the far half of none.
static int the_ring_below_the_mouse_is_picked(void)
{
    test_random random = {11};
    uint32_t picked = 0;
    for (int i = 0; i < 200; ++i)
    {
        projection view = random_view(&random);
        gizmo rings = {.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .radius = 0.3f, .sense = 1.0f};
        pelt_quat rotation = test_rotation(&random, 180.0f);
        for (uint32_t k = 0; k < 3; ++k)
        {
            rings.axes[k] = pelt_quat_rotate(rotation, rings.axes[k]);
        }
        uint32_t ring = (uint32_t)i % 3;
        gizmo alone = ring_about(rings.axes[ring], rings.radius);
        pelt_vec3 point = on_ring(&alone, test_uniform(&random, 0.0f, 6.28f));
        pelt_vec3 to_eye = pelt_vec3_normalize(view.eye);
        float height = pelt_vec3_dot(point, to_eye) / rings.radius;
        pixel at;
        ENSURE(projection_find(&at, &view, point));
        uint32_t found = gizmo_pick(&rings, &view, at, 1.0f);
        bool is_other_near = false;
        for (uint32_t k = 1; k < 3; ++k)
        {
            gizmo other = ring_about(rings.axes[(ring + k) % 3], rings.radius);
            is_other_near = is_other_near || gizmo_pick(&other, &view, at, 2.0f) != PELT_NONE;
        }
        // Nor are its own two halves one behind the other.
        bool is_open = fabsf(pelt_vec3_dot(to_eye, rings.axes[ring])) > 0.3f;
        bool is_clear = !is_other_near && is_open && fabsf(height) > 0.25f;
        if (is_clear && height > 0.0f)
        {
            ENSURE(found == ring);
            ++picked;
        }
        ENSURE(!is_clear || height > 0.0f || found == PELT_NONE);
    }
    ENSURE(picked > 25);
    return 0;
}

// Along the picture of a ring, in steps as of a mouse: what is rotated is the angle of the arc.
static int a_drag_along_a_quarter_of_the_ring_rotates_by_90_degrees(void)
{
    test_random random = {3};
    uint32_t count = 0;
    for (int i = 0; i < 200; ++i)
    {
        projection view = random_view(&random);
        pelt_vec3 axis = pelt_vec3_normalize(test_point(&random, 1.0f));
        gizmo rings = ring_about(axis, 0.3f);
        rings.center = test_point(&random, 0.1f);
        // Rays meet the plane at an angle that tells where.
        pelt_vec3 to_eye = pelt_vec3_normalize(pelt_vec3_sub(view.eye, rings.center));
        if (fabsf(pelt_vec3_dot(to_eye, axis)) < 0.35f)
        {
            continue;
        }
        ++count;
        float begin = test_uniform(&random, 0.0f, 6.28f), degrees = 0.0f;
        float sense = i % 2 == 0 ? 1.0f : -1.0f;
        pixel last, next;
        projection_find(&last, &view, on_ring(&rings, begin));
        for (int step = 1; step <= 30; ++step)
        {
            float angle = begin + sense * 0.5f * PELT_PI * (float)step / 30.0f;
            projection_find(&next, &view, on_ring(&rings, angle));
            degrees += gizmo_rotate(&rings, 0, &view, last, next);
            last = next;
        }
        // Pixels of 24 bits, and rays that are flat to the plane.
        ENSURE_NEAR(degrees, sense * 90.0f, 0.05f);
    }
    ENSURE(count > 80);
    return 0;
}

// From its edge it is a line: from the middle of it, a drag by an arc's length rotates by the arc.
static int a_ring_seen_from_its_edge_rotates_along_its_line(void)
{
    projection view = front_view();
    view.eye.z = 500.0f; // so far that the ring is flat
    gizmo rings = ring_about(pelt_vec3_make(0.0f, 1.0f, 0.0f), 10.0f);
    float scale = projection_scale(&view, pelt_vec3_make(0.0f, 0.0f, 10.0f));
    pixel middle = {400.0f, 300.0f}, aside = {400.0f + scale * 10.0f * 0.1f, 300.0f};
    // About y, what is in front goes to the right.
    ENSURE_NEAR(gizmo_rotate(&rings, 0, &view, middle, aside), 0.1f * 180.0f / PELT_PI, 1e-3f);
    ENSURE_NEAR(gizmo_rotate(&rings, 0, &view, middle, (pixel){400.0f, 250.0f}), 0.0f, 1e-3f);
    return 0;
}

// ---------------------------------------------------------------------------------------------

static const pelt_node nodes[] = {
    {"root", PELT_NONE, {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
    {"joint", 0, {{0.1f, 0.2f, 0.3f}, {0, 0, 0, 1}, {1, 1, 1}}},
    {"tip", 1, {{0.2f, 0.5f, 0.1f}, {0, 0, 0, 1}, {1, 1, 1}}},
};

static pelt_mat34 posed(const pelt_scene* scene, const joint_edit* edit, pelt_transform root)
{
    pelt_pose pose;
    pelt_mat34 frames[3];
    pose_edit edits = {0};
    pose_edit_set(&edits, edit);
    pelt_pose_create(&pose, scene);
    pelt_pose_rest(&pose, scene);
    pose.locals[0] = root;
    pose_edit_apply(&pose, scene, &edits);
    pelt_pose_to_model(frames, scene, &pose);
    pelt_pose_destroy(&pose);
    return frames[1];
}

// What a slider does is a rotation about the axis of its ring, under any other edits and parents,
// mirrored ones too.
static int rings_are_the_axes_of_the_sliders(void)
{
    const pelt_scene scene = {.node_count = 3, .nodes = nodes};
    test_random random = {5};
    for (int i = 0; i < 120; ++i)
    {
        projection view = front_view();
        pelt_transform root = pelt_transform_identity();
        root.rotation = test_rotation(&random, 180.0f);
        root.scale.x = i % 2 == 0 ? 1.0f : -1.0f;
        joint_edit before = {.node = 1};
        for (int k = 0; k < POSE_AXIS_COUNT; ++k)
        {
            before.degrees[k] = test_uniform(&random, -180.0f, 180.0f);
        }
        pelt_mat34 start = posed(&scene, &before, root);
        gizmo rings = gizmo_of(&scene, &start, &before, &view, 60.0f);
        uint32_t ring = (uint32_t)i % 3;
        float degrees = test_uniform(&random, -90.0f, 90.0f);
        joint_edit after = before;
        gizmo_apply(&after, ring, degrees);
        ENSURE(fabsf(after.degrees[ring]) <= 180.0f);
        pelt_mat34 end = posed(&scene, &after, root);
        pelt_quat rotation =
            pelt_quat_axis_angle(rings.axes[ring], rings.sense * degrees * PELT_PI / 180.0f);
        pelt_vec3 point = test_point(&random, 1.0f);
        pelt_vec3 offset = pelt_vec3_sub(pelt_mat34_point(&start, point), rings.center);
        pelt_vec3 expected = pelt_vec3_add(rings.center, pelt_quat_rotate(rotation, offset));
        ENSURE_POINT(pelt_mat34_point(&end, point), expected, 1e-5f); // 24 bits, two meters
    }
    return 0;
}

void test_gizmo(void)
{
    RUN(rays_lead_back_to_their_pixels);
    RUN(a_ring_that_faces_the_eye_is_a_circle);
    RUN(the_ring_below_the_mouse_is_picked);
    RUN(a_drag_along_a_quarter_of_the_ring_rotates_by_90_degrees);
    RUN(a_ring_seen_from_its_edge_rotates_along_its_line);
    RUN(rings_are_the_axes_of_the_sliders);
}
