// SPDX-License-Identifier: MIT
// How tracks go from the nodes of one scene to those of another with another rest pose.
#ifndef PELTI_CLIP_RETARGET_H
#define PELTI_CLIP_RETARGET_H

#include "../../include/pelt/pelt.h"

/// Everything that is constant over all keys.
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
