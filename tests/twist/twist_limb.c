// SPDX-License-Identifier: MIT
#include "twist_limb.h"

#include <stdlib.h>
#include <string.h>

static void fill_nodes(twist_limb* l)
{
    static const char* const names[] = {"root", "upper", "lower", "hand"};
    test_random random = {7};
    for (uint32_t i = 0; i < LIMB_JOINT_COUNT; ++i)
    {
        pelt_vec3 position = pelt_vec3_make((float)i, 0.0f, 0.0f),
                  step = {i > 0 ? 1.0f : 0.0f, 0, 0};
        pelt_quat parent = i > 0 ? l->frames[i - 1] : pelt_quat_identity();
        l->frames[i] = test_rotation(&random, 170.0f);
        l->nodes[i] = (pelt_node){names[i], i > 0 ? i - 1 : PELT_NONE, pelt_transform_identity()};
        l->nodes[i].rest.translation = pelt_quat_rotate(pelt_quat_conjugate(parent), step);
        l->nodes[i].rest.rotation =
            pelt_quat_normalize(pelt_quat_mul(pelt_quat_conjugate(parent), l->frames[i]));
        pelt_mat3 rotation = pelt_mat3_from_quat(l->frames[i]);
        pelt_mat34 bind = pelt_mat34_make(&rotation, position);
        pelt_mat34_inverse(&l->binds[i], &bind);
        l->joints[i] = i;
    }
}

static void fill_mesh(twist_limb* l)
{
    static uint32_t joints[LIMB_VERTEX_COUNT][2];
    static float weights[LIMB_VERTEX_COUNT][2];
    for (uint32_t v = 0; v < LIMB_VERTEX_COUNT; ++v)
    {
        float x = 0.5f + 0.025f * (float)(v / LIMB_RING_SIZE);
        float angle = 2.0f * PELT_PI * (float)(v % LIMB_RING_SIZE) / LIMB_RING_SIZE;
        uint32_t near = (uint32_t)(x + 0.5f);
        float share = 2.0f * (x - (float)near) + 0.5f;
        l->positions[v] = pelt_vec3_make(x, 0.2f * cosf(angle), 0.2f * sinf(angle));
        joints[v][0] = near > 0 ? near - 1 : 0;
        joints[v][1] = near < LIMB_HAND ? near : LIMB_HAND;
        weights[v][1] = fminf(fmaxf(share, 0.0f), 1.0f);
        weights[v][0] = 1.0f - weights[v][1];
    }
    pelt_weights_source source = {.vertex_count = LIMB_VERTEX_COUNT,
                                  .joint_count = LIMB_JOINT_COUNT,
                                  .per_vertex = 2,
                                  .joints_u32 = joints[0],
                                  .weights = weights[0]};
    l->mesh = (pelt_mesh){.name = "limb",
                          .vertex_count = LIMB_VERTEX_COUNT,
                          .positions = l->positions,
                          .material = PELT_NONE};
    pelt_weights_import(&l->mesh.weights, NULL, &source, l->arena);
}

twist_limb* twist_limb_make(void)
{
    twist_limb* l = calloc(1, sizeof *l);
    l->arena = pelt_arena_create();
    fill_nodes(l);
    fill_mesh(l);
    l->skin = (pelt_skin){"limb", LIMB_JOINT_COUNT, l->joints, l->binds};
    l->clip = (pelt_clip){"rotate", 0.0f, 0, l->tracks};
    l->scene = (pelt_scene){.name = "limb",
                            .node_count = LIMB_JOINT_COUNT,
                            .nodes = l->nodes,
                            .mesh_count = 1,
                            .meshes = &l->mesh,
                            .skin_count = 1,
                            .skins = &l->skin,
                            .instance_count = 1,
                            .instances = &l->instance,
                            .clip_count = 1,
                            .clips = &l->clip};
    return l;
}

void twist_limb_free(twist_limb* l)
{
    pelt_arena_destroy(l->arena);
    free(l);
}

void twist_limb_rotate(twist_limb* l, uint32_t joint, pelt_vec3 axis, const float* angles,
                       uint32_t count)
{
    pelt_vec3 own = pelt_quat_rotate(pelt_quat_conjugate(l->frames[joint]), axis);
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_quat q =
            pelt_quat_mul(l->nodes[joint].rest.rotation, pelt_quat_axis_angle(own, angles[i]));
        l->times[joint][i] = (float)i;
        memcpy(l->values[joint][i], &q.x, sizeof l->values[joint][i]);
    }
    l->tracks[l->clip.track_count++] = (pelt_track){.target = joint,
                                                    .path = PELT_PATH_ROTATION,
                                                    .key_count = count,
                                                    .width = 4,
                                                    .times = l->times[joint],
                                                    .values = l->values[joint][0]};
    l->clip.duration = fmaxf(l->clip.duration, (float)(count - 1));
}

pelt_scene* twist_limb_twist(const twist_limb* l, uint32_t joint, uint32_t count,
                             pelt_twist_source source)
{
    pelt_twist request = {joint, count, source};
    pelt_scene* out;
    pelt_twist_options options = {.twist_count = 1, .twists = &request};
    return pelt_twist_add(&out, &l->scene, &options, NULL, NULL) == PELT_OK ? out : NULL;
}

pelt_vec3* twist_limb_deform(const pelt_scene* scene, float time)
{
    pelt_pose pose;
    pelt_frame frame;
    pelt_pose_create(&pose, scene);
    pelt_frame_create(&frame, scene);
    if (scene->clip_count > 0)
    {
        pelt_pose_sample(&pose, scene, &scene->clips[0], time, PELT_WRAP_CLAMP);
    }
    pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){.method = PELT_METHOD_LBS});
    uint32_t count = scene->meshes[scene->instances[0].mesh].vertex_count;
    pelt_vec3* out = malloc(count * sizeof *out);
    memcpy(out, frame.surfaces[0].positions, count * sizeof *out);
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    return out;
}
