// SPDX-License-Identifier: MIT
// A straight limb for tests of twist joints: four joints along x with rotated frames, and a clip.
#ifndef PELT_TWIST_LIMB_H
#define PELT_TWIST_LIMB_H

#include "test.h"

enum
{
    LIMB_ROOT, ///< at x = 0; the others follow in steps of one meter
    LIMB_UPPER,
    LIMB_LOWER,
    LIMB_HAND,
    LIMB_JOINT_COUNT,
    LIMB_RING_COUNT = 121, ///< cross sections, from x = 0.5 to 3.5
    LIMB_RING_SIZE = 8,
    LIMB_VERTEX_COUNT = LIMB_RING_COUNT * LIMB_RING_SIZE,
    LIMB_KEY_MAX = 16,
};

/// Everything that the scene refers to, so that a test may change it before use.
typedef struct twist_limb
{
    pelt_node nodes[LIMB_JOINT_COUNT];
    pelt_quat frames[LIMB_JOINT_COUNT]; ///< of the joints in the model
    uint32_t joints[LIMB_JOINT_COUNT];
    pelt_mat34 binds[LIMB_JOINT_COUNT];
    pelt_skin skin;
    pelt_vec3 positions[LIMB_VERTEX_COUNT];
    pelt_mesh mesh;
    pelt_instance instance;
    float times[LIMB_JOINT_COUNT][LIMB_KEY_MAX];
    float values[LIMB_JOINT_COUNT][LIMB_KEY_MAX][4];
    pelt_track tracks[LIMB_JOINT_COUNT];
    pelt_clip clip;
    pelt_scene scene;
    pelt_arena* arena; ///< of the weights
} twist_limb;

/// Cross sections are shared by two joints within 0.25 m of a joint, linearly.
twist_limb* twist_limb_make(void);
void twist_limb_free(twist_limb* l);

/// Add a track to the clip: keys a second apart that rotate a joint about an axis of the model, on
/// top of its bind pose.
void twist_limb_rotate(twist_limb* l, uint32_t joint, pelt_vec3 axis, const float* angles,
                       uint32_t count);

/// Twist joints along one bone. NULL when it failed.
pelt_scene* twist_limb_twist(const twist_limb* l, uint32_t joint, uint32_t count,
                             pelt_twist_source source);

/// Vertices of the first instance at a time of the first clip, by linear blending; free() them.
pelt_vec3* twist_limb_deform(const pelt_scene* scene, float time);

#endif
