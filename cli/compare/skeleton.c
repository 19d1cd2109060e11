// SPDX-License-Identifier: MIT
#include "skeleton.h"

pelt_result skeleton_create(skeleton* out, const pelt_scene* scene, pelt_arena* arena)
{
    uint32_t count = scene->node_count;
    *out = (skeleton){.node_count = count,
                      .joints = pelt_arena_alloc(arena, count, sizeof *out->joints),
                      .shapes = pelt_arena_alloc(arena, count, sizeof *out->shapes)};
    if (out->joints == NULL || out->shapes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_joint_tree_find(out->joints, scene);
    return pelt_joint_shapes(out->shapes, scene);
}

static uint32_t find_child(const skeleton* in, uint32_t node)
{
    for (uint32_t i = node + 1; i < in->node_count; ++i)
    {
        if (in->joints[i].is_joint && in->joints[i].above == node)
        {
            return i;
        }
    }
    return PELT_NONE;
}

pelt_vec3 skeleton_bone(const skeleton* in, const pelt_mat34* model_from_node, uint32_t node)
{
    pelt_vec3 head = pelt_mat34_translation(&model_from_node[node]);
    uint32_t child = find_child(in, node), above = in->joints[node].above;
    pelt_vec3 along = {0.0f, 0.0f, 0.0f};
    if (child != PELT_NONE)
    {
        along = pelt_vec3_sub(pelt_mat34_translation(&model_from_node[child]), head);
    }
    else if (in->shapes[node].has_tail)
    {
        along =
            pelt_vec3_sub(pelt_mat34_point(&model_from_node[node], in->shapes[node].tail), head);
    }
    else if (above != PELT_NONE)
    {
        along = pelt_vec3_sub(head, pelt_mat34_translation(&model_from_node[above]));
    }
    return pelt_vec3_length(along) > 0.0f ? pelt_vec3_normalize(along)
                                          : pelt_vec3_make(0.0f, 1.0f, 0.0f);
}
