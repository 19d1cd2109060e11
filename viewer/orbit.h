// SPDX-License-Identifier: MIT
// A camera that rotates about a point, shared by all viewports.
#ifndef PELT_ORBIT_H
#define PELT_ORBIT_H

#include "edit/projection.h"
#include "pelt/render.h"

typedef struct orbit
{
    pelt_vec3 target;
    float azimuth, elevation; ///< radians, as for pelt_camera_frame()
    float distance;           ///< meters
    float lens;               ///< vertical field of view, radians; 0: 0.5
} orbit;

/// The part of a picture that a character may take.
typedef struct orbit_fill
{
    float across, high;
} orbit_fill;

/// The nearest camera of the same direction and lens that has all points in the middle part of the
/// picture.
orbit orbit_fit(const orbit* from, const pelt_vec3* points, uint32_t count, float aspect,
                orbit_fill fill);

/// orbit_fit() from the three-quarter view. Where a long character would get small because of its
/// width, it is seen more from the front.
orbit orbit_frame(const pelt_vec3* points, uint32_t count, float aspect, orbit_fill fill,
                  float lens);

/// Change the field of view; what is as far away as the target keeps its size.
void orbit_set_lens(orbit* inout, float lens);

pelt_camera orbit_camera(const orbit* in);

void orbit_rotate(orbit* inout, float x, float y); ///< pixels of a drag
void orbit_pan(orbit* inout, float x, float y, float height);
void orbit_zoom(orbit* inout, float steps);

/// Zoom so that what is below a pixel stays there.
void orbit_zoom_at(orbit* inout, float steps, pixel at, float width, float height);

/// Move camera and target along right, up and forward, in parts of the distance.
void orbit_move(orbit* inout, pelt_vec3 steps);

/// The projection of a picture of so many pixels.
projection orbit_project(const orbit* in, float width, float height);

#endif
