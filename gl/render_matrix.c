// SPDX-License-Identifier: MIT
#include "render_matrix.h"

pelti_view pelti_view_toward(pelt_vec3 back)
{
    pelti_view view = {.back = pelt_vec3_normalize(back)};
    view.right = pelt_vec3_normalize(pelt_vec3_make(view.back.z, 0.0f, -view.back.x));
    if (view.right.x == 0.0f && view.right.z == 0.0f)
    {
        view.right.x = 1.0f;
    }
    view.up = pelt_vec3_cross(view.back, view.right);
    return view;
}

pelt_vec3 pelti_view_point(const pelti_view* view, pelt_vec3 p)
{
    return pelt_vec3_make(pelt_vec3_dot(view->right, p), pelt_vec3_dot(view->up, p),
                          pelt_vec3_dot(view->back, p));
}

void pelti_box_corners(pelt_vec3 out[8], const pelt_bounds* box)
{
    for (int i = 0; i < 8; ++i)
    {
        out[i] = pelt_vec3_make(i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y,
                                i & 4 ? box->max.z : box->min.z);
    }
}

pelti_mat4 pelti_mat4_mul(const pelti_mat4* a, const pelti_mat4* b)
{
    pelti_mat4 out;
    for (int column = 0; column < 4; ++column)
    {
        for (int row = 0; row < 4; ++row)
        {
            float sum = 0.0f;
            for (int k = 0; k < 4; ++k)
            {
                sum += a->m[4 * k + row] * b->m[4 * column + k];
            }
            out.m[4 * column + row] = sum;
        }
    }
    return out;
}

pelti_mat4 pelti_mat4_perspective(float field_of_view, float aspect, float near, float far)
{
    float scale = 1.0f / tanf(0.5f * field_of_view);
    pelti_mat4 out = {{0.0f}};
    out.m[0] = scale / aspect;
    out.m[5] = scale;
    out.m[10] = (near + far) / (near - far);
    out.m[11] = -1.0f;
    out.m[14] = 2.0f * near * far / (near - far);
    return out;
}

static void set_row(pelti_mat4* out, int row, pelt_vec3 axis, float shift)
{
    out->m[row] = axis.x;
    out->m[4 + row] = axis.y;
    out->m[8 + row] = axis.z;
    out->m[12 + row] = shift;
}

pelti_mat4 pelti_mat4_view(const pelti_view* view, pelt_vec3 eye)
{
    pelti_mat4 out = {{0.0f}};
    set_row(&out, 0, view->right, -pelt_vec3_dot(view->right, eye));
    set_row(&out, 1, view->up, -pelt_vec3_dot(view->up, eye));
    set_row(&out, 2, view->back, -pelt_vec3_dot(view->back, eye));
    out.m[15] = 1.0f;
    return out;
}

pelti_mat4 pelti_mat4_parallel(float* side, const pelt_bounds* box, pelt_vec3 to_light,
                               float margin)
{
    pelti_view view = pelti_view_toward(to_light);
    pelt_vec3 corners[8];
    pelt_bounds seen = pelt_bounds_empty();
    pelti_box_corners(corners, box);
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = pelti_view_point(&view, corners[i]);
    }
    pelt_bounds_add(&seen, corners, 8);

    pelt_vec3 center = pelt_vec3_lerp(seen.min, seen.max, 0.5f);
    pelt_vec3 size = pelt_vec3_sub(seen.max, seen.min);
    *side = fmaxf(fmaxf(size.x, size.y), 1e-6f) / (1.0f - 2.0f * margin);
    float across = 2.0f / *side;
    // Some margin in depth, for rounding.
    float along = -2.0f / (1.02f * fmaxf(size.z, *side * 1e-3f));
    pelti_mat4 out = {{0.0f}};
    set_row(&out, 0, pelt_vec3_scale(view.right, across), -across * center.x);
    set_row(&out, 1, pelt_vec3_scale(view.up, across), -across * center.y);
    set_row(&out, 2, pelt_vec3_scale(view.back, along), -along * center.z);
    out.m[15] = 1.0f;
    return out;
}

pelti_mat4 pelti_mat4_to_texture(const pelti_mat4* clip_from_model)
{
    const pelti_mat4 half = {{0.5f, 0.0f, 0.0f, 0.0f, 0.0f, 0.5f, 0.0f, 0.0f, 0.0f, 0.0f, 0.5f,
                              0.0f, 0.5f, 0.5f, 0.5f, 1.0f}};
    return pelti_mat4_mul(&half, clip_from_model);
}
