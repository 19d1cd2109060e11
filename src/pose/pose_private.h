// SPDX-License-Identifier: MIT
// What the reference of sampling shares with players.
#ifndef PELTI_POSE_PRIVATE_H
#define PELTI_POSE_PRIVATE_H

#include "../../include/pelt/pelt.h"

/// The time within the clip at which it is sampled.
float pelti_clip_time(const pelt_clip* clip, float time, pelt_wrap wrap);

/// The morph weights of the stored pose.
void pelti_morph_weights_rest(pelt_pose* out, const pelt_scene* scene);

/// Sample one track.
/// @param time  by pelti_clip_time()
/// @param key   where the search begins, and the key at or before the time; NULL: search all keys
/// @return the number of keys that were compared
uint64_t pelti_pose_sample_track(const pelt_pose* out, const pelt_scene* scene,
                                 const pelt_track* track, float time, uint32_t* key);

/// Place helper joints, which have no children, by their rules.
void pelti_helpers_to_model(pelt_mat34* model_from_node, const pelt_scene* scene);
void pelti_helpers_to_rotations(pelt_quat* rotations, const pelt_scene* scene);

#endif
