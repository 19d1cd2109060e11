// SPDX-License-Identifier: MIT
// Deformed surfaces as GLB, and what glTF cannot store.
#define _POSIX_C_SOURCE 200809L
#include "pelt/io.h"
#include "rigs.h"

#include "test.h"

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

void test_gltf_surfaces(void)
{
    RUN(surfaces_come_back_as_meshes_at_rest);
    RUN(formats_that_are_only_read_are_refused);
    RUN(what_gltf_cannot_hold_is_refused);
}
