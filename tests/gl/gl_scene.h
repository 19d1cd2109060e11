// SPDX-License-Identifier: MIT
// A whole character on the GPU and by the reference, pose after pose.
#ifndef PELT_GL_SCENE_H
#define PELT_GL_SCENE_H

#include "gl_compare.h"

typedef struct gl_scene
{
    pelt_scene* scene;
    pelt_pose pose;
    pelt_frame frame;
    pelt_scene prepared; ///< the scene with centers and, after gl_scene_find_factors(), factors
    pelt_arena* arena;
    gl_difference worst[GL_METHOD_COUNT];
    uint32_t compared_count; ///< poses of an instance
    uint32_t scaled_count;   ///< of these, with joints that scale
    bool has_rotations; ///< one method only, by rotations: another with other influences, pivots
                        ///< and palettes
} gl_scene;

/// @param scene  taken over; freed by gl_scene_close()
int gl_scene_open(gl_scene* out, pelt_scene* scene);
void gl_scene_close(gl_scene* s);

/// Find the factors that rules for normals need, up to so many of a vertex.
int gl_scene_find_factors(gl_scene* s, uint32_t slots);

/// Pose by a clip; NULL: as stored.
void gl_scene_pose(gl_scene* s, const pelt_clip* clip, float time);

/// Compare every skinned instance in its pose, by all methods, or by one where they alternate.
/// @param how  influences, pivot, kind of palette and rule for normals; the rest is filled in
int gl_scene_compare(gl_scene* s, pelt_gl* gl, const gl_case* how);

#endif
