// SPDX-License-Identifier: MIT
// The joints of all skins as one tree over the nodes of a scene.
#ifndef PELTI_JOINT_TREE_H
#define PELTI_JOINT_TREE_H

#include "pelt/pelt.h"

typedef struct pelti_joint_node
{
    bool is_joint;        // of any skin
    uint32_t above;       // node of the nearest joint above, or PELT_NONE
    uint32_t child_count; // joints that this node is the nearest one above of
} pelti_joint_node;

/// @return scene->node_count, to be released with pelt_release(); NULL when out of memory
pelti_joint_node* pelti_joint_tree_create(const pelt_scene* scene);

#endif
