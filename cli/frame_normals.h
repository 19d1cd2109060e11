// SPDX-License-Identifier: MIT
// Normals as --normals asks for them: what they need beforehand, and frames that have them.
#ifndef PELT_FRAME_NORMALS_H
#define PELT_FRAME_NORMALS_H

#include "method_list.h"

/// Add the normal factors that the rules need to the meshes that have none which fit, before a
/// frame is made of the scene.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int frame_normals_prepare(pelt_scene* inout, const method_list* how, pelt_arena* arena);

/// Say which meshes and methods --normals has no effect on.
void frame_normals_note_unused(const pelt_scene* scene, const method_list* how);

/// The rule of the normals that methods[0] gives; NULL where no mesh has normals.
const char* frame_normals_rule_name(const pelt_scene* scene, const method_list* how);

/// pelt_frame_update() by one of the methods, with normals recomputed if that is asked for.
int frame_normals_update(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                         const method_list* how, uint32_t method);

#endif
