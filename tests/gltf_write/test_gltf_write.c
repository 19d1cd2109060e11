// SPDX-License-Identifier: MIT
// Scenes that are written as glTF and read again are the same scenes, to the bit.
#define _POSIX_C_SOURCE 200809L
#include "model_files.h"
#include "pelt/io.h"
#include "rigs.h"

#include "scene_compare.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The scene after a way through a file; NULL after a message.
static pelt_scene* reload(const pelt_scene* scene, pelt_format format)
{
    char path[] = "/tmp/pelt_test_XXXXXX";
    int descriptor = mkstemp(path);
    if (descriptor < 0)
    {
        return NULL;
    }
    close(descriptor);

    pelt_error error = {{0}};
    pelt_scene* again = NULL;
    pelt_result result = pelt_save_scene(path, format, scene, &error);
    if (result == PELT_OK)
    {
        result = pelt_load(&again, path, NULL, &error);
    }
    remove(path);
    if (result != PELT_OK)
    {
        printf("  %s\n", error.message);
    }
    return again;
}

static int check_round_trip(const pelt_scene* scene, pelt_format format)
{
    pelt_scene* again = reload(scene, format);
    ENSURE(again != NULL && again->loss_count == 0);
    // Nodes may be added once, for skinned meshes; what was read comes back to the bit.
    int failure = scene_compare(scene, again, SCENE_MORE_NODES);
    pelt_scene* third = reload(again, format);
    failure = failure || third == NULL || scene_compare(again, third, SCENE_EXACT);
    pelt_scene_destroy(third);
    pelt_scene_destroy(again);
    return failure;
}

static int every_rig_comes_back_the_same(void)
{
    const pelt_rig_info* rigs;
    uint32_t count = pelt_rig_list(&rigs);
    ENSURE(count > 0);
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_scene* scene;
        ENSURE(pelt_rig_build(&scene, rigs[i].name, NULL) == PELT_OK);
        int failure = check_round_trip(scene, PELT_FORMAT_GLB);
        failure = failure || (i == 0 && check_round_trip(scene, PELT_FORMAT_GLTF));
        pelt_scene_destroy(scene);
        if (failure)
        {
            printf("  in rig %s\n", rigs[i].name);
        }
        ENSURE(failure == 0);
    }
    return 0;
}

static int a_rig_with_twist_joints_comes_back_the_same(void)
{
    pelt_scene *human, *twisted;
    ENSURE(pelt_rig_build(&human, "human?vertices=3000", NULL) == PELT_OK);
    pelt_twist request = {.node = pelt_scene_find_node(human, "forearm_l")};
    pelt_twist_options options = {.twist_count = 1, .twists = &request};
    ENSURE(pelt_twist_add(&twisted, human, &options, NULL, NULL) == PELT_OK);
    int failure = check_round_trip(twisted, PELT_FORMAT_GLB);
    failure = failure || check_round_trip(twisted, PELT_FORMAT_GLTF);
    pelt_scene_destroy(twisted);
    pelt_scene_destroy(human);
    return failure;
}

// ---------------------------------------------------------------------------------------------
// A scene with one of everything
//
// Four vertices; six influences on the first, none on the last; two skins that share nodes; a
// mesh of two primitives that hangs rigidly from a mirrored node; morph targets with and without
// normals.

enum
{
    V = 4,
    J = 7,
};

static const pelt_vec3 square[V] = {{0, 0, 0}, {1, 0, -0.0f}, {1, 1, 0.1f}, {0, 1, 1e-30f}};
static const pelt_vec3 ups[V] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
static const pelt_vec4 rights[V] = {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, -1}, {1, 0, 0, 1}};
static const pelt_vec2 corners[V] = {{0, 1}, {1, 1}, {1, 0}, {0.333333343f, 0}};
static const pelt_vec4 paints[V] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 0.25f}, {1, 1, 1, 1}};
static const float mixes[V] = {0, 0.25f, 1, 0.5f};
static const uint32_t faces[6] = {0, 1, 2, 0, 2, 3};

static const pelt_influence pulls[9] = {{6, 1, 0.375f}, {0, 0, 0.25f},   {2, 2, 0.125f},
                                        {5, 5, 0.125f}, {1, 4, 0.0625f}, {3, 6, 0.0625f},
                                        {1, 0, 1.0f},   {0, 0, 0.75f},   {4, 3, 0.25f}};
