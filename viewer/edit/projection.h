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

/// The direction through a pixel, unit length; (0, 0) is the upper left corner.
pelt_vec3 projection_ray(const projection* in, float x, float y);

/// A place in the picture, in pixels.
typedef struct pixel
{
    float x, y;
} pixel;

/// @return false: the point is not before the eye
bool projection_find(pixel* out, const projection* in, pelt_vec3 point);

/// Pixels per meter at a point before the eye.
float projection_scale(const projection* in, pelt_vec3 point);

#endif
