// SPDX-License-Identifier: MIT
// Normals as --normals asks for them: what they need beforehand, and frames that have them.
#ifndef PELT_SHADING_H
#define PELT_SHADING_H

#include "method_list.h"

/// Rates of weights, for the meshes of a frame.
typedef struct shading
{
    bool is_recomputed; ///< normals come from the deformed triangles
    pelt_arena* arena;  ///< NULL: no rates
} shading;

/// Find the rates that the rule needs, where the meshes have none that go with the centres of the
/// frame, and lend them to it. It refers to *out until that is destroyed.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int shading_create(shading* out, pelt_frame* frame, const pelt_scene* scene, const deforming* how);
void shading_destroy(shading* in);

/// Say which meshes and methods --normals has no effect on.
void shading_note_unused(const pelt_scene* scene, const deforming* how);

/// The rule of the normals that methods[0] gives; NULL where no mesh has normals.
const char* shading_rule_name(const pelt_scene* scene, const deforming* how);

/// pelt_frame_update(), with normals recomputed if that is asked for.
int shading_update(const shading* in, pelt_frame* frame, const pelt_scene* scene,
                   const pelt_pose* pose, const pelt_deform_options* how);

#endif
