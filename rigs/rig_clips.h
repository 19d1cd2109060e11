// SPDX-License-Identifier: MIT
// Helpers to write clips as functions of time, sampled at evenly spaced keys.
#ifndef PELT_RIG_CLIPS_H
#define PELT_RIG_CLIPS_H

#include "rig_character.h"

/// Left or right of the body.
typedef enum rig_side
{
    RIG_LEFT = 0, ///< or the middle
    RIG_RIGHT,    ///< angles are given as for the left and mirrored
} rig_side;

/// One moment of the clip that is being written.
typedef struct rig_moment
{
    rig_builder* rig;
    const rig_character_map* map;
    float time;  ///< seconds
    float phase; ///< 0 to 1 over the clip
} rig_moment;

typedef void (*rig_moment_keys)(const rig_moment* moment);

/// Start a clip and call `keys` at key_count + 1 evenly spaced times, the last one a whole clip
/// after the first: a function of period one in `phase` makes a loop.
void rig_clip_sample(rig_builder* rig, const rig_character_map* map, const char* name,
                     float duration, uint32_t key_count, rig_moment_keys keys);

/// Rotation about z, then y, then x, in degrees.
pelt_quat rig_rotation(float x, float y, float z);

/// Rotation about x, then z, in degrees: twists an arm, then lifts it.
pelt_quat rig_twist_lift(float x, float z);

void rig_pose_quat(const rig_moment* m, uint32_t row, rig_side side, pelt_quat rotation);
void rig_pose_angles(const rig_moment* m, uint32_t row, rig_side side, float x, float y, float z);
void rig_pose_offset(const rig_moment* m, uint32_t row, rig_side side, pelt_vec3 offset);

/// sin and cos of 2 pi * phase.
float rig_sine(float phase);
float rig_cosine(float phase);

/// A smooth bump of period one: 1 at `center`, near 0 beyond two widths.
float rig_bump(float phase, float center, float width);

#endif