static const uint32_t firsts[V + 1] = {0, 6, 7, 9, 9};

static const pelt_morph shapes[2] = {{.name = "smile", .positions = ups, .normals = square},
                                     {.name = "frown", .positions = square, .tangents = ups}};
static const float shape_weights[2] = {0.0f, 0.7f};

static const float times[3] = {0.0f, 0.1f, 1.5f};
static const float moves[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
static const float rotates[24] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
static const float faces_made[6] = {0, 1, 0.5f, 0.5f, 1, 0};

static const pelt_track tracks[4] = {
    {3, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_LINEAR, 3, 3, times, moves},
    {4, PELT_PATH_SCALE, PELT_INTERPOLATION_STEP, 3, 3, times, moves},
    {5, PELT_PATH_ROTATION, PELT_INTERPOLATION_CUBIC, 2, 4, times, rotates},
    {1, PELT_PATH_MORPH, PELT_INTERPOLATION_LINEAR, 3, 2, times, faces_made},
};
static const pelt_clip clips[2] = {{"all", 1.5f, 4, tracks}, {"one", 1.5f, 1, tracks + 1}};

typedef struct everything
{
    pelt_node nodes[9];
    pelt_mesh meshes[5];
    pelt_mat34 binds[J];
    pelt_material materials[2];
    pelt_skin skins[2];
    pelt_instance instances[6];
    pelt_scene scene;
} everything;

static const uint32_t joints[J] = {1, 2, 3, 4, 5, 6, 7};

static void fill_nodes(everything* e)
{
    static const char* const names[9] = {"root", "a", "b", "c", "d", "e", "f", "g", "mirror"};
    test_random random = {5};
    for (uint32_t i = 0; i < 9; ++i)
    {
        pelt_transform rest = {
            test_point(&random, 1.0f), test_rotation(&random, 170.0f), {1.0f, 1.0f, 1.0f}};
        rest.scale.y = i == 3 ? 0.1f : 1.0f;
        e->nodes[i] = (pelt_node){names[i], i > 0 ? (i - 1) / 2 : PELT_NONE, rest};
    }
    e->nodes[0].rest = pelt_transform_identity();
    e->nodes[2].rest.translation = pelt_vec3_make(-0.0f, 0.0f, 0.0f);
    e->nodes[8].rest.scale = pelt_vec3_make(-1.0f, 1.0f, 1.0f);
    for (uint32_t i = 0; i < J; ++i)
    {
        e->binds[i] = pelt_mat34_from_transform(e->nodes[i].rest);
    }
}

static void fill_meshes(everything* e)
{
    pelt_mesh plain = {.name = "plain",
                       .vertex_count = V,
                       .index_count = 6,
                       .positions = square,
                       .indices = faces,
                       .material = PELT_NONE};
    pelt_mesh full = plain;
    full.name = "full";
    full.normals = ups;
    full.tangents = rights;
    full.uvs = corners;
    full.colors = paints;
    full.cors = square;
    full.mix_factors = mixes;
    full.has_method = true;
    full.method = PELT_METHOD_MIX;
    full.material = 1;
    full.weights = (pelt_weights){V, J, 9, 6, firsts, pulls, NULL};
    full.morph_count = 2;
    full.morphs = shapes;
    full.morph_weights = shape_weights;
    e->meshes[0] = full;
    e->meshes[1] = plain;
    e->meshes[1].name = "plain_0";
    e->meshes[1].uvs = corners;
    e->meshes[2] = plain;
    e->meshes[2].name = "plain_1";
    e->meshes[2].index_count = 3;
    e->meshes[2].material = 0;
    e->meshes[3] = full;
    e->meshes[3].name = "again";
    e->meshes[3].method = PELT_METHOD_LBS; // the file says so, other than one that says nothing
    e->meshes[3].morph_count = 0;
    e->meshes[3].morphs = NULL;
    e->meshes[3].morph_weights = NULL;
    e->meshes[4] = plain;
    e->meshes[4].name = "twice";
}

static const pelt_scene* make_everything(everything* e)
{
    memset(e, 0, sizeof *e);
    fill_nodes(e);
    fill_meshes(e);
    e->materials[0] = (pelt_material){.name = "blue",
                                      .base_color = {0.1f, 0.2f, 0.8f, 1.0f},
                                      .roughness = 0.5f,
                                      .is_unlit = true,
                                      .alpha_mode = PELT_ALPHA_BLEND};
    e->materials[1] = (pelt_material){.name = "skin",
                                      .base_color = {1.0f, 1.0f, 1.0f, 0.5f},
                                      .textures[0].image = "skin.png",
                                      .roughness = 0.3f,
                                      .metallic = 1.0f,
                                      .is_double_sided = true,
                                      .alpha_mode = PELT_ALPHA_MASK,
                                      .alpha_cutoff = 0.3f,
                                      .textures[0].sampler = {.wrap_u = PELT_TEXTURE_MIRROR},
                                      .emissive = {0.5f, 4.0f, 0.25f},
                                      .normal_scale = -0.75f,
                                      .occlusion_strength = 0.25f};
    for (uint32_t slot = 1; slot < PELT_SLOT_COUNT; ++slot)
    {
        bool is_transformed = slot % 2 == 0;
        e->materials[1].textures[slot] =
            (pelt_texture){.image = slot == PELT_SLOT_OCCLUSION ? "orm.png" : "skin.png",
                           .uv_set = slot,
                           .sampler = {.wrap_v = (pelt_texture_wrap)(slot % 3)},
                           .is_transformed = is_transformed,
                           .rotation = is_transformed ? 0.3f : 0.0f,
                           .offset = {is_transformed ? -2.0f : 0.0f, 0.0f},
                           .scale = {is_transformed ? 0.1f : 0.0f, is_transformed ? 3.0f : 0.0f}};
    }
    for (uint32_t i = 0; i < PELT_MAX_UV_SETS - 1; i += 2)
    {
        e->meshes[0].more_uvs[i] = e->meshes[0].uvs;
    }
    e->skins[0] = (pelt_skin){"first", J, joints, e->binds};
    e->skins[1] = (pelt_skin){"second", J, joints, e->binds};
    e->instances[0] = (pelt_instance){3, 1, 0, 0};
    e->instances[1] = (pelt_instance){0, 0, 0, 0};
    e->instances[2] = (pelt_instance){4, PELT_NONE, 4, 2};
    e->instances[3] = (pelt_instance){4, PELT_NONE, 6, 2};
    e->instances[4] = (pelt_instance){1, PELT_NONE, 8, 2};
    e->instances[5] = (pelt_instance){2, PELT_NONE, 8, 2};
    e->scene = (pelt_scene){.name = "everything",
                            .node_count = 9,
                            .mesh_count = 5,
                            .skin_count = 2,
                            .instance_count = 6,
                            .clip_count = 2,
                            .material_count = 2,
                            .morph_weight_count = 2,
                            .nodes = e->nodes,
                            .meshes = e->meshes,
                            .skins = e->skins,
                            .instances = e->instances,
                            .clips = clips,
                            .materials = e->materials};
    return &e->scene;
}

static int a_scene_with_everything_comes_back_the_same(void)
{
    everything e;
    ENSURE(pelt_scene_validate(make_everything(&e), NULL) == PELT_OK);
    ENSURE(check_round_trip(&e.scene, PELT_FORMAT_GLB) == 0);
    ENSURE(check_round_trip(&e.scene, PELT_FORMAT_GLTF) == 0);
    return 0;
}

// Every way to read a texture, with one picture for all of them.
static int samplers_come_back_the_same(void)
{
    enum
    {
        COUNT = 3 * 3 * 2 * 2 * 3,
    };
    pelt_node node = {"alone", PELT_NONE, pelt_transform_identity()};
    pelt_material materials[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        materials[i] =
            (pelt_material){.name = "m",
                            .base_color = {1.0f, 1.0f, 1.0f, 1.0f},
                            .textures[0].image = "skin.png",
                            .textures[0].sampler = {.wrap_u = (pelt_texture_wrap)(i % 3),
                                                    .wrap_v = (pelt_texture_wrap)(i / 3 % 3),
                                                    .mag_filter = (pelt_texture_filter)(i / 9 % 2),
                                                    .min_filter = (pelt_texture_filter)(i / 18 % 2),
                                                    .mips = (pelt_texture_mips)(i / 36)}};
    }
    pelt_scene scene = {.name = "samplers",
                        .node_count = 1,
                        .nodes = &node,
                        .material_count = COUNT,
                        .materials = materials};
    ENSURE(check_round_trip(&scene, PELT_FORMAT_GLB) == 0);
    ENSURE(check_round_trip(&scene, PELT_FORMAT_GLTF) == 0);
    return 0;
}

// Also those that are no URIs without encoding, and several spellings of one file.
static int names_of_textures_come_back_the_same(void)
{
    static const char* const textures[] = {
        "skin \"1\".png", "skin%20%221%22.png", "skin %221%22.png", "100% {a}.png",
        "% 20.png",       "%2\t5.png",          "b\x7f<>^`|.png",   "caf\xc3\xa9 1.png",
    };
    enum
    {
        COUNT = sizeof textures / sizeof textures[0],
    };
    pelt_node node = {"alone", PELT_NONE, pelt_transform_identity()};
    pelt_material materials[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        materials[i] = (pelt_material){
            .name = "m", .base_color = {1.0f, 1.0f, 1.0f, 1.0f}, .textures[0].image = textures[i]};
    }
    pelt_scene scene = {.name = "textures",
                        .node_count = 1,
                        .nodes = &node,
                        .material_count = COUNT,
                        .materials = materials};
    ENSURE(check_round_trip(&scene, PELT_FORMAT_GLB) == 0);
    ENSURE(check_round_trip(&scene, PELT_FORMAT_GLTF) == 0);
    return 0;
}

// glTF knows no duration but that of its keys.
static int a_clip_keeps_its_duration_past_the_last_key(void)
{
    everything e;
    make_everything(&e);
    for (uint32_t i = 0; i < 4; ++i)
    {
        const pelt_clip clip = {"held", 2.5f, 1, tracks + i};
        e.scene.clips = &clip;
        e.scene.clip_count = 1;
        pelt_scene* again = reload(&e.scene, PELT_FORMAT_GLB);
        ENSURE(again != NULL && again->clip_count == 1 && again->clips[0].duration == 2.5f);
        ENSURE(again->clips[0].tracks[0].key_count == tracks[i].key_count + 1);

        pelt_pose before, after;
        ENSURE(pelt_pose_create(&before, &e.scene) == PELT_OK);
        ENSURE(pelt_pose_create(&after, again) == PELT_OK);
        for (float time = 0.0f; time < 3.0f; time += 0.25f)
        {
            pelt_pose_sample(&before, &e.scene, &clip, time, PELT_WRAP_CLAMP);
            pelt_pose_sample(&after, again, &again->clips[0], time, PELT_WRAP_CLAMP);
            for (uint32_t node = 0; node < 9; ++node)
            {
                uint32_t found = pelt_scene_find_node(again, e.scene.nodes[node].name);
                const pelt_transform *a = &before.locals[node], *b = &after.locals[found];
                ENSURE_POINT(a->translation, b->translation, 0);
                ENSURE_POINT(a->scale, b->scale, 0);
                // Between equal keys a rotation is interpolated, and that rounds.
                ENSURE_NEAR(fabsf(pelt_quat_dot(a->rotation, b->rotation)), 1, 1e-6);
            }
            ENSURE(memcmp(before.morph_weights, after.morph_weights, 2 * sizeof(float)) == 0);
        }
        pelt_pose_destroy(&after);
        pelt_pose_destroy(&before);
        pelt_scene_destroy(again);
    }
    return 0;
}

static int a_scene_of_nothing_comes_back_the_same(void)
{
    pelt_node node = {"alone", PELT_NONE, pelt_transform_identity()};
    pelt_scene scene = {.name = "nothing", .node_count = 1, .nodes = &node};
    ENSURE(check_round_trip(&scene, PELT_FORMAT_GLB) == 0);
    ENSURE(check_round_trip(&scene, PELT_FORMAT_GLTF) == 0);
    return 0;
}

// More joints than a byte counts, more vertices than 16 bits count.
static int wide_indices_come_back_the_same(void)
{
    enum
    {
        VERTICES = 70000,
        JOINTS = 300,
    };
    pelt_arena* arena = pelt_arena_create();
    pelt_vec3* positions = pelt_arena_alloc(arena, VERTICES, sizeof *positions);
    pelt_influence* influences = pelt_arena_alloc(arena, VERTICES, sizeof *influences);
    uint32_t* first = pelt_arena_alloc(arena, VERTICES + 1, sizeof *first);
    uint32_t* slots = pelt_arena_alloc(arena, JOINTS, sizeof *slots);
    pelt_node* nodes = pelt_arena_alloc(arena, JOINTS, sizeof *nodes);
    pelt_mat34* binds = pelt_arena_alloc(arena, JOINTS, sizeof *binds);
    for (uint32_t i = 0; i < VERTICES; ++i)
    {
        positions[i] = pelt_vec3_make((float)i, 0.5f, (float)(i % 7));
        influences[i] = (pelt_influence){(uint16_t)(i % JOINTS), 0, 1.0f};
        first[i + 1] = i + 1;
    }
    for (uint32_t i = 0; i < JOINTS; ++i)
    {
        slots[i] = i;
        binds[i] = pelt_mat34_identity();
        nodes[i] = (pelt_node){pelt_arena_format(arena, "joint%u", i), i > 0 ? 0 : PELT_NONE,
                               pelt_transform_identity()};
    }
    const uint32_t triangle[3] = {0, VERTICES - 1, 65535};
    pelt_mesh mesh = {.name = "wide",
                      .vertex_count = VERTICES,
                      .index_count = 3,
                      .positions = positions,
                      .indices = triangle,
                      .weights = {VERTICES, JOINTS, VERTICES, 1, first, influences},
                      .material = PELT_NONE};
    pelt_skin skin = {"skin", JOINTS, slots, binds};
    pelt_instance instance = {0};
    pelt_scene scene = {.node_count = JOINTS,
                        .mesh_count = 1,
                        .skin_count = 1,
                        .instance_count = 1,
                        .nodes = nodes,
                        .meshes = &mesh,
                        .skins = &skin,
                        .instances = &instance};
    int failure = check_round_trip(&scene, PELT_FORMAT_GLB);
    pelt_arena_destroy(arena);
    return failure;
}

// ---------------------------------------------------------------------------------------------
// Real characters

// Twist joints along every bone that can have them.
static pelt_result twist_all(pelt_scene** out, const pelt_scene* scene)
{
    pelt_twist* requests = pelt_allocate(scene->node_count, sizeof *requests);
    uint32_t count = 0;
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        pelt_twist request = {node, 3, PELT_TWIST_CHILD};
        pelt_twist_bone bone;
        if (pelt_twist_plan(&bone, scene, &request, 1, NULL) == PELT_OK)
        {
            requests[count++] = request;
        }
    }
    pelt_twist_options options = {.twist_count = count, .twists = requests};
    pelt_result result = pelt_twist_add(out, scene, &options, NULL, NULL);
    pelt_release(requests);
    return result;
}

