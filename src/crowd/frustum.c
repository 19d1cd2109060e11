// SPDX-License-Identifier: MIT
#include "../base/exact.h"

#include "../../include/pelt/crowd.h"

pelt_frustum pelt_frustum_of(const float clip_from_world[16])
{
    const float* m = clip_from_world;
    pelt_frustum frustum;
    for (int i = 0; i < 6; ++i)
    {
        // Inside are -w <= x, x <= w, and so on: the last row plus and minus another.
        int row = i / 2;
        float side = i % 2 == 0 ? 1.0f : -1.0f;
        frustum.planes[i] = (pelt_vec4){m[3] + side * m[row], m[7] + side * m[4 + row],
                                        m[11] + side * m[8 + row], m[15] + side * m[12 + row]};
    }
    return frustum;
}

bool pelt_frustum_meets(const pelt_frustum* frustum, const pelt_bounds* box,
                        const pelt_crowd_transform* place)
{
    // Twenty roundings of numbers as large as the largest term below.
    const float rounding = 2e-6f;
    pelt_vec3 middle = pelt_vec3_lerp(box->min, box->max, 0.5f);
    pelt_vec3 half = pelt_vec3_scale(pelt_vec3_sub(box->max, box->min), 0.5f * place->scale);
    pelt_vec3 turned = pelt_quat_rotate(place->rotation, pelt_vec3_scale(middle, place->scale));
    pelt_vec3 center = pelt_vec3_add(place->position, turned);
    pelt_mat3 axes = pelt_mat3_from_quat(place->rotation);
    for (int i = 0; i < 6; ++i)
    {
        pelt_vec4 plane = frustum->planes[i];
        pelt_vec3 normal = {plane.x, plane.y, plane.z};
        float across = 0.0f; // from the center to the corner that is farthest inside
        for (int axis = 0; axis < 3; ++axis)
        {
            pelt_vec3 edge = {axes.m[0][axis], axes.m[1][axis], axes.m[2][axis]};
            across += fabsf(pelt_vec3_dot(normal, edge) * (&half.x)[axis]);
        }
        float size = pelt_vec3_length(normal) *
                         (pelt_vec3_length(place->position) + pelt_vec3_length(turned)) +
                     fabsf(plane.w) + across;
        // Also false for what is not a number: it stays.
        if (pelt_vec3_dot(normal, center) + plane.w + across < -rounding * size)
        {
            return false;
        }
    }
    return true;
}
