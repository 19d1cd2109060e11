// SPDX-License-Identifier: MIT
// The joints of a scene as one skeleton.
#include "stage.h"

// In the order of nodes: parents come first.
static void list_joints(pelti_skeleton* out, const pelt_joint_node* tree, const pelt_scene* scene,
                        uint32_t* indices)
{
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        uint32_t above = tree[node].above;
        if (tree[node].is_joint)
        {
            indices[node] = out->count;
            out->nodes[out->count] = node;
            out->parents[out->count++] = above != PELT_NONE ? indices[above] : PELT_NONE;
        }
    }
}

pelt_result pelti_skeleton_create(pelti_skeleton* out, const pelt_scene* scene, pelt_error* error)
{
    size_t count = (size_t)scene->node_count + 1;
    pelt_joint_node* tree = pelt_allocate(count, sizeof *tree);
    uint32_t* indices = pelt_allocate(count, sizeof *indices);
    *out = (pelti_skeleton){.nodes = pelt_allocate(count, sizeof *out->nodes),
                            .parents = pelt_allocate(count, sizeof *out->parents),
                            .lengths = pelt_allocate(count, sizeof *out->lengths),
                            .shapes = pelt_allocate(count, sizeof *out->shapes),
                            .colors = pelt_allocate(count, sizeof *out->colors)};
    bool is_ok = tree != NULL && indices != NULL && out->nodes != NULL && out->parents != NULL &&
                 out->lengths != NULL && out->shapes != NULL && out->colors != NULL &&
                 pelt_joint_shapes(out->shapes, scene) == PELT_OK &&
                 pelt_joint_colors(out->colors, scene) == PELT_OK;
    if (is_ok)
    {
        pelt_joint_tree_find(tree, scene);
        list_joints(out, tree, scene, indices);
    }
    pelt_release(tree);
    pelt_release(indices);
    return is_ok ? PELT_OK : pelt_error_memory(error);
}

void pelti_skeleton_destroy(pelti_skeleton* skeleton)
{
    pelt_release(skeleton->nodes);
    pelt_release(skeleton->parents);
    pelt_release(skeleton->lengths);
    pelt_release(skeleton->shapes);
    pelt_release(skeleton->colors);
    *skeleton = (pelti_skeleton){0};
}
