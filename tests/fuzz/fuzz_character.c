// SPDX-License-Identifier: MIT
// Any numbers as a character, with up to 70 000 joints, extreme binds and extreme keys: refused by
// pelt_scene_validate(), or posed, baked, converted back into clips and measured.
#include "bake_stages.h"
#include "pelt/prepare.h"
#include "scene_stages.h"

#include <math.h>
#include <string.h>

enum
{
    MOST_JOINTS = 70000,
    MOST_VERTICES = 24,
    MOST_CLIPS = 3,
    MOST_TRACKS = 4, // of a clip
    MOST_KEYS = 8,   // of a track
};

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Bytes as numbers; zeros after the last.
typedef struct numbers
{
    const uint8_t* data;
    size_t left;
} numbers;

static uint32_t take(numbers* from, uint32_t limit)
{
    uint32_t value = 0;
    for (uint32_t range = 1; range < limit; range <<= 8)
    {
        value = value << 8 | (from->left > 0 ? *from->data : 0u);
        from->data += from->left > 0;
        from->left -= from->left > 0;
    }
    return value % limit;
}

static float take_float(numbers* from)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; ++i)
    {
        bits = bits << 8 | take(from, 256);
    }
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

typedef struct character
{
    pelt_arena* arena;
    pelt_node* nodes;
    uint32_t* joints;
    pelt_mat34* binds;
    pelt_vec3 positions[MOST_VERTICES];
    uint32_t indices[3 * MOST_VERTICES];
    pelt_skin skin;
    pelt_mesh mesh;
    pelt_instance instance;
    pelt_track tracks[MOST_CLIPS][MOST_TRACKS];
    pelt_clip clips[MOST_CLIPS];
    pelt_scene scene;
} character;

// A chain, a star, or a tree; chains are short, since whatever walks them all is quadratic.
static void fill_joints(character* out, numbers* from)
{
    bool has_many = take(from, 16) == 1;
    uint32_t count = 1 + (has_many ? take(from, MOST_JOINTS) : take(from, 64));
    uint32_t shape = take(from, count > 1000 ? 2 : 3);
    float scale = take_float(from), far = take_float(from);
    uint32_t odd = take(from, count);
    out->nodes = pelt_arena_alloc(out->arena, count, sizeof *out->nodes);
    out->joints = pelt_arena_alloc(out->arena, count, sizeof *out->joints);
    out->binds = pelt_arena_alloc(out->arena, count, sizeof *out->binds);
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t parent = i == 0 ? PELT_NONE : shape == 0 ? 0 : shape == 1 ? (i - 1) / 2 : i - 1;
        out->nodes[i] = (pelt_node){"joint", parent, pelt_transform_identity()};
        out->nodes[i].rest.translation.y = i > 0 ? 0.1f : 0.0f;
        out->joints[i] = i;
        out->binds[i] = pelt_mat34_identity();
    }
    for (int i = 0; i < 3; ++i)
    {
        out->binds[odd].m[i][i] = scale;
    }
    out->binds[odd].m[0][3] = far;
    out->skin = (pelt_skin){"skin", count, out->joints, out->binds};
}

static bool fill_mesh(character* out, numbers* from)
{
    uint32_t count = 3 + take(from, MOST_VERTICES - 3);
    uint32_t joints[2 * MOST_VERTICES];
    float weights[2 * MOST_VERTICES];
    for (uint32_t v = 0; v < count; ++v)
    {
        out->positions[v] = pelt_vec3_make((float)take(from, 256) / 64.0f, (float)v / 8.0f,
                                           (float)(v * 7 % 5) / 8.0f);
        joints[2 * v] = take(from, out->skin.joint_count);
        joints[2 * v + 1] = take(from, out->skin.joint_count);
        weights[2 * v] = (float)take(from, 256);
        weights[2 * v + 1] = 255.0f - weights[2 * v];
        for (uint32_t i = 0; i < 3; ++i)
        {
            out->indices[3 * v + i] = (v + i) % count;
        }
    }
    out->mesh = (pelt_mesh){.name = "mesh",
                            .vertex_count = count,
                            .index_count = 3 * count,
                            .positions = out->positions,
                            .indices = out->indices,
                            .material = PELT_NONE};
    const pelt_weights_source source = {.vertex_count = count,
                                        .joint_count = out->skin.joint_count < PELT_MAX_JOINTS
                                                           ? out->skin.joint_count
                                                           : PELT_MAX_JOINTS,
                                        .per_vertex = 2,
                                        .joints_u32 = joints,
                                        .weights = weights};
    return pelt_weights_import(&out->mesh.weights, NULL, &source, out->arena) == PELT_OK;
}

