// SPDX-License-Identifier: MIT
// Bakes as files: what was written is read.
#define _XOPEN_SOURCE 700
#include "baked_files.h"
#include "baked_fixture.h"
#include "rigs.h"

#include "subprocess.h"
#include "texture/texture_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const pelt_texel texels[] = {PELT_TEXEL_RGBA32UI, PELT_TEXEL_RGBA16UI, PELT_TEXEL_RGBA8UI};

static int check_round_trip(const pelt_baked* baked, const pelt_save_baked_options* options)
{
    pelt_error error = {{0}};
    pelt_baked* again = NULL;
    pelt_result result = pelt_save_baked(subprocess_path("hero.json"), baked, options, &error);
    result = result == PELT_OK ? pelt_load_baked(&again, subprocess_path("hero.json"), NULL, &error)
                               : result;
    if (result != PELT_OK)
    {
        printf("  %s\n", error.message);
    }
    ENSURE(result == PELT_OK);
    ENSURE(baked_is_same(baked, again));
    for (uint32_t i = 0; i < again->joint_count; ++i)
    {
        uint32_t joint = again->joint_order[i], parent = again->joints[joint].parent, k = 0;
        while (k < i && again->joint_order[k] != parent)
        {
            ++k;
        }
        ENSURE(parent == PELT_NONE || k < i);
    }
    pelt_baked_destroy(again);
    return 0;
}

static int a_bake_comes_back_from_every_format(void)
{
    for (uint32_t i = 0; i < 3 * PELT_TEXTURE_FORMAT_COUNT; ++i)
    {
        pelt_baked* baked = baked_fixture(texels[i % 3], 2 + i, NULL);
        const pelt_save_baked_options options = {.format = (pelt_texture_format)(i / 3)};
        ENSURE(baked != NULL && check_round_trip(baked, &options) == 0);
        pelt_baked_destroy(baked);
        baked_files_remove();
    }
    return 0;
}

static int what_pelt_bakes_comes_back_in_every_encoding_of_joints(void)
{
    pelt_scene* scene = baked_files_box();
    ENSURE(scene != NULL);
    for (uint32_t i = 0; i < PELT_ENCODING_VERTEX; ++i)
    {
        const pelt_bake_options bake = {.encoding = (pelt_encoding)i};
        const pelt_save_baked_options options = {.scene = scene, .format = (pelt_texture_format)i};
        pelt_baked* baked = NULL;
        ENSURE(pelt_bake(&baked, scene, &bake, NULL) == PELT_OK);
        ENSURE(check_round_trip(baked, &options) == 0);
        pelt_baked_destroy(baked);
        baked_files_remove();
    }
    pelt_scene_destroy(scene);
    return 0;
}

static int the_thesis_layout_comes_back_from_every_format(void)
{
    pelt_scene* scene = baked_files_box();
    ENSURE(scene != NULL);
    static const pelt_encoding encodings[] = {PELT_ENCODING_MATRIX, PELT_ENCODING_DQ,
                                              PELT_ENCODING_VERTEX};
    for (uint32_t i = 0; i < 3 * PELT_TEXTURE_FORMAT_COUNT; ++i)
    {
        const uint32_t first = 0;
        const pelt_bake_options bake = {.encoding = encodings[i % 3],
                                        .layout = PELT_BAKE_LAYOUT_THESIS,
                                        .is_padded = i % 2 == 0,
                                        .clip_count = 1,
                                        .clips = &first};
        const pelt_save_baked_options options = {.scene = scene,
                                                 .format = (pelt_texture_format)(i / 3)};
        pelt_baked* baked = NULL;
        ENSURE(pelt_bake(&baked, scene, &bake, NULL) == PELT_OK);
        ENSURE(check_round_trip(baked, &options) == 0);
        pelt_baked_destroy(baked);
        baked_files_remove();
    }
    pelt_scene_destroy(scene);
    return 0;
}

