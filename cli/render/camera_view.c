// SPDX-License-Identifier: MIT
// Cameras of pictures.
#include "camera_view.h"

// Degrees; a little from above, so that a ground is seen as a plane.
static const struct
{
    float azimuth, elevation;
} angles[VIEW_COUNT] = {
    [VIEW_THREE_QUARTER] = {35.0f, 14.0f}, [VIEW_FRONT] = {0.0f, 6.0f},
    [VIEW_SIDE] = {90.0f, 6.0f},           [VIEW_BACK] = {180.0f, 6.0f},
    [VIEW_ORBIT] = {0.0f, 14.0f},
};

static const float radians = PELT_PI / 180.0f;

static pelt_quat about_x(float angle)
{
    return pelt_quat_axis_angle(pelt_vec3_make(1.0f, 0.0f, 0.0f), angle);
}

static pelt_quat about_y(float angle)
{
    return pelt_quat_axis_angle(pelt_vec3_make(0.0f, 1.0f, 0.0f), angle);
}

pelt_quat camera_view_from_model(camera_view view)
{
    // All sides come to the front one after another under VIEW_ORBIT: no axes but those of the
    // model.
    return view == VIEW_ORBIT ? pelt_quat_identity()
                              : pelt_quat_mul(about_x(angles[view].elevation * radians),
                                              about_y(-angles[view].azimuth * radians));
}

static void rotate_camera(pelt_camera* camera, pelt_vec3 center, pelt_quat rotation)
{
    pelt_vec3* points[] = {&camera->eye, &camera->target};
    for (int i = 0; i < 2; ++i)
    {
        pelt_vec3 offset = pelt_quat_rotate(rotation, pelt_vec3_sub(*points[i], center));
        *points[i] = pelt_vec3_add(center, offset);
    }
}

// A camera that fits each view of a long box would move closer and farther. This one fits a square
// that contains the box in every rotation, seen from the corner where the square is widest, and
// rotates.
static pelt_camera orbit_camera(const pelt_bounds* box, float aspect, float rotated)
{
    const float corner = 0.25f * PELT_PI;
    pelt_vec3 center = pelt_vec3_scale(pelt_vec3_add(box->min, box->max), 0.5f);
    float reach = hypotf(box->max.x - center.x, box->max.z - center.z) * sqrtf(0.5f);
    pelt_bounds square = {{center.x - reach, box->min.y, center.z - reach},
                          {center.x + reach, box->max.y, center.z + reach}};
    pelt_camera camera =
        pelt_camera_frame(&square, corner, angles[VIEW_ORBIT].elevation * radians, aspect);
    rotate_camera(&camera, center, about_y(rotated - corner));
    return camera;
}

pelt_camera camera_view_make(camera_view view, const pelt_bounds* box, float aspect, uint32_t frame,
                             uint32_t frame_count)
{
    if (view == VIEW_ORBIT)
    {
        return orbit_camera(box, aspect, 2.0f * PELT_PI * (float)frame / (float)frame_count);
    }
    // The camera is fitted along the axes of the box, which is closer than along those of the
    // model, and then transformed.
    pelt_camera camera = pelt_camera_frame(box, 0.0f, 0.0f, aspect);
    rotate_camera(&camera, pelt_vec3_make(0.0f, 0.0f, 0.0f),
                  pelt_quat_conjugate(camera_view_from_model(view)));
    return camera;
}
