// SPDX-License-Identifier: MIT
// The clip and time of a character: playing, stepping from key to key, fading into another clip.
#ifndef PELT_PLAYBACK_H
#define PELT_PLAYBACK_H

#include "pelt/pelt.h"

typedef struct playback
{
    uint32_t clip;      ///< or PELT_NONE: the stored pose
    float time;         ///< seconds, within the clip
    uint32_t next_clip; ///< that is being faded in, or PELT_NONE
    float next_time;
    float fade_length; ///< seconds
    float faded;       ///< seconds so far
} playback;

/// The start of a clip, without a fade.
playback playback_of(uint32_t clip);

/// Advance.
/// @param seconds     of the clip, speed included
/// @param is_looping  else it stops at the end
/// @return false: the end was reached
bool playback_advance(playback* inout, const pelt_scene* scene, float seconds, bool is_looping);

/// Go to the next key of any track, or to the one before; at the ends around to the other.
/// @param way  1 or -1
void playback_step(playback* inout, const pelt_scene* scene, int way);

/// Fade into another clip. @param seconds  0: at once
void playback_fade(playback* inout, uint32_t clip, float seconds);

float playback_duration(const playback* in, const pelt_scene* scene);

/// @param other    a second pose of the scene, for fading
/// @param cursors  of both
void playback_sample(pelt_pose* out, pelt_pose* other, pelt_cursor cursors[2], const playback* in,
                     const pelt_scene* scene);

#endif