static int a_skinned_mesh_is_written_without_its_clips(void)
{
    pelt_scene *scene = baked_files_box(), *still = NULL;
    ENSURE(scene != NULL && scene->clip_count > 0);
    pelt_baked* baked = baked_fixture(PELT_TEXEL_RGBA32UI, 4, scene);
    const pelt_save_baked_options options = {.scene = scene};
    ENSURE(baked != NULL && check_round_trip(baked, &options) == 0);
    ENSURE(pelt_load(&still, subprocess_path("hero.glb"), NULL, NULL) == PELT_OK);
    ENSURE(still->clip_count == 0 && still->skin_count == scene->skin_count);
    ENSURE(still->instance_count == scene->instance_count);
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        ENSURE(still->meshes[i].vertex_count == scene->meshes[i].vertex_count);
        ENSURE(still->meshes[i].weights.influence_count ==
               scene->meshes[i].weights.influence_count);
    }
    pelt_scene_destroy(still);
    pelt_baked_destroy(baked);
    pelt_scene_destroy(scene);
    baked_files_remove();
    return 0;
}

static int a_companion_appears_with_the_others_or_not_at_all(void)
{
    pelt_scene* scene = baked_files_box();
    pelt_baked* baked = scene != NULL ? baked_fixture(PELT_TEXEL_RGBA32UI, 4, scene) : NULL;
    pelt_file plot = {subprocess_path("hero.svg"), "<svg/>", 6};
    const pelt_save_baked_options options = {.scene = scene, .companion = &plot};
    ENSURE(baked != NULL && check_round_trip(baked, &options) == 0);
    ENSURE(access(plot.path, F_OK) == 0);
    remove(plot.path);
    baked_files_remove();
    plot.path = subprocess_path("missing/hero.svg");
    ENSURE(pelt_save_baked(subprocess_path("hero.json"), baked, &options, NULL) ==
           PELT_ERROR_WRITE);
    ENSURE(access(subprocess_path("hero.json"), F_OK) != 0 &&
           access(subprocess_path("hero.glb"), F_OK) != 0);
    pelt_baked_destroy(baked);
    pelt_scene_destroy(scene);
    return 0;
}

static int a_bake_tells_where_its_mesh_is(void)
{
    pelt_scene* scene = baked_files_box();
    pelt_baked* baked = scene != NULL ? baked_fixture(PELT_TEXEL_RGBA32UI, 4, scene) : NULL;
    pelt_save_baked_options options = {.scene = scene};
    const char* path = subprocess_path("hero.json");
    char* mesh;
    ENSURE(baked != NULL && pelt_save_baked(path, baked, &options, NULL) == PELT_OK);
    ENSURE(pelt_baked_mesh_path(&mesh, path, NULL) == PELT_OK);
    ENSURE(strcmp(mesh, subprocess_path("hero.glb")) == 0);
    pelt_release(mesh);
    remove(subprocess_path("hero.glb"));
    ENSURE(pelt_baked_mesh_path(&mesh, path, NULL) == PELT_ERROR_READ && mesh == NULL);
    options.scene = NULL;
    ENSURE(pelt_save_baked(path, baked, &options, NULL) == PELT_OK);
    ENSURE(pelt_baked_mesh_path(&mesh, path, NULL) == PELT_ERROR_DATA && mesh == NULL);
    ENSURE(pelt_baked_mesh_path(&mesh, subprocess_path("hero.ktx2"), NULL) == PELT_ERROR_DATA);
    pelt_baked_destroy(baked);
    pelt_scene_destroy(scene);
    baked_files_remove();
    return 0;
}

static int slots_of_vertices_come_back_from_the_mesh(void)
{
    pelt_scene *scene = baked_files_box(), *rest = NULL;
    ENSURE(scene != NULL);
    for (uint32_t i = 0; i < 3; ++i)
    {
        pelt_baked* baked = baked_fixture_vertices(texels[i], scene);
        const pelt_save_baked_options options = {.scene = scene, .format = PELT_TEXTURE_EXR};
        ENSURE(baked != NULL && check_round_trip(baked, &options) == 0);
        pelt_baked_destroy(baked);
    }
    // The mesh is at rest, and stays there without the texture.
    ENSURE(pelt_load(&rest, subprocess_path("hero.glb"), NULL, NULL) == PELT_OK);
    ENSURE(rest->instance_count == scene->instance_count && rest->skin_count == 0);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh *a = &scene->meshes[scene->instances[i].mesh], *b = &rest->meshes[i];
        ENSURE(a->vertex_count == b->vertex_count);
        ENSURE(memcmp(a->positions, b->positions, a->vertex_count * sizeof *a->positions) == 0);
    }
    pelt_scene_destroy(rest);
    pelt_scene_destroy(scene);
    baked_files_remove();
    return 0;
}

