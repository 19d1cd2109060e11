// SPDX-License-Identifier: MIT
// What files of this folder share, and offer to other folders of the core.
#ifndef PELTI_SCENE_PRIVATE_H
#define PELTI_SCENE_PRIVATE_H

#include "../../include/pelt/prepare.h"

// ---------------------------------------------------------------------------------------------
// Values of tracks at a time: track.c

/// Index of the last key not later than a time; 0 when all are later. From the hint the search goes
/// on in strides that double: the same key or the next takes three steps at most, one n keys away
/// about 2 log2 n.
/// @param hint   any key of the track
/// @param steps  grows by the number of keys that were looked at
uint32_t pelti_track_find_key(const pelt_track* track, float time, uint32_t hint, uint64_t* steps);

/// The value at a time.
/// @param out  track->width floats; a rotation comes out normalized
/// @param key  by pelti_track_find_key()
void pelti_track_sample_at(float* out, const pelt_track* track, float time, uint32_t key);

/// The same with a search of its own.
void pelti_track_sample(float* out, const pelt_track* track, float time);

/// +1 or -1: the sign that brings the first key of a rotation into the hemisphere of the stored
/// pose.
float pelti_track_sign(const pelt_track* track, pelt_quat rest);

/// Whether its value changes as time goes by, by more than rounding of exporters.
bool pelti_track_is_moving(const pelt_track* track);

// ---------------------------------------------------------------------------------------------
// Copies of scenes: scene_visit.c

/// Copy a scene with everything in it. All arrays of the copy are in its arena, so the caller
/// may write to them.
/// @return NULL when out of memory
pelt_scene* pelti_scene_copy(const pelt_scene* scene);

// ---------------------------------------------------------------------------------------------
// Tracks for another rest pose: clip_retarget.c

/// Constants of a retargeting.
typedef struct pelti_retarget
{
    const pelt_scene *scene, *from;
    pelt_mat3 *scene_linear, *from_linear;     ///< by node: rest transform relative to the scene
    pelt_quat *scene_rotation, *from_rotation; ///< the same without scale
    float length_ratio;                        ///< bones of the scene to those of `from`; median
} pelti_retarget;

/// @param nodes  of the scene, by node of `from`
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_retarget_create(pelti_retarget* out, const pelt_scene* scene,
                                  const pelt_scene* from, const uint32_t* nodes);
void pelti_retarget_destroy(pelti_retarget* in);

/// Change the values of a copied track so that the node of the scene moves relative to its rest
/// transform as the other does relative to its own.
/// @param values  of the track
/// @param source  node of `from`
void pelti_retarget_track(float* values, const pelt_track* track, const pelti_retarget* in,
                          uint32_t source);

/// Mark the nodes that are joints of skins; all nodes where there is no skin.
void pelti_mark_joints(bool* out, const pelt_scene* scene);

#endif
