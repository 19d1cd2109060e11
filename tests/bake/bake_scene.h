// SPDX-License-Identifier: MIT
// Small scenes for bakes: a chain of joints with a handful of vertices each, and clips that a test
// writes key by key.
#ifndef PELT_BAKE_SCENE_H
#define PELT_BAKE_SCENE_H

#include "pelt/bake.h"
#include "test.h"

enum
{
    BAKE_SCENE_JOINTS = 8,
    BAKE_SCENE_CLIPS = 4,
    BAKE_SCENE_TRACKS = 16, ///< of a clip
    BAKE_SCENE_VERTICES = 8 ///< of a joint: corners of a box above its origin
};

/// Everything that the scene refers to, so that a test may change it before use.
typedef struct bake_scene
{
    pelt_node nodes[BAKE_SCENE_JOINTS];
    uint32_t joints[BAKE_SCENE_JOINTS];
    pelt_mat34 binds[BAKE_SCENE_JOINTS];
    pelt_skin skin;
    pelt_vec3 positions[BAKE_SCENE_JOINTS * BAKE_SCENE_VERTICES];
    pelt_vec3 normals[BAKE_SCENE_JOINTS * BAKE_SCENE_VERTICES];
    pelt_mesh mesh;
    pelt_instance instance;
    pelt_track tracks[BAKE_SCENE_CLIPS][BAKE_SCENE_TRACKS];
    pelt_clip clips[BAKE_SCENE_CLIPS];
    pelt_scene scene;
    pelt_arena* arena; ///< of weights and keys
} bake_scene;

/// Joint i is at (0, i / 2, 0), hangs on joint i - 1 and has the axes of the model. Its box is 0.2
/// wide and 0.4 tall, and the lower corners have a quarter of their weight from the joint before.
bake_scene* bake_scene_make(uint32_t joint_count);
void bake_scene_free(bake_scene* s);

/// The tracks that follow belong to it.
void bake_scene_clip(bake_scene* s, const char* name, float duration);

/// Times and values are copied.
void bake_scene_track(bake_scene* s, uint32_t node, pelt_path path,
                      pelt_interpolation interpolation, uint32_t key_count, const float* times,
                      const float* values);

/// Keys of a joint that rotates by the same angle from each to the next.
/// @param first  time of the first key
/// @param step   radians
void bake_scene_rotate(bake_scene* s, uint32_t node, pelt_vec3 axis, float first, float rate,
                       uint32_t key_count, float step);

/// Two clips of 31 and of 21 keys at 30 Hz, the first of which loops, in which all joints rotate
/// and the first one moves, by waves.
bake_scene* bake_scene_dance(uint32_t joint_count);

#endif