// Every frame as pelt decodes it, for openvat_outside.py.
static bool write_expected(const pelt_baked* baked, const pelt_scene* scene,
                           const uint32_t steps[2])
{
    FILE* file = fopen(subprocess_path("hero.expected"), "wb");
    pelt_vec3 positions[512], normals[512];
    const pelt_surface surface = {.positions = positions, .normals = normals};
    bool is_ok = file != NULL;
    for (uint32_t clip = 0; clip < 2; ++clip)
    {
        for (uint32_t i = 0; is_ok && i <= steps[clip]; ++i)
        {
            float part = (float)i / (float)steps[clip];
            const pelt_playback playback = {.base = {clip, part * baked->clips[clip].duration, 0}};
            for (uint32_t k = 0; k < scene->instance_count; ++k)
            {
                const pelt_mesh* mesh = &scene->meshes[scene->instances[k].mesh];
                pelt_unbake_vertices(&surface, baked, k, mesh, &playback);
                is_ok = is_ok && fwrite(positions, sizeof *positions, mesh->vertex_count, file) > 0;
                is_ok = is_ok && fwrite(normals, sizeof *normals, mesh->vertex_count, file) > 0;
            }
        }
    }
    return file != NULL && fclose(file) == 0 && is_ok;
}

// At 30 Hz 0.1 seconds are 3 steps; at 12.5 Hz, rounded to 13, 1.25 seconds are 16.
static int importers_of_openvat_see_the_same_surface(void)
{
    static const uint32_t steps[2] = {3, 16};
    char command[1024];
    pelt_scene* scene = baked_files_box();
    pelt_baked* baked = scene != NULL ? baked_fixture_vertices(PELT_TEXEL_RGBA32UI, scene) : NULL;
    const pelt_save_baked_options options = {.scene = scene, .has_openvat = true};
    ENSURE(baked != NULL && check_round_trip(baked, &options) == 0);
    ENSURE(write_expected(baked, scene, steps));
    snprintf(command, sizeof command, "python3 '%s/../outside/openvat_outside.py' '%s' '%s' 0 4 21",
             test_data_folder, subprocess_path("hero"), subprocess_path("hero.expected"));
    ENSURE(system(command) == 0);
    remove(subprocess_path("hero.expected"));
    baked_files_remove();
    pelt_baked_destroy(baked);
    pelt_scene_destroy(scene);
    return 0;
}

static bool fits_schema(void)
{
    char command[1024];
    snprintf(
        command, sizeof command,
        "node '%s/../outside/baked_schema.mjs' \"$PELT_NPM\" '%s/../../docs/baked.schema.json' "
        "'%s'",
        test_data_folder, test_data_folder, subprocess_path("hero.json"));
    return system(command) == 0;
}

static int the_json_is_what_its_schema_says(void)
{
    pelt_scene* scene = baked_files_box();
    ENSURE(scene != NULL);
    for (uint32_t i = 0; i < 3; ++i)
    {
        const pelt_save_baked_options options = {.scene = i > 0 ? scene : NULL};
        pelt_baked* baked = i < 2 ? baked_fixture(texels[i], 4, i > 0 ? scene : NULL)
                                  : baked_fixture_vertices(texels[i], scene);
        ENSURE(baked != NULL);
        ENSURE(pelt_save_baked(subprocess_path("hero.json"), baked, &options, NULL) == PELT_OK);
        ENSURE(fits_schema());
        pelt_baked_destroy(baked);
        baked_files_remove();
    }
    pelt_scene_destroy(scene);
    return 0;
}

