// SPDX-License-Identifier: MIT
// Between pixels of a viewport and rays of its camera.
#ifndef PELT_PROJECTION_H
#define PELT_PROJECTION_H

#include "pelt/math3d.h"

typedef struct projection
{
    pelt_vec3 eye;
    pelt_vec3 right, up, forward; ///< unit, at right angles
    float slope;                  ///< height of what is seen, one meter before the eye
    float width, height;          ///< of the picture, pixels
} projection;

/// A point in the picture, in pixels.
typedef struct pixel
{
    float x, y;
} pixel;

/// The direction through a pixel, unit length; (0, 0) is the upper left corner.
static inline pelt_vec3 projection_ray(const projection* in, float x, float y)
{
    float right = in->slope * (x - 0.5f * in->width) / in->height;
    float up = in->slope * (0.5f - y / in->height);
    pelt_vec3 ray = pelt_vec3_mad(in->forward, right, in->right);
    return pelt_vec3_normalize(pelt_vec3_mad(ray, up, in->up));
}

/// Distance from the eye along the direction of view.
static inline float projection_depth(const projection* in, pelt_vec3 point)
{
    return pelt_vec3_dot(pelt_vec3_sub(point, in->eye), in->forward);
}

/// @return false: the point is not in front of the eye
static inline bool projection_find(pixel* out, const projection* in, pelt_vec3 point)
{
    pelt_vec3 offset = pelt_vec3_sub(point, in->eye);
    float depth = projection_depth(in, point);
    if (!(depth > 1e-6f))
    {
        return false;
    }
    float scale = in->height / (in->slope * depth);
    out->x = 0.5f * in->width + scale * pelt_vec3_dot(offset, in->right);
    out->y = 0.5f * in->height - scale * pelt_vec3_dot(offset, in->up);
    return true;
}

/// Pixels per meter at a point in front of the eye.
static inline float projection_scale(const projection* in, pelt_vec3 point)
{
    return in->height / (in->slope * fmaxf(projection_depth(in, point), 1e-6f));
}

#endif