static int check_twisted(const pelt_scene* scene)
{
    pelt_scene* twisted;
    pelt_error error = {{0}};
    ENSURE(twist_all(&twisted, scene) == PELT_OK);
    pelt_result result = pelt_scene_validate(twisted, &error);
    int failure = result != PELT_OK || check_round_trip(twisted, PELT_FORMAT_GLB);
    pelt_scene_destroy(twisted);
    if (failure)
    {
        printf("  with twist joints: %s\n", error.message);
    }
    return failure;
}

static int check_character(const char* path)
{
    pelt_scene* scene = NULL;
    pelt_error error = {{0}};
    pelt_result result = pelt_load(&scene, path, NULL, &error);
    if (result == PELT_ERROR_UNSUPPORTED)
    {
        return 0; // Draco
    }
    int failure =
        result != PELT_OK || check_round_trip(scene, PELT_FORMAT_GLB) || check_twisted(scene);
    pelt_scene_destroy(scene);
    if (failure)
    {
        printf("  in %s %s\n", path, error.message);
    }
    return failure;
}

static int every_character_comes_back_the_same_also_with_twist_joints(void)
{
    glob_t found;
    ENSURE(model_files_find(&found, "glb gltf"));
    int failures = 0;
    for (size_t i = 0; i < found.gl_pathc; ++i)
    {
        failures += test_takes_model(found.gl_pathv[i]) && check_character(found.gl_pathv[i]);
    }
    globfree(&found);
    return failures;
}

void test_gltf_write(void)
{
    RUN(every_rig_comes_back_the_same);
    RUN(a_rig_with_twist_joints_comes_back_the_same);
    RUN(a_scene_with_everything_comes_back_the_same);
    RUN(samplers_come_back_the_same);
    RUN(names_of_textures_come_back_the_same);
    RUN(a_clip_keeps_its_duration_past_the_last_key);
    RUN(a_scene_of_nothing_comes_back_the_same);
    RUN(wide_indices_come_back_the_same);
    RUN_ON_MODELS(every_character_comes_back_the_same_also_with_twist_joints);
}
