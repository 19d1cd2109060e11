// SPDX-License-Identifier: MIT
#include "projection.h"

pelt_vec3 projection_ray(const projection* in, float x, float y)
{
    float right = in->slope * (x - 0.5f * in->width) / in->height;
    float up = in->slope * (0.5f - y / in->height);
    pelt_vec3 ray = pelt_vec3_mad(in->forward, right, in->right);
    return pelt_vec3_normalize(pelt_vec3_mad(ray, up, in->up));
}

static float depth_of(const projection* in, pelt_vec3 point)
{
    return pelt_vec3_dot(pelt_vec3_sub(point, in->eye), in->forward);
}

bool projection_find(pixel* out, const projection* in, pelt_vec3 point)
{
    pelt_vec3 way = pelt_vec3_sub(point, in->eye);
    float depth = depth_of(in, point);
    if (!(depth > 1e-6f))
    {
        return false;
    }
    float scale = in->height / (in->slope * depth);
    out->x = 0.5f * in->width + scale * pelt_vec3_dot(way, in->right);
    out->y = 0.5f * in->height - scale * pelt_vec3_dot(way, in->up);
    return true;
}

float projection_scale(const projection* in, pelt_vec3 point)
{
    return in->height / (in->slope * fmaxf(depth_of(in, point), 1e-6f));
}
