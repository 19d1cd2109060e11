// SPDX-License-Identifier: MIT
// A camera that fits a box into the picture.
#include "pelt/render.h"
#include "render_matrix.h"

#include <string.h>

static const float default_field_of_view = 0.5f;
static const float filled = 0.88f;            // part of the picture that the box may take
static const float steepest = 1.5697963f;     // 1e-3 below straight down, where up has no direction
static const float smallest_diagonal = 1e-6f; // meters

// A box for the camera: empty boxes and points get a size of one meter.
static pelt_bounds visible_box(const pelt_bounds* box)
{
    bool is_empty =
        !(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z);
    bool is_finite = isfinite(pelt_bounds_diagonal(box));
    if (is_empty || !is_finite)
    {
        return (pelt_bounds){{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}};
    }
    pelt_bounds out = *box;
    if (pelt_bounds_diagonal(box) < smallest_diagonal)
    {
        const pelt_vec3 half = {0.5f, 0.5f, 0.5f};
        out.min = pelt_vec3_sub(box->min, half);
        out.max = pelt_vec3_add(box->max, half);
    }
    return out;
}

// The nearest eye from which all points lie between two planes through it: |across - eye.across| <=
// slope * (eye.back - back) for every point. In the plane of across and back these are two
// half-planes, and the eye is where their edges meet.
typedef struct wedge
{
    float across, back;
} wedge;

static void widen(float* most, float value)
{
    *most = fmaxf(*most, value);
}

static wedge fit_wedge(const float across[8], const float back[8], float slope)
{
    float above = -INFINITY, below = -INFINITY;
    for (int i = 0; i < 8; ++i)
    {
        widen(&above, slope * back[i] + across[i]);
        widen(&below, slope * back[i] - across[i]);
    }
    return (wedge){0.5f * (above - below), 0.5f * (above + below) / slope};
}

// The eye along the axes of the view.
static pelt_vec3 fit_eye(const pelti_view* view, const pelt_bounds* box, float aspect)
{
    pelt_vec3 corners[8];
    float x[8], y[8], z[8], nearest = -INFINITY;
    pelti_box_corners(corners, box);
    for (int i = 0; i < 8; ++i)
    {
        pelt_vec3 p = pelti_view_point(view, corners[i]);
        x[i] = p.x;
        y[i] = p.y;
        z[i] = p.z;
        widen(&nearest, p.z);
    }
    float slope = filled * tanf(0.5f * default_field_of_view);
    wedge wide = fit_wedge(x, z, slope * aspect);
    wedge high = fit_wedge(y, z, slope);
    // A box that is a line towards the eye has no width, but needs some distance.
    float least = nearest + 0.01f * pelt_bounds_diagonal(box);
    return pelt_vec3_make(wide.across, high.across, fmaxf(fmaxf(wide.back, high.back), least));
}

pelt_camera pelt_camera_frame(const pelt_bounds* box, float azimuth, float elevation, float aspect)
{
    PELT_ASSERT(aspect > 0.0f);
    pelt_bounds shown = visible_box(box);
    float above = fminf(fmaxf(elevation, -steepest), steepest);
    pelt_vec3 back =
        pelt_vec3_make(sinf(azimuth) * cosf(above), sinf(above), cosf(azimuth) * cosf(above));
    pelti_view view = pelti_view_toward(back);
    pelt_vec3 at = fit_eye(&view, &shown, aspect);

    pelt_vec3 eye = pelt_vec3_scale(view.right, at.x);
    eye = pelt_vec3_mad(eye, at.y, view.up);
    eye = pelt_vec3_mad(eye, at.z, view.back);
    pelt_vec3 center = pelt_vec3_lerp(shown.min, shown.max, 0.5f);
    float distance = at.z - pelt_vec3_dot(view.back, center);
    return (pelt_camera){.eye = eye,
                         .target = pelt_vec3_mad(eye, -distance, view.back),
                         .field_of_view = default_field_of_view};
}

void pelt_camera_matrix(float out[16], const pelt_camera* camera, float aspect)
{
    PELT_ASSERT(aspect > 0.0f && camera->near_plane > 0.0f);
    PELT_ASSERT(camera->far_plane > camera->near_plane);
    pelti_view axes = pelti_view_toward(pelt_vec3_sub(camera->eye, camera->target));
    float angle = camera->field_of_view > 0.0f ? camera->field_of_view : default_field_of_view;
    pelti_mat4 projection =
        pelti_mat4_perspective(angle, aspect, camera->near_plane, camera->far_plane);
    pelti_mat4 view = pelti_mat4_view(&axes, camera->eye);
    pelti_mat4 product = pelti_mat4_mul(&projection, &view);
    memcpy(out, product.m, sizeof product.m);
}
