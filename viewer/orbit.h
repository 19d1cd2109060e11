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
} orbit;

/// Look at a box from the three-quarter view.
/// @param margin  part of the height that is left free
orbit orbit_frame(const pelt_bounds* box, float aspect, float margin);

pelt_camera orbit_camera(const orbit* in);

void orbit_rotate(orbit* inout, float x, float y); ///< pixels of a drag
void orbit_pan(orbit* inout, float x, float y, float height);
void orbit_zoom(orbit* inout, float steps);

/// Move camera and target along right, up and forward, in parts of the distance.
void orbit_move(orbit* inout, pelt_vec3 steps);

/// The projection of a picture of so many pixels.
projection orbit_project(const orbit* in, float width, float height);

#endif
