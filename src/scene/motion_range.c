// SPDX-License-Identifier: MIT
// The axes of joints, and bends and twists about them as a clip for characters without clips.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"

#include <math.h>
#include <string.h>

enum
{
    MOTION_COUNT = 5, // of each joint: two bends both ways, and a twist
    KEY_COUNT = 2 * MOTION_COUNT + 1,
};

static const float default_angle = 1.04719755f; // 60 degrees

typedef struct axes_work
{
    const pelt_scene* scene;
    pelt_joint_node* tree;
    pelt_joint_shape* shapes;
    pelt_mat34* model_from_node;
    pelt_vec3* children; // node_count: sums of the positions of child joints
} axes_work;

static bool prepare_axes(axes_work* out, pelt_arena* scratch)
{
    size_t count = out->scene->node_count;
    pelt_pose pose;
    out->tree = pelt_arena_alloc(scratch, count, sizeof *out->tree);
    out->shapes = pelt_arena_alloc(scratch, count, sizeof *out->shapes);
    out->model_from_node = pelt_arena_alloc(scratch, count, sizeof *out->model_from_node);
    out->children = pelt_arena_alloc(scratch, count, sizeof *out->children);
    if (out->tree == NULL || out->shapes == NULL || out->model_from_node == NULL ||
        out->children == NULL || pelt_joint_shapes(out->shapes, out->scene) != PELT_OK ||
        pelt_pose_create(&pose, out->scene) != PELT_OK)
    {
        return false;
    }
    pelt_joint_tree_find(out->tree, out->scene);
    pelt_pose_to_model(out->model_from_node, out->scene, &pose);
    pelt_pose_destroy(&pose);
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t above = out->tree[i].above;
        if (out->tree[i].is_joint && above != PELT_NONE)
        {
            out->children[above] = pelt_vec3_add(out->children[above],
                                                 pelt_mat34_translation(&out->model_from_node[i]));
        }
    }
    return true;
}

static pelt_vec3 find_along(const axes_work* in, uint32_t node, const pelt_mat34* node_from_model)
{
    const pelt_joint_node* joint = &in->tree[node];
    pelt_vec3 to = in->shapes[node].tail;
    if (joint->child_count > 0)
    {
        float part = 1.0f / (float)joint->child_count;
        to = pelt_mat34_point(node_from_model, pelt_vec3_scale(in->children[node], part));
    }
    if (pelt_vec3_length(to) == 0.0f && joint->above != PELT_NONE)
    {
        pelt_vec3 above = pelt_mat34_translation(&in->model_from_node[joint->above]);
        to = pelt_vec3_scale(pelt_mat34_point(node_from_model, above), -1.0f);
    }
    pelt_vec3 along = pelt_vec3_normalize(to);
    return pelt_vec3_length(along) > 0.5f ? along : pelt_vec3_make(0.0f, 1.0f, 0.0f);
}

// The axis in the model, taken to the joint. A mirror reverses the sense of rotations.
static pelt_vec3 find_bend(pelt_vec3 along, const pelt_mat34* model_from_node,
                           const pelt_mat34* node_from_model)
{
    pelt_mat3 to_model = pelt_mat34_linear(model_from_node);
    pelt_mat3 to_node = pelt_mat34_linear(node_from_model);
    pelt_vec3 bone = pelt_vec3_normalize(pelt_mat3_vector(&to_model, along));
    pelt_vec3 to =
        fabsf(bone.z) > 0.9f ? pelt_vec3_make(0.0f, -1.0f, 0.0f) : pelt_vec3_make(0.0f, 0.0f, 1.0f);
    float sense = pelt_mat3_determinant(&to_model) < 0.0f ? -1.0f : 1.0f;
    pelt_vec3 axis = pelt_mat3_vector(&to_node, pelt_vec3_scale(pelt_vec3_cross(bone, to), sense));
    axis = pelt_vec3_mad(axis, -pelt_vec3_dot(axis, along), along);
    return pelt_vec3_normalize(axis);
}

static pelt_vec3 any_across(pelt_vec3 along)
{
    pelt_vec3 other =
        fabsf(along.x) < 0.6f ? pelt_vec3_make(1.0f, 0.0f, 0.0f) : pelt_vec3_make(0.0f, 1.0f, 0.0f);
    return pelt_vec3_normalize(pelt_vec3_mad(other, -pelt_vec3_dot(other, along), along));
}

