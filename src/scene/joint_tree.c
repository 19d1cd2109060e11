// SPDX-License-Identifier: MIT
// The joints of all skins as one tree over the nodes of a scene.
#include "../../include/pelt/prepare.h"

void pelt_joint_tree_find(pelt_joint_node* out, const pelt_scene* scene)
{
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        out[node] = (pelt_joint_node){.above = PELT_NONE};
    }
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        for (uint32_t j = 0; j < scene->skins[s].joint_count; ++j)
        {
            out[scene->skins[s].joints[j]].is_joint = true;
        }
    }
    // Parents come before their children.
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        uint32_t parent = scene->nodes[node].parent;
        out[node].above = parent == PELT_NONE || out[parent].is_joint ? parent : out[parent].above;
        if (out[node].is_joint && out[node].above != PELT_NONE)
        {
            ++out[out[node].above].child_count;
        }
    }
}
