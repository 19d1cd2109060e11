// SPDX-License-Identifier: MIT
#include "gizmo.h"

// Edits are applied in the order side, bend, twist, each in the axes after the one before: axes of
// the posed joint are transformed back by the later ones.
gizmo gizmo_of(const pelt_scene* scene, const pelt_mat34* model_from_node, const joint_edit* edit,
               const projection* view, float pixels)
{
    pelt_mat3 linear = pelt_mat34_linear(model_from_node);
    pelt_vec3 axes[POSE_AXIS_COUNT];
    pelt_quat back = pelt_quat_identity();
    gizmo out = {.center = pelt_mat34_translation(model_from_node),
                 .sense = pelt_mat3_determinant(&linear) < 0.0f ? -1.0f : 1.0f};
    pose_edit_axes(axes, scene, edit->node);
    for (uint32_t i = 0; i < POSE_AXIS_COUNT; ++i)
    {
        pelt_vec3 own = pelt_quat_rotate(back, axes[i]);
        out.axes[i] = pelt_vec3_normalize(pelt_mat3_vector(&linear, own));
        pelt_quat taken = pelt_quat_axis_angle(axes[i], -edit->degrees[i] * PELT_PI / 180.0f);
        back = pelt_quat_mul(back, taken);
    }
    out.radius = pixels / projection_scale(view, out.center);
    return out;
}

// Two directions across an axis, at right angles.
static void across(pelt_vec3 out[2], pelt_vec3 axis)
{
    pelt_vec3 other =
        fabsf(axis.x) < 0.6f ? pelt_vec3_make(1.0f, 0.0f, 0.0f) : pelt_vec3_make(0.0f, 1.0f, 0.0f);
    out[0] = pelt_vec3_normalize(pelt_vec3_cross(axis, other));
    out[1] = pelt_vec3_cross(axis, out[0]);
}

bool gizmo_draw(gizmo_point out[GIZMO_POINT_COUNT], const gizmo* in, uint32_t ring,
                const projection* view)
{
    // A ring that faces the eye is all front.
    const float margin = 0.1f;
    pelt_vec3 sides[2];
    across(sides, in->axes[ring]);
    pelt_vec3 to_eye = pelt_vec3_normalize(pelt_vec3_sub(view->eye, in->center));
    for (uint32_t i = 0; i < GIZMO_POINT_COUNT; ++i)
    {
        float angle = 2.0f * PELT_PI * (float)i / (float)(GIZMO_POINT_COUNT - 1);
        pelt_vec3 direction = pelt_vec3_scale(sides[0], cosf(angle));
        direction = pelt_vec3_mad(direction, sinf(angle), sides[1]);
        pelt_vec3 point = pelt_vec3_mad(in->center, in->radius, direction);
        out[i].is_front = pelt_vec3_dot(direction, to_eye) >= -margin;
        if (!projection_find(&out[i].at, view, point))
        {
            return false;
        }
    }
    return true;
}

static float segment_distance(pixel at, pixel a, pixel b)
{
    float x = b.x - a.x, y = b.y - a.y;
    float square = x * x + y * y;
    float part = square > 0.0f ? ((at.x - a.x) * x + (at.y - a.y) * y) / square : 0.0f;
    part = fminf(fmaxf(part, 0.0f), 1.0f);
    return hypotf(at.x - a.x - part * x, at.y - a.y - part * y);
}

uint32_t gizmo_pick(const gizmo* in, const projection* view, pixel at, float reach)
{
    float nearest = reach;
    uint32_t found = PELT_NONE;
    for (uint32_t ring = 0; ring < POSE_AXIS_COUNT; ++ring)
    {
        gizmo_point points[GIZMO_POINT_COUNT];
        bool is_seen = gizmo_draw(points, in, ring, view);
        for (uint32_t i = 1; is_seen && i < GIZMO_POINT_COUNT; ++i)
        {
            float distance = segment_distance(at, points[i - 1].at, points[i].at);
            if (points[i - 1].is_front && points[i].is_front && distance < nearest)
            {
                nearest = distance;
                found = ring;
            }
        }
    }
    return found;
}

// ---------------------------------------------------------------------------------------------

// The point of a pixel on the plane of a ring, relative to its center.
// @return false: the plane is seen from its edge
static bool find_on_plane(pelt_vec3* out, const gizmo* in, pelt_vec3 axis, const projection* view,
                          pixel at)
{
    const float flattest = 0.15f; // sine of the angle between ray and plane
    pelt_vec3 ray = projection_ray(view, at.x, at.y);
    float sine = pelt_vec3_dot(ray, axis);
    float distance = pelt_vec3_dot(pelt_vec3_sub(in->center, view->eye), axis) / sine;
    if (!(fabsf(sine) >= flattest) || !(distance > 0.0f))
    {
        return false;
    }
    *out = pelt_vec3_sub(pelt_vec3_mad(view->eye, distance, ray), in->center);
    return true;
}

// A ring seen from its edge is dragged along its tangent at the point nearest to the eye.
static float rotate_edge(const gizmo* in, pelt_vec3 axis, const projection* view, pixel from,
                         pixel to)
{
    pelt_vec3 to_eye = pelt_vec3_sub(view->eye, in->center);
    pelt_vec3 flat = pelt_vec3_mad(to_eye, -pelt_vec3_dot(to_eye, axis), axis);
    pelt_vec3 front = pelt_vec3_normalize(flat);
    pelt_vec3 tangent = pelt_vec3_cross(axis, front);
    pelt_vec3 nearest = pelt_vec3_mad(in->center, in->radius, front);
    float meters = pelt_vec3_dot(tangent, view->right) * (to.x - from.x) -
                   pelt_vec3_dot(tangent, view->up) * (to.y - from.y);
    return meters / (projection_scale(view, nearest) * in->radius);
}

float gizmo_rotate(const gizmo* in, uint32_t ring, const projection* view, pixel from, pixel to)
{
    pelt_vec3 axis = in->axes[ring], a, b;
    float radians;
    if (find_on_plane(&a, in, axis, view, from) && find_on_plane(&b, in, axis, view, to))
    {
        radians = atan2f(pelt_vec3_dot(axis, pelt_vec3_cross(a, b)), pelt_vec3_dot(a, b));
    }
    else
    {
        radians = rotate_edge(in, axis, view, from, to);
    }
    return in->sense * radians * 180.0f / PELT_PI;
}

void gizmo_apply(joint_edit* inout, uint32_t ring, float degrees)
{
    inout->degrees[ring] = remainderf(inout->degrees[ring] + degrees, 360.0f);
}
