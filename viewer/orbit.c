// SPDX-License-Identifier: MIT
#include "orbit.h"

static const float usual_lens = 0.5f; // of pelt_camera by default
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

static float lens_of(const orbit* in)
{
    return in->lens > 0.0f ? in->lens : usual_lens;
}

// The middle between two planes through the eye that hold all points, as pelt_camera_frame() has
// it, and how far the eye is back.
typedef struct wedge
{
    float middle, back;
} wedge;

static wedge fit_wedge(const orbit* from, const pelt_vec3* points, uint32_t count, pelt_vec3 across,
                       float slope)
{
    float above = -INFINITY, below = -INFINITY;
    pelt_vec3 back = direction_of(from);
    for (uint32_t i = 0; i < count; ++i)
    {
        float a = pelt_vec3_dot(points[i], across), b = slope * pelt_vec3_dot(points[i], back);
        above = fmaxf(above, b + a);
        below = fmaxf(below, b - a);
    }
    return (wedge){0.5f * (above - below), 0.5f * (above + below) / slope};
}

orbit orbit_fit(const orbit* from, const pelt_vec3* points, uint32_t count, float aspect,
                orbit_fill fill)
{
    PELT_ASSERT(count > 0);
    orbit out = *from;
    axes view = axes_of(from);
    float slope = tanf(0.5f * lens_of(from)), nearest = -INFINITY, farthest = INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        float back = -pelt_vec3_dot(points[i], view.forward);
        nearest = fmaxf(nearest, back);
        farthest = fminf(farthest, back);
    }
    wedge wide = fit_wedge(from, points, count, view.right, fill.across * slope * aspect);
    wedge high = fit_wedge(from, points, count, view.up, fill.high * slope);
    float least = nearest + 0.01f * fmaxf(nearest - farthest, 1e-3f);
    float eye = fmaxf(fmaxf(wide.back, high.back), least), middle = 0.5f * (nearest + farthest);
    out.target = pelt_vec3_scale(view.right, wide.middle);
    out.target = pelt_vec3_mad(out.target, high.middle, view.up);
    out.target = pelt_vec3_mad(out.target, -middle, view.forward);
    out.distance = eye - middle;
    return out;
}

// The part of the height that the points take.
static float height_of(const orbit* in, const pelt_vec3* points, uint32_t count)
{
    projection camera = orbit_project(in, 1.0f, 1.0f);
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        pixel at = {0.0f, 0.0f};
        if (projection_find(&at, &camera, points[i]))
        {
            low = fminf(low, at.y);
            high = fmaxf(high, at.y);
        }
    }
    return high - low;
}

orbit orbit_frame(const pelt_vec3* points, uint32_t count, float aspect, orbit_fill fill,
                  float lens)
{
    static const float degrees[] = {35.0f, 25.0f, 15.0f, 5.0f};
    const float degree = PELT_PI / 180.0f;
    orbit best = {0};
    float most = 0.0f;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; ++i)
    {
        orbit from = {.azimuth = degrees[i] * degree, .elevation = 14.0f * degree, .lens = lens};
        orbit fitted = orbit_fit(&from, points, count, aspect, fill);
        float height = height_of(&fitted, points, count);
        if (i == 0 || (most < 0.92f * fill.high && height > 1.1f * most))
        {
            best = fitted;
            most = height;
        }
    }
    return best;
}

void orbit_set_lens(orbit* inout, float lens)
{
    if (inout->lens != lens)
    {
        inout->distance *= tanf(0.5f * lens_of(inout)) / tanf(0.5f * lens);
        inout->lens = lens;
    }
}

pelt_camera orbit_camera(const orbit* in)
{
    return (pelt_camera){
        .eye = pelt_vec3_mad(in->target, in->distance, direction_of(in)),
        .target = in->target,
        .field_of_view = lens_of(in),
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
    float meters = 2.0f * tanf(0.5f * lens_of(inout)) * inout->distance / fmaxf(height, 1.0f);
    inout->target = pelt_vec3_mad(inout->target, -x * meters, view.right);
    inout->target = pelt_vec3_mad(inout->target, y * meters, view.up);
}

void orbit_zoom(orbit* inout, float steps)
{
    inout->distance = fminf(fmaxf(inout->distance * powf(0.88f, steps), 1e-4f), 1e6f);
}

void orbit_zoom_at(orbit* inout, float steps, pixel at, float width, float height)
{
    axes view = axes_of(inout);
    float before = inout->distance;
    orbit_zoom(inout, steps);
    // What moves toward the cursor in the plane of the target.
    float meters =
        2.0f * tanf(0.5f * lens_of(inout)) * (before - inout->distance) / fmaxf(height, 1.0f);
    inout->target = pelt_vec3_mad(inout->target, (at.x - 0.5f * width) * meters, view.right);
    inout->target = pelt_vec3_mad(inout->target, (0.5f * height - at.y) * meters, view.up);
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
                        .slope = 2.0f * tanf(0.5f * lens_of(in)),
                        .width = width,
                        .height = height};
}