static void fill_track(pelt_track* out, character* owner, numbers* from, float* duration)
{
    float* times = pelt_arena_alloc(owner->arena, MOST_KEYS, sizeof *times);
    float* values = pelt_arena_alloc(owner->arena, 4 * MOST_KEYS, sizeof *values);
    pelt_path path = (pelt_path)take(from, 3);
    *out = (pelt_track){.target = take(from, owner->skin.joint_count),
                        .path = path,
                        .interpolation = (pelt_interpolation)take(from, 2),
                        .key_count = 1 + take(from, MOST_KEYS),
                        .width = path == PELT_PATH_ROTATION ? 4 : 3,
                        .times = times,
                        .values = values};
    for (uint32_t i = 0; i < out->key_count; ++i)
    {
        // On a grid, or anywhere later than the key before.
        float time = take(from, 4) > 0 ? (float)i / 30.0f : fabsf(take_float(from));
        times[i] = i > 0 && !(time > times[i - 1]) ? nextafterf(times[i - 1], INFINITY) : time;
        *duration = times[i] > *duration ? times[i] : *duration;
        for (uint32_t k = 0; k < out->width; ++k)
        {
            values[i * out->width + k] = (float)take(from, 256) / 128.0f - 1.0f;
        }
        if (path == PELT_PATH_ROTATION)
        {
            pelt_quat q;
            memcpy(&q, values + 4 * i, sizeof q);
            q = pelt_quat_normalize(q);
            memcpy(values + 4 * i, &q, sizeof q);
        }
    }
}

static void fill_clips(character* out, numbers* from)
{
    out->scene.clip_count = 1 + take(from, MOST_CLIPS);
    for (uint32_t i = 0; i < out->scene.clip_count; ++i)
    {
        float duration = 0.0f;
        uint32_t count = 1 + take(from, MOST_TRACKS);
        for (uint32_t k = 0; k < count; ++k)
        {
            fill_track(&out->tracks[i][k], out, from, &duration);
        }
        out->clips[i] = (pelt_clip){"clip", duration, count, out->tracks[i]};
    }
}

static pelt_bake_options take_options(numbers* from)
{
    static const float rates[] = {30.0f, 1.0f, 1e-3f, 1e5f};
    static const uint32_t bits[PELT_ENCODING_COUNT][4] = {
        {0, 64, 96, 128}, {0, 2, 12, 24}, {0, 8, 16, 32}, {0, 8, 16, 32}, {0, 4, 8, 16}};
    pelt_bake_options out = {.encoding = (pelt_encoding)take(from, PELT_ENCODING_COUNT),
                             .timing = (pelt_bake_timing)take(from, 3),
                             .rate = rates[take(from, 4)],
                             .max_size = take(from, 4) == 0 ? 64 : 0};
    out.bits = bits[out.encoding][take(from, 4)];
    out.has_budget = out.timing == PELT_BAKE_AUTO || take(from, 4) == 0;
    out.max_error = out.has_budget ? 1e-4 : 0.0;
    return out;
}

static void pose_once(const pelt_scene* scene)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_bones bones;
    pelt_pose pose;
    pelt_frame frame;
    const pelt_deform_options options = {.sign_rule = PELT_SIGN_HIERARCHY,
                                         .method = PELT_METHOD_DQS};
    REQUIRE(pelt_bones_build(&bones, scene, arena) == PELT_OK);
    REQUIRE(bones.first[bones.joint_count] <= 2 * bones.joint_count);
    REQUIRE(pelt_pose_create(&pose, scene) == PELT_OK);
    REQUIRE(pelt_frame_create(&frame, scene) == PELT_OK);
    REQUIRE(pelt_frame_prepare(&frame, scene) == PELT_OK);
    pelt_frame_update(&frame, scene, &pose, &options);
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    pelt_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    character it = {.arena = pelt_arena_create()};
    numbers from = {data, size};
    const pelt_bake_options options = take_options(&from);
    fill_joints(&it, &from);
    bool is_ok = fill_mesh(&it, &from);
    fill_clips(&it, &from);
    it.instance = (pelt_instance){0, 0, PELT_NONE, 0};
    it.scene.name = "character";
    it.scene.node_count = it.skin.joint_count;
    it.scene.nodes = it.nodes;
    it.scene.mesh_count = it.scene.skin_count = it.scene.instance_count = 1;
    it.scene.meshes = &it.mesh;
    it.scene.skins = &it.skin;
    it.scene.instances = &it.instance;
    it.scene.clips = it.clips;
    pelt_error error = {""};
    if (is_ok && pelt_scene_validate(&it.scene, &error) == PELT_OK)
    {
        REQUIRE(it.skin.joint_count <= PELT_MAX_JOINTS);
        pose_once(&it.scene);
        stages_bake(&it.scene, &options);
    }
    pelt_arena_destroy(it.arena);
    return 0;
}