static int what_cannot_be_saved_leaves_nothing(void)
{
    pelt_scene *box = baked_files_box(), *bar = NULL;
    ENSURE(box != NULL && pelt_rig_build(&bar, "rig:bar?vertices=200", NULL) == PELT_OK);
    pelt_baked* joints = baked_fixture(PELT_TEXEL_RGBA32UI, 4, box);
    pelt_baked* vertices = baked_fixture_vertices(PELT_TEXEL_RGBA32UI, box);
    pelt_save_baked_options options = {0};
    pelt_error error = {{0}};
    ENSURE(joints != NULL && vertices != NULL);
    ENSURE(pelt_save_baked(subprocess_path("hero.ktx2"), joints, NULL, &error) ==
           PELT_ERROR_ARGUMENT);
    ENSURE(strstr(error.message, ".json") != NULL);
    ENSURE(pelt_save_baked(subprocess_path("hero.json"), vertices, NULL, &error) ==
           PELT_ERROR_ARGUMENT);
    ENSURE(strstr(error.message, "needs the scene") != NULL);
    options.has_openvat = true;
    ENSURE(pelt_save_baked(subprocess_path("hero.json"), joints, &options, &error) ==
           PELT_ERROR_ARGUMENT);
    ENSURE(strstr(error.message, "OpenVAT") != NULL);
    options.has_openvat = false;
    options.scene = bar;
    ENSURE(pelt_save_baked(subprocess_path("hero.json"), joints, &options, &error) ==
           PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "baked") != NULL);
    options.scene = box;
    ((pelt_baked_instance*)joints->instances)[0].joint_count = 1;
    ENSURE(pelt_save_baked(subprocess_path("hero.json"), joints, &options, &error) ==
           PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "of instance 0 is not the one that was baked") != NULL);
    ENSURE(pelt_save_baked(subprocess_path("no_such_folder/hero.json"), joints, NULL, &error) ==
           PELT_ERROR_WRITE);
    ENSURE(rmdir(subprocess_folder()) == 0); // it is empty
    subprocess_remove_folder();
    pelt_baked_destroy(joints);
    pelt_baked_destroy(vertices);
    pelt_scene_destroy(box);
    pelt_scene_destroy(bar);
    return 0;
}

typedef struct copied_bake
{
    pelt_scene* scene;
    pelt_source source;
    pelt_baked* baked;
} copied_bake;

static pelt_result save_copied(const void* context)
{
    const copied_bake* c = context;
    const pelt_save_baked_options options = {.scene = c->scene, .source = &c->source};
    return pelt_save_baked(subprocess_path("hero.json"), c->baked, &options, NULL);
}

// The file of the user, here a rig, with a skin and clips.
static int the_mesh_of_a_gltf_is_a_copy(void)
{
    static const pelt_encoding encodings[] = {PELT_ENCODING_LOCAL, PELT_ENCODING_VERTEX};
    pelt_scene* box = baked_files_box();
    char path[512];
    snprintf(path, sizeof path, "%s", subprocess_path("box.glb"));
    ENSURE(box != NULL && pelt_save_scene(path, PELT_FORMAT_GLB, box, NULL) == PELT_OK);
    pelt_scene_destroy(box);
    for (int i = 0; i < 2; ++i)
    {
        copied_bake c = {0};
        pelt_scene* mesh = NULL;
        const pelt_bake_options options = {.encoding = encodings[i]};
        ENSURE(pelt_load_keep(&c.scene, &c.source, path, NULL, NULL) == PELT_OK);
        ENSURE(pelt_bake(&c.baked, c.scene, &options, NULL) == PELT_OK);
        ENSURE(save_copied(&c) == PELT_OK);
        ENSURE(pelt_load(&mesh, subprocess_path("hero.glb"), NULL, NULL) == PELT_OK);
        ENSURE(mesh->clip_count == 0 && mesh->instance_count == c.scene->instance_count);
        ENSURE((mesh->skin_count == 0) == (encodings[i] == PELT_ENCODING_VERTEX));
        ENSURE(mesh->node_count ==
               c.scene->node_count + (mesh->skin_count == 0 ? mesh->instance_count : 0));
        pelt_scene_destroy(mesh);
        baked_files_remove();
        pelt_baked_destroy(c.baked);
        pelt_scene_destroy(c.scene);
        pelt_source_release(&c.source);
    }
    remove(path);
    return 0;
}

void test_baked_file(void)
{
    RUN(a_bake_comes_back_from_every_format);
    RUN(what_pelt_bakes_comes_back_in_every_encoding_of_joints);
    RUN(the_thesis_layout_comes_back_from_every_format);
    RUN(a_skinned_mesh_is_written_without_its_clips);
    RUN(a_companion_appears_with_the_others_or_not_at_all);
    RUN(a_bake_tells_where_its_mesh_is);
    RUN(slots_of_vertices_come_back_from_the_mesh);
    RUN(importers_of_openvat_see_the_same_surface);
    if (system("{ node --version && test -d \"${PELT_NPM:-none}/node_modules/ajv\"; } >/dev/null "
               "2>&1") == 0)
    {
        RUN(the_json_is_what_its_schema_says);
    }
    else
    {
        test_skip("the_json_is_what_its_schema_says", "there is no node, or no ajv in PELT_NPM");
    }
    RUN(what_cannot_be_saved_leaves_nothing);
    RUN(the_mesh_of_a_gltf_is_a_copy);
    subprocess_remove_folder();
}
