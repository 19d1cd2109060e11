// SPDX-License-Identifier: MIT
// Rotations of joints on top of a clip: a twist about the bone and bends about two axes across it,
// with undo, and as JSON for `pelt --pose`.
#ifndef PELT_POSE_EDIT_H
#define PELT_POSE_EDIT_H

#include "pelt/pelt.h"

enum
{
    POSE_AXIS_COUNT = 3, ///< twist, bend, side
    POSE_EDIT_MAX = 128, ///< joints that are rotated
    POSE_UNDO_MAX = 64,
};

typedef struct joint_edit
{
    uint32_t node;
    float degrees[POSE_AXIS_COUNT];
} joint_edit;

typedef struct pose_edit
{
    joint_edit edits[POSE_EDIT_MAX];
    uint32_t count;
    joint_edit undo[POSE_UNDO_MAX]; ///< joints as they were before each change, oldest first
    uint32_t undo_count;
    uint32_t revision; ///< another number after each change
} pose_edit;

/// The edit of a joint; all 0 when there is none.
joint_edit pose_edit_of(const pose_edit* in, uint32_t node);

/// Save the state of a joint for undo: when a slider is grabbed.
void pose_edit_remember(pose_edit* inout, uint32_t node);

/// Replace the edit of a joint. One more than POSE_EDIT_MAX joints is left out.
void pose_edit_set(pose_edit* inout, const joint_edit* edit);

/// Undo the last change.
/// @return false: there is none
bool pose_edit_undo(pose_edit* inout);

/// The three axes of a joint in its own space: along the bone to its child, and two across.
void pose_edit_axes(pelt_vec3 out[POSE_AXIS_COUNT], const pelt_scene* scene, uint32_t node);

void pose_edit_apply(pelt_pose* inout, const pelt_scene* scene, const pose_edit* in);

/// Write the edits as JSON that --pose reads, whole or not at all.
pelt_result pose_edit_save(const char* path, const pelt_scene* scene, const pose_edit* in,
                           pelt_error* error);

#endif
