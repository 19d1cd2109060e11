// SPDX-License-Identifier: MIT
#include "pose_edit.h"

#include "desktop.h"

#include <string.h>

static joint_edit* find(pose_edit* in, uint32_t node)
{
    for (uint32_t i = 0; i < in->count; ++i)
    {
        if (in->edits[i].node == node)
        {
            return &in->edits[i];
        }
    }
    return NULL;
}

joint_edit pose_edit_of(const pose_edit* in, uint32_t node)
{
    for (uint32_t i = 0; i < in->count; ++i)
    {
        if (in->edits[i].node == node)
        {
            return in->edits[i];
        }
    }
    return (joint_edit){.node = node};
}

void pose_edit_remember(pose_edit* inout, uint32_t node)
{
    if (inout->undo_count == POSE_UNDO_MAX)
    {
        --inout->undo_count;
        memmove(inout->undo, inout->undo + 1, inout->undo_count * sizeof *inout->undo);
    }
    inout->undo[inout->undo_count++] = pose_edit_of(inout, node);
}

void pose_edit_set(pose_edit* inout, const joint_edit* edit)
{
    joint_edit* old = find(inout, edit->node);
    ++inout->revision;
    if (old != NULL)
    {
        *old = *edit;
    }
    else if (inout->count < POSE_EDIT_MAX)
    {
        inout->edits[inout->count++] = *edit;
    }
}

bool pose_edit_undo(pose_edit* inout)
{
    if (inout->undo_count == 0)
    {
        return false;
    }
    pose_edit_set(inout, &inout->undo[--inout->undo_count]);
    return true;
}

// ---------------------------------------------------------------------------------------------

static pelt_vec3 bone_axis(const pelt_scene* scene, uint32_t node)
{
    for (uint32_t i = node + 1; i < scene->node_count; ++i)
    {
        pelt_vec3 way = scene->nodes[i].rest.translation;
        if (scene->nodes[i].parent == node && pelt_vec3_length(way) > 1e-6f)
        {
            return pelt_vec3_normalize(way);
        }
    }
    return pelt_vec3_make(0.0f, 1.0f, 0.0f);
}

void pose_edit_axes(pelt_vec3 out[POSE_AXIS_COUNT], const pelt_scene* scene, uint32_t node)
{
    out[0] = bone_axis(scene, node);
    bool is_along_x = fabsf(out[0].x) > 0.9f;
    pelt_vec3 other =
        is_along_x ? pelt_vec3_make(0.0f, 0.0f, 1.0f) : pelt_vec3_make(1.0f, 0.0f, 0.0f);
    out[2] = pelt_vec3_normalize(pelt_vec3_cross(out[0], other));
    out[1] = pelt_vec3_cross(out[2], out[0]);
}

void pose_edit_apply(pelt_pose* inout, const pelt_scene* scene, const pose_edit* in)
{
    for (uint32_t i = 0; i < in->count; ++i)
    {
        const joint_edit* edit = &in->edits[i];
        pelt_vec3 axes[POSE_AXIS_COUNT];
        pose_edit_axes(axes, scene, edit->node);
        for (int k = POSE_AXIS_COUNT - 1; k >= 0; --k)
        {
            pelt_override change = {
                .node = edit->node, .axis = axes[k], .angle = edit->degrees[k] * PELT_PI / 180.0f};
            pelt_pose_override(inout, scene, &change, edit->degrees[k] != 0.0f ? 1 : 0);
        }
    }
}

// ---------------------------------------------------------------------------------------------

static json_t* describe(const pelt_scene* scene, const joint_edit* edit)
{
    json_t* list = json_array();
    pelt_vec3 axes[POSE_AXIS_COUNT];
    pose_edit_axes(axes, scene, edit->node);
    for (int k = POSE_AXIS_COUNT - 1; k >= 0; --k)
    {
        if (edit->degrees[k] != 0.0f)
        {
            json_array_append_new(list, json_pack("{s:[f, f, f], s:f}", "axis", (double)axes[k].x,
                                                  (double)axes[k].y, (double)axes[k].z, "degrees",
                                                  (double)edit->degrees[k]));
        }
    }
    return list;
}

pelt_result pose_edit_save(const char* path, const pelt_scene* scene, const pose_edit* in,
                           pelt_error* error)
{
    json_t* object = json_object();
    for (uint32_t i = 0; i < in->count; ++i)
    {
        json_t* list = describe(scene, &in->edits[i]);
        const char* name = scene->nodes[in->edits[i].node].name;
        if (json_array_size(list) > 0 && name != NULL)
        {
            json_object_set_new(object, name, list);
        }
        else
        {
            json_decref(list);
        }
    }
    return json_file_save(path, object, error);
}
