// SPDX-License-Identifier: MIT
// The box of a joint, and where a bone ends that has no joint at its end.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"

#include <string.h>

typedef struct joint_axes
{
    pelt_joint_node* tree;
    pelt_vec3* axes; // node_count: directions of bones that want an end; zero: none, or not known
    float* reaches;  // node_count: how far vertices go along them
    uint32_t* slots; // node_count: joint of the skin that is looked at, or PELT_NONE
} joint_axes;

static bool is_leaf(const joint_axes* in, uint32_t node)
{
    return in->tree[node].is_joint && in->tree[node].child_count == 0;
}

// Away from the joint above, where the skin has both.
static void find_axes(joint_axes* inout, const pelt_skin* skin)
{
    for (uint32_t j = 0; j < skin->joint_count; ++j)
    {
        inout->slots[skin->joints[j]] = j;
    }
    for (uint32_t j = 0; j < skin->joint_count; ++j)
    {
        uint32_t node = skin->joints[j], above = inout->tree[node].above;
        uint32_t slot = above != PELT_NONE ? inout->slots[above] : PELT_NONE;
        pelt_mat34 bind;
        if (slot != PELT_NONE && is_leaf(inout, node) &&
            pelt_mat34_inverse(&bind, &skin->inverse_binds[slot]))
        {
            pelt_vec3 from =
                pelt_mat34_point(&skin->inverse_binds[j], pelt_mat34_translation(&bind));
            inout->axes[node] = pelt_vec3_normalize(pelt_vec3_scale(from, -1.0f));
        }
    }
    for (uint32_t j = 0; j < skin->joint_count; ++j)
    {
        inout->slots[skin->joints[j]] = PELT_NONE;
    }
}

// Every vertex, where the joint that it follows has it in the bind pose.
static void add_followers(pelt_joint_shape* out, joint_axes* axes, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        const pelt_weights* weights = &mesh->weights;
        for (uint32_t v = 0; instance->skin != PELT_NONE && v < weights->vertex_count; ++v)
        {
            if (weights->first[v] < weights->first[v + 1])
            {
                const pelt_skin* skin = &scene->skins[instance->skin];
                uint32_t joint = weights->influences[weights->first[v]].joint;
                uint32_t node = skin->joints[joint];
                pelt_vec3 position =
                    pelt_mat34_point(&skin->inverse_binds[joint], mesh->positions[v]);
                pelt_bounds_add(&out[node].box, &position, 1);
                float reach = pelt_vec3_dot(axes->axes[node], position);
                axes->reaches[node] = fmaxf(axes->reaches[node], reach);
            }
        }
    }
}

static void fill_shapes(pelt_joint_shape* out, joint_axes* axes, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        find_axes(axes, &scene->skins[i]);
    }
    add_followers(out, axes, scene);
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        bool has_box = out[i].box.min.x <= out[i].box.max.x;
        if (has_box && is_leaf(axes, i) && pelt_vec3_length(axes->axes[i]) == 0.0f)
        {
            axes->axes[i] =
                pelt_vec3_normalize(pelt_vec3_lerp(out[i].box.min, out[i].box.max, 0.5f));
        }
    }
    add_followers(out, axes, scene); // again, for those that have an axis only now
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        out[i].tail = pelt_vec3_scale(axes->axes[i], axes->reaches[i]);
        out[i].has_tail = axes->reaches[i] > 0.0f;
    }
}

pelt_result pelt_joint_shapes(pelt_joint_shape* out, const pelt_scene* scene)
{
    size_t count = (size_t)scene->node_count + 1;
    joint_axes axes = {.axes = pelt_allocate(count, sizeof *axes.axes),
                       .reaches = pelt_allocate(count, sizeof *axes.reaches),
                       .slots = pelt_allocate(count, sizeof *axes.slots),
                       .tree = pelt_allocate(count, sizeof *axes.tree)};
    bool is_ok =
        axes.axes != NULL && axes.reaches != NULL && axes.slots != NULL && axes.tree != NULL;
    if (is_ok)
    {
        memset(axes.axes, 0, count * sizeof *axes.axes);
        memset(axes.reaches, 0, count * sizeof *axes.reaches);
        memset(axes.slots, 0xff, count * sizeof *axes.slots); // PELT_NONE
        for (uint32_t i = 0; i < scene->node_count; ++i)
        {
            out[i] = (pelt_joint_shape){.box = pelt_bounds_empty()};
        }
        pelt_joint_tree_find(axes.tree, scene);
        fill_shapes(out, &axes, scene);
    }
    pelt_release(axes.axes);
    pelt_release(axes.reaches);
    pelt_release(axes.slots);
    pelt_release(axes.tree);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}
