// SPDX-License-Identifier: MIT
// A scene without a skin, of which positions at any time are known in closed form.
#ifndef PELT_WHEEL_SCENE_H
#define PELT_WHEEL_SCENE_H

#include "test.h"

enum
{
    WHEEL_VERTICES = 40,
    WHEEL_KEYS = 9,
};

/// Points that rotate about z with their node, all by `angle` in a second, and a morph target that
/// moves them along z. Which tracks there are is up to a test.
typedef struct wheel
{
    pelt_vec3 positions[WHEEL_VERTICES], normals[WHEEL_VERTICES], deltas[WHEEL_VERTICES];
    float times[WHEEL_KEYS], rotations[WHEEL_KEYS][4], morph_weights[WHEEL_KEYS];
    pelt_morph morph;
    pelt_mesh mesh;
    pelt_node node;
    pelt_instance instance;
    pelt_track tracks[2];
    pelt_clip clip;
    pelt_scene scene;
} wheel;

/// Rotates by `angle` radians in a second, linearly; without the morph target.
void wheel_make(wheel* out, float angle);

/// With the morph target, by its own track alone.
void wheel_make_morph(wheel* out);

#endif