pelt_result pelt_joint_axes_find(pelt_joint_axes* out, const pelt_scene* scene)
{
    PELT_ASSERT(scene != NULL && (out != NULL || scene->node_count == 0));
    axes_work work = {.scene = scene};
    pelt_arena* scratch = pelt_arena_create();
    bool is_ok = scratch != NULL && prepare_axes(&work, scratch);
    for (uint32_t i = 0; is_ok && i < scene->node_count; ++i)
    {
        pelt_mat34 node_from_model;
        out[i] = (pelt_joint_axes){{0.0f, 1.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
        if (!work.tree[i].is_joint ||
            !pelt_mat34_inverse(&node_from_model, &work.model_from_node[i]))
        {
            continue;
        }
        out[i].along = find_along(&work, i, &node_from_model);
        out[i].bend = find_bend(out[i].along, &work.model_from_node[i], &node_from_model);
        if (pelt_vec3_length(out[i].bend) < 0.5f)
        {
            out[i].bend = any_across(out[i].along);
        }
    }
    pelt_arena_destroy(scratch);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// The clip

typedef struct motion_range
{
    const pelt_scene* scene;
    float bend, twist;
    pelt_joint_node* tree;
    pelt_joint_axes* axes;
    uint32_t* levels; // node_count; PELT_NONE: does not move
    uint32_t level_count, joint_count;
} motion_range;

// A joint without an ancestor moves everything, and deforms nothing.
static void find_levels(motion_range* inout)
{
    for (uint32_t i = 0; i < inout->scene->node_count; ++i)
    {
        uint32_t above = inout->tree[i].above;
        bool is_moving =
            inout->tree[i].is_joint && above != PELT_NONE && inout->tree[above].is_joint;
        inout->levels[i] = PELT_NONE;
        if (is_moving)
        {
            inout->levels[i] = inout->levels[above] == PELT_NONE ? 0 : inout->levels[above] + 1;
            inout->level_count =
                inout->levels[i] < inout->level_count ? inout->level_count : inout->levels[i] + 1;
            ++inout->joint_count;
        }
    }
}

static pelt_quat motion_at(const motion_range* in, const pelt_joint_axes* axes, int motion)
{
    if (motion == MOTION_COUNT - 1)
    {
        return pelt_quat_axis_angle(axes->along, in->twist);
    }
    return pelt_quat_axis_angle(motion < 2 ? axes->bend : pelt_vec3_cross(axes->along, axes->bend),
                                motion % 2 == 0 ? in->bend : -in->bend);
}

// From rest to each motion and back.
static bool add_track(pelt_track* out, const motion_range* in, uint32_t node, pelt_arena* arena)
{
    float* times = pelt_arena_alloc(arena, KEY_COUNT, sizeof *times);
    float* values = pelt_arena_alloc(arena, KEY_COUNT, 4 * sizeof *values);
    if (times == NULL || values == NULL)
    {
        return false;
    }
    for (int k = 0; k < KEY_COUNT; ++k)
    {
        pelt_quat rest = in->scene->nodes[node].rest.rotation;
        pelt_quat q =
            k % 2 == 0
                ? rest
                : pelt_quat_normalize(pelt_quat_mul(rest, motion_at(in, &in->axes[node], k / 2)));
        times[k] = (float)in->levels[node] * MOTION_COUNT + 0.5f * (float)k;
        memcpy(values + 4 * (size_t)k, &q, sizeof q);
    }
    pelt_rotations_align(values, KEY_COUNT);
    *out = (pelt_track){.target = node,
                        .path = PELT_PATH_ROTATION,
                        .key_count = KEY_COUNT,
                        .width = 4,
                        .times = times,
                        .values = values};
    return true;
}

static pelt_result fill_clip(pelt_clip* out, motion_range* in, pelt_arena* arena)
{
    find_levels(in);
    pelt_track* tracks = pelt_arena_alloc(arena, in->joint_count, sizeof *tracks);
    uint32_t count = 0;
    for (uint32_t i = 0; tracks != NULL && i < in->scene->node_count; ++i)
    {
        if (in->levels[i] != PELT_NONE && !add_track(&tracks[count++], in, i, arena))
        {
            return PELT_ERROR_MEMORY;
        }
    }
    *out = (pelt_clip){.name = "range of motion",
                       .duration = (float)in->level_count * MOTION_COUNT,
                       .track_count = count,
                       .tracks = tracks};
    return tracks != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

static bool prepare(motion_range* out, pelt_arena* scratch)
{
    size_t count = out->scene->node_count;
    out->tree = pelt_arena_alloc(scratch, count, sizeof *out->tree);
    out->axes = pelt_arena_alloc(scratch, count, sizeof *out->axes);
    out->levels = pelt_arena_alloc(scratch, count, sizeof *out->levels);
    if (out->tree == NULL || out->axes == NULL || out->levels == NULL)
    {
        return false;
    }
    pelt_joint_tree_find(out->tree, out->scene);
    return pelt_joint_axes_find(out->axes, out->scene) == PELT_OK;
}

pelt_result pelt_motion_range_build(pelt_clip* out, const pelt_scene* scene,
                                    const pelt_motion_range_options* options, pelt_arena* arena)
{
    PELT_ASSERT(out != NULL && scene != NULL && arena != NULL);
    *out = (pelt_clip){0};
    motion_range work = {
        .scene = scene,
        .bend = options != NULL && options->bend > 0.0f ? options->bend : default_angle,
        .twist = options != NULL && options->twist > 0.0f ? options->twist : default_angle};
    pelt_arena* scratch = pelt_arena_create();
    bool is_ok = scratch != NULL && prepare(&work, scratch);
    pelt_result result = is_ok ? fill_clip(out, &work, arena) : PELT_ERROR_MEMORY;
    pelt_arena_destroy(scratch);
    return result;
}
