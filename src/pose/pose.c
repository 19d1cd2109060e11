// SPDX-License-Identifier: MIT
// Poses: sampling, blending, changes to single joints, and conversion from local frames to the
// model.
#include "../base/exact.h"

#include "../../include/pelt/pelt.h"

#include "../base/four.h"
#include "../scene/scene_private.h"
#include "pose_private.h"

#include <string.h>

pelt_result pelt_pose_create(pelt_pose* out, const pelt_scene* scene)
{
    PELT_ASSERT(out != NULL && scene != NULL);
    *out = (pelt_pose){.node_count = scene->node_count,
                       .morph_weight_count = scene->morph_weight_count};
    out->locals = pelt_allocate(scene->node_count, sizeof *out->locals);
    out->morph_weights = pelt_allocate(scene->morph_weight_count, sizeof *out->morph_weights);
    if (out->locals == NULL || out->morph_weights == NULL)
    {
        pelt_pose_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    pelt_pose_rest(out, scene);
    return PELT_OK;
}

void pelt_pose_destroy(pelt_pose* pose)
{
    pelt_release(pose->locals);
    pelt_release(pose->morph_weights);
    *pose = (pelt_pose){0};
}

void pelti_morph_weights_rest(pelt_pose* out, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        for (uint32_t morph = 0; morph < mesh->morph_count; ++morph)
        {
            out->morph_weights[instance->first_morph_weight + morph] =
                mesh->morph_weights ? mesh->morph_weights[morph] : 0.0f;
        }
    }
}

void pelt_pose_rest(pelt_pose* out, const pelt_scene* scene)
{
    PELT_ASSERT(out != NULL && scene != NULL);
    PELT_ASSERT(out->node_count == scene->node_count);
    PELT_ASSERT(out->morph_weight_count == scene->morph_weight_count);

    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        out->locals[node] = scene->nodes[node].rest;
    }
    pelti_morph_weights_rest(out, scene);
}

const char* pelt_wrap_name(pelt_wrap wrap)
{
    PELT_ASSERT((uint32_t)wrap < PELT_WRAP_COUNT);
    return wrap == PELT_WRAP_LOOP ? "loop" : "clamp";
}

float pelti_clip_time(const pelt_clip* clip, float time, pelt_wrap wrap)
{
    if (wrap == PELT_WRAP_CLAMP)
    {
        return fminf(fmaxf(time, 0.0f), clip->duration);
    }
    if (!(clip->duration > 0.0f))
    {
        return 0.0f;
    }
    float t = fmodf(time, clip->duration);
    return t < 0.0f ? t + clip->duration : t;
}

pelt_result pelt_cursor_create(pelt_cursor* out, const pelt_scene* scene)
{
    *out = (pelt_cursor){0};
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        uint32_t count = scene->clips[i].track_count;
        out->track_count = count > out->track_count ? count : out->track_count;
    }
    out->keys = pelt_allocate(out->track_count, sizeof *out->keys);
    if (out->keys == NULL)
    {
        *out = (pelt_cursor){0};
        return PELT_ERROR_MEMORY;
    }
    memset(out->keys, 0, out->track_count * sizeof *out->keys);
    return PELT_OK;
}

void pelt_cursor_destroy(pelt_cursor* cursor)
{
    pelt_release(cursor->keys);
    *cursor = (pelt_cursor){0};
}

// The value of a pose that a track animates.
static float* target_of(const pelt_pose* pose, const pelt_scene* scene, const pelt_track* track)
{
    switch (track->path)
    {
    case PELT_PATH_TRANSLATION:
        return &pose->locals[track->target].translation.x;
    case PELT_PATH_ROTATION:
        return &pose->locals[track->target].rotation.x;
    case PELT_PATH_SCALE:
        return &pose->locals[track->target].scale.x;
    case PELT_PATH_MORPH:
        return pose->morph_weights + scene->instances[track->target].first_morph_weight;
    }
    return NULL;
}

uint64_t pelti_pose_sample_track(const pelt_pose* out, const pelt_scene* scene,
                                 const pelt_track* track, float time, uint32_t* key)
{
    uint64_t steps = 0;
    float* target = target_of(out, scene, track);
    if (key != NULL)
    {
        // A cursor that was used with another clip may be past the end.
        uint32_t last = track->key_count - 1;
        *key = pelti_track_find_key(track, time, *key < last ? *key : last, &steps);
        pelti_track_sample_at(target, track, time, *key);
    }
    else
    {
        pelti_track_sample(target, track, time);
    }
    if (track->path == PELT_PATH_ROTATION)
    {
        pelt_quat* rotation = &out->locals[track->target].rotation;
        float sign = pelti_track_sign(track, scene->nodes[track->target].rest.rotation);
        *rotation = pelt_quat_scale(*rotation, sign);
    }
    return steps;
}

void pelt_pose_play(pelt_pose* out, pelt_cursor* cursor, const pelt_scene* scene,
                    const pelt_clip* clip, float time, pelt_wrap wrap)
{
    PELT_ASSERT(out != NULL && scene != NULL && clip != NULL);
    PELT_ASSERT(isfinite(time));
    PELT_ASSERT(out->node_count == scene->node_count);
    PELT_ASSERT(out->morph_weight_count == scene->morph_weight_count);
    pelt_pose_rest(out, scene);

    float t = pelti_clip_time(clip, time, wrap);
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        bool has_key = cursor != NULL && i < cursor->track_count;
        uint64_t steps = pelti_pose_sample_track(out, scene, &clip->tracks[i], t,
                                                 has_key ? &cursor->keys[i] : NULL);
        if (has_key)
        {
            cursor->step_count += steps;
        }
    }
}

