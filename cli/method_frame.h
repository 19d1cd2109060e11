// SPDX-License-Identifier: MIT
// Frames by the methods of a command, with normals as --normals asks for them.
#ifndef PELT_METHOD_FRAME_H
#define PELT_METHOD_FRAME_H

#include "method_list.h"

extern const arg_option method_frame_exact[]; ///< --exact: pelt_frame_prepare() is left out

/// Add the smoothed weights that the methods need, and the normal factors that the rules need, to
/// the meshes that have none which fit, before a frame is made of the scene.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int method_frame_prepare(pelt_scene* inout, const method_list* how, pelt_arena* arena);

/// Say which meshes and methods --normals has no effect on.
void method_frame_note_unused(const pelt_scene* scene, const method_list* how);

/// The rule of the normals that methods[0] gives; NULL where no mesh has normals.
const char* method_frame_rule_name(const pelt_scene* scene, const method_list* how);

/// pelt_frame_update() by one of the methods, with normals recomputed if that is asked for.
int method_frame_update(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                        const method_list* how, uint32_t method);

/// Vertices between mirrored and unmirrored joints, over all instances in the pose of the frame:
/// only lbs can deform them.
uint32_t method_frame_count_mixed(const pelt_scene* scene, const pelt_frame* frame);

/// Warn if there are any and a method other than lbs is used.
void method_frame_note_mixed(uint32_t count, const method_list* how);

#endif
