// SPDX-License-Identifier: MIT
// Normals as --normals asks for them: what they need beforehand, and frames that have them.
#ifndef PELT_SHADING_H
#define PELT_SHADING_H

#include "method_list.h"

/// Weight gradients, for the meshes of a frame.
typedef struct frame_normals
{
    bool is_recomputed; ///< normals come from the deformed triangles
    pelt_arena* arena;  ///< NULL: no gradients
} frame_normals;

/// Find the gradients that the rule needs, where the meshes have none that go with the centers of
/// the frame, and lend them to it. It refers to *out until that is destroyed.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int frame_normals_create(frame_normals* out, pelt_frame* frame, const pelt_scene* scene,
                         const method_list* how);
void frame_normals_destroy(frame_normals* in);

/// Say which meshes and methods --normals has no effect on.
void frame_normals_note_unused(const pelt_scene* scene, const method_list* how);

/// The rule of the normals that methods[0] gives; NULL where no mesh has normals.
const char* frame_normals_rule_name(const pelt_scene* scene, const method_list* how);

/// pelt_frame_update(), with normals recomputed if that is asked for.
int frame_normals_update(const frame_normals* in, pelt_frame* frame, const pelt_scene* scene,
                         const pelt_pose* pose, const pelt_deform_options* how);

#endif
