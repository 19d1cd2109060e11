// SPDX-License-Identifier: MIT
#include "joint_tree.h"

#include <string.h>

pelti_joint_node* pelti_joint_tree_create(const pelt_scene* scene)
{
    pelti_joint_node* tree = pelt_allocate((size_t)scene->node_count + 1, sizeof *tree);
    if (tree == NULL)
    {
        return NULL;
    }
    memset(tree, 0, scene->node_count * sizeof *tree);
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        for (uint32_t j = 0; j < scene->skins[s].joint_count; ++j)
        {
            tree[scene->skins[s].joints[j]].is_joint = true;
        }
    }
    // Parents come before their children.
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        uint32_t parent = scene->nodes[node].parent;
        tree[node].above =
            parent == PELT_NONE || tree[parent].is_joint ? parent : tree[parent].above;
        if (tree[node].is_joint && tree[node].above != PELT_NONE)
        {
            ++tree[tree[node].above].child_count;
        }
    }
    return tree;
}
