// SPDX-License-Identifier: MIT
// Where the bones of a character point.
#ifndef PELT_SKELETON_H
#define PELT_SKELETON_H

#include "pelt/prepare.h"

typedef struct skeleton
{
    uint32_t node_count;
    pelt_joint_node* joints; ///< by node
    pelt_joint_shape* shapes;
} skeleton;

/// @param arena  owns the arrays
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result skeleton_create(skeleton* out, const pelt_scene* scene, pelt_arena* arena);

/// The direction of the bone at a joint, unit length: to its first child, or to where its skin
/// ends; else on from the joint above.
/// @param model_from_node  of a pose
pelt_vec3 skeleton_bone(const skeleton* in, const pelt_mat34* model_from_node, uint32_t node);

#endif
