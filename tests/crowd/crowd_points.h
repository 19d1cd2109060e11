// SPDX-License-Identifier: MIT
// The vertices of a character that plays a bake, one by one: what boxes and culling are held
// against.
#ifndef PELT_CROWD_POINTS_H
#define PELT_CROWD_POINTS_H

#include "pelt/crowd.h"
#include "test.h"

typedef struct crowd_points
{
    const pelt_scene* scene;
    pelt_baked* baked;
    pelt_crowd_bounds bounds;
    pelt_mat34* motions; ///< of the bake's joints
    uint32_t count;      ///< of the vertices of all instances
    pelt_vec3* points;   ///< where they are, in model space
} crowd_points;

/// Bake all clips of a scene.
bool crowd_points_create(crowd_points* out, const pelt_scene* scene, pelt_encoding encoding);
void crowd_points_destroy(crowd_points* in);

/// Decode and blend linearly.
void crowd_points_play(crowd_points* inout, const pelt_playback* playback);

/// Any clips at any times, and in half of all cases a fade.
pelt_playback crowd_points_random(const crowd_points* in, test_random* random);

/// Perspective times view, by the definition of both, in double precision.
void crowd_points_camera(double out[16], pelt_vec3 eye, pelt_vec3 target, double field_of_view,
                         double aspect);

/// Distance of a point to the nearest plane of clip space, positive inside.
double crowd_points_depth(const double camera[16], pelt_vec3 point);

#endif
