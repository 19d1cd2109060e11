// SPDX-License-Identifier: MIT
// Deformed surfaces as GLB; what glTF cannot hold; memory that runs out while writing.
#define _POSIX_C_SOURCE 200809L
#include "pelt/io.h"
#include "rigs.h"

#include "test.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check_surfaces(const pelt_scene* scene, const pelt_frame* frame, const char* path,
                          pelt_format format)
{
    pelt_scene* again = NULL;
    ENSURE(pelt_save_surfaces(path, format, scene, frame->surfaces, NULL) == PELT_OK);
    ENSURE(pelt_load(&again, path, NULL, NULL) == PELT_OK);
    ENSURE(again->mesh_count == 2 && again->instance_count == 2 && again->node_count == 2);
    ENSURE(again->skin_count == 0 && again->clip_count == 0 && again->repair_count == 0);
    for (uint32_t i = 0; i < again->mesh_count; ++i)
    {
        const pelt_mesh *mesh = &again->meshes[i], *given = &scene->meshes[i];
        const pelt_surface* surface = &frame->surfaces[i];
        uint32_t count = given->vertex_count;
        ENSURE(strcmp(mesh->name, given->name) == 0 && mesh->vertex_count == count);
        ENSURE(test_is_same(mesh->positions, surface->positions, count, sizeof(pelt_vec3)));
        ENSURE(test_is_same(mesh->normals, surface->normals, count, sizeof(pelt_vec3)));
        ENSURE(test_is_same(mesh->uvs, given->uvs, count, sizeof(pelt_vec2)));
        ENSURE(test_is_same(mesh->indices, given->indices, given->index_count, sizeof(uint32_t)));
        ENSURE(mesh->weights.first == NULL && mesh->morph_count == 0 && mesh->cors == NULL);
        ENSURE(mesh->material == given->material);
    }
    pelt_scene_destroy(again);
    return 0;
}

static int surfaces_come_back_as_meshes_at_rest(void)
{
    pelt_scene* scene;
    pelt_frame frame;
    pelt_pose pose;
    char path[] = "/tmp/pelt_test_XXXXXX";
    int descriptor = mkstemp(path);
    ENSURE(descriptor >= 0 && close(descriptor) == 0);
    ENSURE(pelt_rig_build(&scene, "rig:box", NULL) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, scene) == PELT_OK);
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    pelt_pose_sample(&pose, scene, &scene->clips[0], 1.0f, PELT_WRAP_LOOP);
    pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){0});
    ENSURE(check_surfaces(scene, &frame, path, PELT_FORMAT_GLB) == 0);
    ENSURE(check_surfaces(scene, &frame, path, PELT_FORMAT_GLTF) == 0);

    pelt_pose_destroy(&pose);
    pelt_frame_destroy(&frame);
    pelt_scene_destroy(scene);
    remove(path);
    return 0;
}

