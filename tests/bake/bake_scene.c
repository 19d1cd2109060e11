// SPDX-License-Identifier: MIT
#include "bake_scene.h"

#include <stdlib.h>
#include <string.h>

static void fill_mesh(bake_scene* s, uint32_t joint_count)
{
    uint32_t count = joint_count * BAKE_SCENE_VERTICES;
    uint32_t(*joints)[2] = pelt_arena_alloc(s->arena, count, sizeof *joints);
    float(*weights)[2] = pelt_arena_alloc(s->arena, count, sizeof *weights);
    for (uint32_t v = 0; v < count; ++v)
    {
        uint32_t joint = v / BAKE_SCENE_VERTICES, corner = v % BAKE_SCENE_VERTICES;
        pelt_vec3 offset = {corner & 1 ? 0.1f : -0.1f, 0.0f, corner & 2 ? 0.1f : -0.1f};
        float up = corner & 4 ? 0.4f : 0.0f;
        s->positions[v] = pelt_vec3_make(offset.x, 0.5f * (float)joint + up, offset.z);
        s->normals[v] = pelt_vec3_normalize(offset);
        joints[v][0] = joint;
        joints[v][1] = joint > 0 ? joint - 1 : 0;
        weights[v][1] = joint > 0 && up == 0.0f ? 0.25f : 0.0f;
        weights[v][0] = 1.0f - weights[v][1];
    }
    pelt_weights_source source = {.vertex_count = count,
                                  .joint_count = joint_count,
                                  .per_vertex = 2,
                                  .joints_u32 = joints[0],
                                  .weights = weights[0]};
    s->mesh = (pelt_mesh){.name = "boxes",
                          .vertex_count = count,
                          .positions = s->positions,
                          .normals = s->normals,
                          .material = PELT_NONE};
    pelt_weights_import(&s->mesh.weights, NULL, &source, s->arena);
}

bake_scene* bake_scene_make(uint32_t joint_count)
{
    static const char* const names[] = {"root", "one", "two", "three", "four", "five", "six"};
    bake_scene* s = calloc(1, sizeof *s);
    s->arena = pelt_arena_create();
    for (uint32_t i = 0; i < joint_count; ++i)
    {
        s->nodes[i] = (pelt_node){names[i], i > 0 ? i - 1 : PELT_NONE, pelt_transform_identity()};
        s->nodes[i].rest.translation.y = i > 0 ? 0.5f : 0.0f;
        s->joints[i] = i;
        s->binds[i] = pelt_mat34_identity();
        s->binds[i].m[1][3] = -0.5f * (float)i;
    }
    fill_mesh(s, joint_count);
    s->skin = (pelt_skin){"skin", joint_count, s->joints, s->binds};
    s->instance = (pelt_instance){.node = PELT_NONE};
    s->scene = (pelt_scene){.name = "chain",
                            .node_count = joint_count,
                            .mesh_count = 1,
                            .skin_count = 1,
                            .instance_count = 1,
                            .nodes = s->nodes,
                            .meshes = &s->mesh,
                            .skins = &s->skin,
                            .instances = &s->instance,
                            .clips = s->clips};
    return s;
}

void bake_scene_free(bake_scene* s)
{
    pelt_arena_destroy(s->arena);
    free(s);
}

void bake_scene_clip(bake_scene* s, const char* name, float duration)
{
    uint32_t clip = s->scene.clip_count++;
    s->clips[clip] = (pelt_clip){name, duration, 0, s->tracks[clip]};
}

void bake_scene_track(bake_scene* s, uint32_t node, pelt_path path,
                      pelt_interpolation interpolation, uint32_t key_count, const float* times,
                      const float* values)
{
    uint32_t clip = s->scene.clip_count - 1, width = path == PELT_PATH_ROTATION ? 4 : 3;
    size_t size = (size_t)key_count * width;
    size *= interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
    float* own_times = pelt_arena_alloc(s->arena, key_count, sizeof *own_times);
    float* own_values = pelt_arena_alloc(s->arena, size, sizeof *own_values);
    memcpy(own_times, times, key_count * sizeof *times);
    memcpy(own_values, values, size * sizeof *values);
    s->tracks[clip][s->clips[clip].track_count++] =
        (pelt_track){node, path, interpolation, key_count, width, own_times, own_values};
}

void bake_scene_rotate(bake_scene* s, uint32_t node, pelt_vec3 axis, float first, float rate,
                       uint32_t key_count, float step)
{
    float* times = malloc(key_count * sizeof *times);
    pelt_quat* values = malloc(key_count * sizeof *values);
    for (uint32_t i = 0; i < key_count; ++i)
    {
        times[i] = (float)((double)first + i / (double)rate);
        values[i] = pelt_quat_axis_angle(axis, step * (float)i);
    }
    bake_scene_track(s, node, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, key_count, times,
                     &values[0].x);
    free(times);
    free(values);
}

static void add_dance(bake_scene* s, const char* name, uint32_t key_count, bool loops)
{
    enum
    {
        KEYS_MAX = 64
    };
    float times[KEYS_MAX];
    pelt_quat rotations[KEYS_MAX];
    pelt_vec3 translations[KEYS_MAX];
    float duration = (float)((key_count - 1) / 30.0);
    bake_scene_clip(s, name, duration);
    for (uint32_t joint = 0; joint < s->scene.node_count; ++joint)
    {
        for (uint32_t i = 0; i < key_count; ++i)
        {
            // Whole waves where it loops.
            float part = (float)i / (float)(key_count - 1);
            float phase = 2.0f * PELT_PI * part * (loops ? 1.0f : 1.3f) + (float)joint;
            times[i] = (float)(i / 30.0);
            rotations[i] =
                pelt_quat_mul(pelt_quat_axis_angle(pelt_vec3_make(1, 0.3f, 0), 0.7f * sinf(phase)),
                              pelt_quat_axis_angle(pelt_vec3_make(0, 0.2f, 1), 0.4f * cosf(phase)));
            translations[i] =
                pelt_vec3_make(0.3f * sinf(phase), 0.1f * cosf(phase), 0.2f * sinf(phase));
        }
        pelt_rotations_align(&rotations[0].x, key_count);
        bake_scene_track(s, joint, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, key_count, times,
                         &rotations[0].x);
        if (joint == 0)
        {
            bake_scene_track(s, joint, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_LINEAR, key_count,
                             times, &translations[0].x);
        }
    }
}

bake_scene* bake_scene_dance(uint32_t joint_count)
{
    bake_scene* s = bake_scene_make(joint_count);
    add_dance(s, "dance", 31, true);
    add_dance(s, "bow", 21, false);
    return s;
}
