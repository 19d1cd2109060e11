// SPDX-License-Identifier: MIT
#include "orbit.h"

static const float field_of_view = 0.5f; // of pelt_camera by default
static const float radians_per_pixel = 0.008f;

static pelt_vec3 direction_of(const orbit* in)
{
    return pelt_vec3_make(sinf(in->azimuth) * cosf(in->elevation), sinf(in->elevation),
                          cosf(in->azimuth) * cosf(in->elevation));
}

typedef struct axes
{
    pelt_vec3 right, up, forward;
} axes;

static axes axes_of(const orbit* in)
{
    axes out = {.forward = pelt_vec3_scale(direction_of(in), -1.0f),
                .right = pelt_vec3_make(cosf(in->azimuth), 0.0f, -sinf(in->azimuth))};
    out.up = pelt_vec3_cross(out.right, out.forward);
    return out;
}

orbit orbit_frame(const pelt_bounds* box, float aspect, float margin)
{
    const float degree = PELT_PI / 180.0f;
    orbit out = {.azimuth = 35.0f * degree, .elevation = 14.0f * degree};
    pelt_camera camera = pelt_camera_frame(box, out.azimuth, out.elevation, aspect);
    out.target = camera.target;
    out.distance = pelt_vec3_distance(camera.eye, camera.target) / (1.0f - margin);
    return out;
}

pelt_camera orbit_camera(const orbit* in)
{
    return (pelt_camera){
        .eye = pelt_vec3_mad(in->target, in->distance, direction_of(in)),
        .target = in->target,
        .field_of_view = field_of_view,
    };
}

void orbit_rotate(orbit* inout, float x, float y)
{
    const float most = 0.49f * PELT_PI;
    inout->azimuth = remainderf(inout->azimuth - radians_per_pixel * x, 2.0f * PELT_PI);
    inout->elevation = fminf(fmaxf(inout->elevation + radians_per_pixel * y, -most), most);
}

void orbit_pan(orbit* inout, float x, float y, float height)
{
    axes view = axes_of(inout);
    float meters = 2.0f * tanf(0.5f * field_of_view) * inout->distance / fmaxf(height, 1.0f);
    inout->target = pelt_vec3_mad(inout->target, -x * meters, view.right);
    inout->target = pelt_vec3_mad(inout->target, y * meters, view.up);
}

void orbit_zoom(orbit* inout, float steps)
{
    inout->distance = fminf(fmaxf(inout->distance * powf(0.88f, steps), 1e-4f), 1e6f);
}

void orbit_move(orbit* inout, pelt_vec3 steps)
{
    axes view = axes_of(inout);
    pelt_vec3 way = pelt_vec3_scale(view.right, steps.x);
    way = pelt_vec3_mad(way, steps.z, view.forward);
    way.y += steps.y;
    inout->target = pelt_vec3_mad(inout->target, inout->distance, way);
}

projection orbit_project(const orbit* in, float width, float height)
{
    axes view = axes_of(in);
    return (projection){.eye = orbit_camera(in).eye,
                        .right = view.right,
                        .up = view.up,
                        .forward = view.forward,
                        .slope = 2.0f * tanf(0.5f * field_of_view),
                        .width = width,
                        .height = height};
}