void pelt_pose_sample(pelt_pose* out, const pelt_scene* scene, const pelt_clip* clip, float time,
                      pelt_wrap wrap)
{
    pelt_pose_play(out, NULL, scene, clip, time, wrap);
}

void pelt_pose_blend(pelt_pose* out, const pelt_pose* a, const pelt_pose* b, float factor)
{
    PELT_ASSERT(a->node_count == b->node_count && a->node_count == out->node_count);
    PELT_ASSERT(a->morph_weight_count == b->morph_weight_count &&
                a->morph_weight_count == out->morph_weight_count);

    for (uint32_t node = 0; node < a->node_count; ++node)
    {
        out->locals[node] = pelt_transform_blend(a->locals[node], b->locals[node], factor);
    }
    for (uint32_t i = 0; i < a->morph_weight_count; ++i)
    {
        out->morph_weights[i] =
            (1.0f - factor) * a->morph_weights[i] + factor * b->morph_weights[i];
    }
}

// The frame that a node's local transform is relative to.
static pelt_mat34 find_parent_frame(const pelt_scene* scene, const pelt_pose* pose, uint32_t node)
{
    pelt_mat34 model_from_parent = pelt_mat34_identity();
    for (uint32_t p = scene->nodes[node].parent; p != PELT_NONE; p = scene->nodes[p].parent)
    {
        pelt_mat34 local = pelt_mat34_from_transform(pose->locals[p]);
        model_from_parent = pelt_mat34_mul(&local, &model_from_parent);
    }
    return model_from_parent;
}

static void override_in_joint_space(pelt_transform* local, const pelt_override* change)
{
    pelt_quat added = pelt_quat_axis_angle(change->axis, change->angle);
    local->translation =
        pelt_vec3_add(local->translation, pelt_quat_rotate(local->rotation, change->translate));
    local->rotation = pelt_quat_mul(local->rotation, added);
}

static void override_in_model_space(pelt_transform* local, const pelt_override* change,
                                    const pelt_mat34* model_from_parent)
{
    // The rotation by polar decomposition: under a parent that mirrors, the product of the
    // ancestors' rotations would rotate the wrong way.
    pelt_mat3 parent_linear = pelt_mat34_linear(model_from_parent), rotation, stretch;
    pelt_mat3_polar(&rotation, &stretch, &parent_linear);
    pelt_quat parent = pelt_quat_from_mat3(&rotation), back = pelt_quat_conjugate(parent);
    pelt_quat added = pelt_quat_axis_angle(change->axis, change->angle);
    local->rotation = pelt_quat_normalize(
        pelt_quat_mul(pelt_quat_mul(pelt_quat_mul(back, added), parent), local->rotation));

    pelt_mat34 parent_from_model;
    // Below a parent with scale 0 there is no way to move.
    if (pelt_mat34_inverse(&parent_from_model, model_from_parent))
    {
        pelt_mat3 linear = pelt_mat34_linear(&parent_from_model);
        local->translation =
            pelt_vec3_add(local->translation, pelt_mat3_vector(&linear, change->translate));
    }
}

void pelt_pose_override(pelt_pose* pose, const pelt_scene* scene, const pelt_override* overrides,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelt_override* change = &overrides[i];
        PELT_ASSERT(change->node < pose->node_count);
        pelt_transform* local = &pose->locals[change->node];

        if (change->space == PELT_SPACE_MODEL)
        {
            pelt_mat34 parent = find_parent_frame(scene, pose, change->node);
            override_in_model_space(local, change, &parent);
        }
        else
        {
            override_in_joint_space(local, change);
        }
        if (change->scale.x != 0.0f || change->scale.y != 0.0f || change->scale.z != 0.0f)
        {
            local->scale =
                pelt_vec3_make(local->scale.x * change->scale.x, local->scale.y * change->scale.y,
                               local->scale.z * change->scale.z);
        }
    }
}

void pelt_pose_to_model(pelt_mat34* model_from_node, const pelt_scene* scene, const pelt_pose* pose)
{
    PELT_ASSERT(model_from_node != NULL && scene != NULL && pose != NULL);
    PELT_ASSERT(pose->node_count == scene->node_count);

    for (uint32_t first = 0; first < scene->node_count; first += 4)
    {
        uint32_t left = scene->node_count - first, count = left < 4 ? left : 4;
        pelt_transform last[4] = {pelt_transform_identity()};
        const pelt_transform* transforms = &pose->locals[first];
        if (count < 4)
        {
            memcpy(last, transforms, count * sizeof *last);
            transforms = last;
        }
        pelti_rows locals[4];
        pelti_rows_from_transforms(locals, transforms);
        for (uint32_t i = 0; i < count; ++i)
        {
            uint32_t node = first + i, parent = scene->nodes[node].parent;
            if (parent != PELT_NONE)
            {
                pelti_rows model_from_parent = pelti_rows_load(&model_from_node[parent]);
                locals[i] = pelti_rows_mul(&model_from_parent, &locals[i]);
            }
            pelti_rows_store(&model_from_node[node], &locals[i]);
        }
    }
    pelti_helpers_to_model(model_from_node, scene);
}