static int formats_that_are_only_read_are_refused(void)
{
    pelt_scene* scene;
    pelt_error error = {{0}};
    const char* path = "/tmp/pelt_test_refused.glb";
    pelt_surface surfaces[2] = {{0}};
    ENSURE(pelt_format_of("a.GLB") == PELT_FORMAT_GLB && pelt_format_of("a.gltf") != 0);
    ENSURE(pelt_format_of("a.fbx") == PELT_FORMAT_FBX);
    ENSURE(pelt_format_of("b/c.Dae") == PELT_FORMAT_ASSIMP);
    ENSURE(pelt_rig_build(&scene, "rig:box", NULL) == PELT_OK);
    ENSURE(pelt_save_scene(path, PELT_FORMAT_ASSIMP, scene, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, ".glb") != NULL);
    ENSURE(pelt_save_scene(path, PELT_FORMAT_PLY, scene, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(pelt_save_surfaces(path, PELT_FORMAT_ASSIMP, scene, surfaces, &error) ==
           PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, ".glb") != NULL);
    ENSURE(access(path, F_OK) != 0);
    pelt_scene_destroy(scene);
    return 0;
}

static int what_gltf_cannot_hold_is_refused(void)
{
    const char* path = "/tmp/pelt_test_refused.glb";
    pelt_node node = {"alone", PELT_NONE, pelt_transform_identity()};
    pelt_mesh mesh = {.name = "empty", .material = PELT_NONE};
    pelt_skin skin = {.name = "limp"};
    pelt_scene scene = {.node_count = 1, .nodes = &node, .mesh_count = 1, .meshes = &mesh};
    pelt_error error = {{0}};
    ENSURE(pelt_save_scene(path, PELT_FORMAT_GLB, &scene, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "empty") != NULL);
    scene = (pelt_scene){.node_count = 1, .nodes = &node, .skin_count = 1, .skins = &skin};
    ENSURE(pelt_save_scene(path, PELT_FORMAT_GLB, &scene, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "limp") != NULL);
    node.parent = 5;
    ENSURE(pelt_save_scene(path, PELT_FORMAT_GLB, &scene, &error) == PELT_ERROR_DATA);
    ENSURE(access(path, F_OK) != 0);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Memory

static uint32_t allocation_number, failing_number;
static bool fails_from_then;
static int32_t allocations_alive;

static void* allocate_or_fail(size_t size)
{
    ++allocation_number;
    if (allocation_number == failing_number ||
        (fails_from_then && allocation_number > failing_number))
    {
        return NULL;
    }
    allocations_alive++;
    return malloc(size);
}

static void release_counted(void* block)
{
    allocations_alive -= block != NULL;
    free(block);
}

static void* allocate_hook(size_t size, void* user)
{
    (void)user;
    return allocate_or_fail(size);
}

static void release_hook(void* block, void* user)
{
    (void)user;
    release_counted(block);
}

typedef pelt_result (*memory_act)(const char* path, void* user);

// With the n-th allocation failing. The JSON library has its own door to memory; both lead to the
// same counter.
static pelt_result act_without(uint32_t n, memory_act act, const char* path, void* user)
{
    remove(path);
    allocation_number = 0;
    failing_number = n;
    allocations_alive = 0;
    pelt_hooks_set(&(pelt_hooks){.allocate = allocate_hook, .release = release_hook});
    json_set_alloc_funcs(allocate_or_fail, release_counted);
    pelt_result result = act(path, user);
    json_set_alloc_funcs(malloc, free);
    pelt_hooks_set(&(pelt_hooks){0});
    return result;
}

// FNV-1a (Fowler, Noll, Vo); 0: there is no file.
static uint64_t hash_file(const char* path)
{
    FILE* file = fopen(path, "rb");
    uint64_t hash = file != NULL ? 0xcbf29ce484222325u : 0;
    for (int c; file != NULL && (c = fgetc(file)) != EOF;)
    {
        hash = (hash ^ (uint64_t)c) * 0x100000001b3u;
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return hash;
}

// Every allocation one after another, alone or with all after it, until there is none left to fail:
// nothing is written, or what is written without a failure.
static int check_every_failure(memory_act act, void* user)
{
    const char* path = "/tmp/pelt_test_memory.gltf";
    ENSURE(act_without(0, act, path, user) == PELT_OK);
    uint64_t whole = hash_file(path);
    for (int i = 0; i < 2; ++i)
    {
        fails_from_then = i == 1;
        uint32_t n = 0;
        do
        {
            pelt_result result = act_without(++n, act, path, user);
            ENSURE(result == PELT_OK || result == PELT_ERROR_MEMORY);
            ENSURE(hash_file(path) == (result == PELT_OK ? whole : 0));
            ENSURE(allocations_alive == 0);
        } while (allocation_number >= n);
        ENSURE(n > 20);
    }
    fails_from_then = false;
    remove(path);
    return 0;
}

static pelt_result save_scene(const char* path, void* user)
{
    return pelt_save_scene(path, PELT_FORMAT_GLTF, user, NULL);
}

static pelt_result save_additions(const char* path, void* user)
{
    static const float numbers[4 * 1024];
    static const uint16_t integers[4 * 1024];
    pelt_addition two[] = {
        {.mesh = 0, .vertex_count = 72, .name = "_A", .width = 4, .integers = integers},
        {.mesh = 1,
         .vertex_count = 240,
         .name = "_B",
         .width = 3,
         .values = numbers,
         .extras = "{\"b\": 1}"}};
    return pelt_save_additions(path, user, two, 2, NULL);
}

static pelt_result parse_pose(const char* path, void* user)
{
    (void)path;
    static const char text[] =
        "{\"elbow\": {\"axis\": [0, 0, 1], \"degrees\": 90, \"space\": \"joint\"}}";
    pelt_override* overrides;
    uint32_t count;
    pelt_result result = pelt_overrides_parse(&overrides, &count, text, user, NULL);
    pelt_release(overrides);
    return result == PELT_OK && count != 1 ? PELT_ERROR_DATA : result;
}

static int every_failed_allocation_is_a_clean_result(void)
{
    pelt_scene *scene, *arm;
    char source[] = "/tmp/pelt_test_memory_source.glb";
    ENSURE(pelt_rig_build(&scene, "rig:box", NULL) == PELT_OK);
    ENSURE(pelt_save_scene(source, PELT_FORMAT_GLB, scene, NULL) == PELT_OK);
    ENSURE(check_every_failure(save_scene, scene) == 0);
    ENSURE(check_every_failure(save_additions, source) == 0);
    ENSURE(pelt_rig_build(&arm, "rig:arm?vertices=300", NULL) == PELT_OK);
    ENSURE(check_every_failure(parse_pose, arm) == 0);
    remove(source);
    pelt_scene_destroy(arm);
    pelt_scene_destroy(scene);
    return 0;
}

void test_gltf_surfaces(void)
{
    RUN(surfaces_come_back_as_meshes_at_rest);
    RUN(formats_that_are_only_read_are_refused);
    RUN(what_gltf_cannot_hold_is_refused);
    RUN(every_failed_allocation_is_a_clean_result);
}
