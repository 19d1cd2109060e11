// SPDX-License-Identifier: MIT
// Deformers on real characters, against the reference.
#include "pelt/deformer.h"
#include "pelt/io.h"
#include "test.h"

static const char* const files[] = {
    "CesiumMan/CesiumMan.glb",
    "CesiumMan_gltfpack/CesiumMan_quantized.glb", // scale in every joint
    "Fox/Fox.glb",
    "RiggedFigure/RiggedFigure.glb",
    "RobotExpressive/RobotExpressive.glb",
    "KayKit_Knight/Knight.glb",
};

static const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                      PELT_METHOD_CRS};

// What float leaves of a character that is away from the origin.
static double size_of(const pelt_surface* surface, uint32_t count)
{
    pelt_bounds box = pelt_bounds_empty();
    const pelt_vec3 origin = {0.0f, 0.0f, 0.0f};
    pelt_bounds_add(&box, surface->positions, count);
    pelt_bounds_add(&box, &origin, 1);
    return (double)pelt_bounds_diagonal(&box);
}

static int check_near(const pelt_deformer* deformer, const pelt_mesh* mesh, const pelt_surface* out,
                      const pelt_surface* expected)
{
    double size = size_of(expected, mesh->vertex_count);
    for (uint32_t slot = 0; slot < mesh->vertex_count; ++slot)
    {
        uint32_t v = pelt_deformer_order(deformer)[slot];
        ENSURE_POINT(out->positions[slot], expected->positions[v], 2e-6 * size);
        // The sine of 0.05 degrees.
        ENSURE(mesh->normals == NULL ||
               pelt_vec3_distance(out->normals[slot], expected->normals[v]) < 8.7e-4f);
    }
    return 0;
}

// None of the characters has a skin and morph targets on one mesh, so each gets two: every other
// vertex swells, and the upper half is sheared.
static void fill_targets(pelt_morph out[2], const pelt_mesh* mesh, pelt_arena* arena)
{
    pelt_vec3* lists[4];
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, mesh->positions, mesh->vertex_count);
    float size = pelt_bounds_diagonal(&box), middle = 0.5f * (box.min.y + box.max.y);
    for (int i = 0; i < 4; ++i)
    {
        lists[i] = pelt_arena_alloc(arena, mesh->vertex_count, sizeof **lists);
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        pelt_vec3 n = mesh->normals != NULL ? mesh->normals[v] : (pelt_vec3){0.0f, 0.0f, 1.0f};
        pelt_vec3 p = mesh->positions[v];
        lists[0][v] = pelt_vec3_scale(n, v % 2 == 0 ? 0.05f * size : 0.0f);
        lists[1][v] = pelt_vec3_make(0.0f, v % 2 == 0 ? 0.5f : 0.0f, 0.0f);
        lists[2][v] = pelt_vec3_make(p.y > middle ? 0.2f * (p.y - middle) : 0.0f, 0.0f, 0.0f);
        lists[3][v] = pelt_vec3_make(0.0f, p.y > middle ? -0.2f * n.x : 0.0f, 0.0f);
    }
    out[0] = (pelt_morph){"swell", lists[0], lists[1], NULL};
    out[1] = (pelt_morph){"bent", lists[2], lists[3], NULL};
}

static int check_mesh(const pelt_mesh* mesh, const pelt_palette* palette,
                      const pelt_surface* expected, pelt_arena* arena)
{
    const uint32_t count = mesh->vertex_count;
    const pelt_deform_input input = {.positions = mesh->positions,
                                     .normals = mesh->normals,
                                     .cors = mesh->positions,
                                     .weights = &mesh->weights,
                                     .palette = palette};
    pelt_morph morphs[2];
    pelt_mesh shaped = *mesh;
    fill_targets(morphs, mesh, arena);
    shaped.morphs = morphs;
    shaped.morph_count = 2;
    const pelt_deformer_source source = {.positions = mesh->positions,
                                         .normals = mesh->normals,
                                         .cors = mesh->positions,
                                         .weights = &mesh->weights,
                                         .morph_count = 2,
                                         .morphs = morphs};
    pelt_deformer* deformer;
    pelt_surface out = {.positions = pelt_arena_alloc(arena, count, sizeof *out.positions),
                        .normals = pelt_arena_alloc(arena, count, sizeof *out.normals)};
    ENSURE(out.positions != NULL && out.normals != NULL);
    ENSURE(pelt_deformer_create(&deformer, &source,
                                &(pelt_deformer_options){.weights = PELT_WEIGHTS_FLOAT}) ==
           PELT_OK);
    for (int i = 0; i < 4; ++i)
    {
        pelt_deform_options options = {.method = methods[i], .mix = 0.5f};
        pelt_deform(expected, &input, &options, (pelt_range){0, count});
        pelt_deformer_run(deformer, &out, palette, &options,
                          (pelt_range){0, pelt_deformer_block_count(deformer)});
        ENSURE(check_near(deformer, mesh, &out, expected) == 0);

        const float morph_weights[2] = {i % 2 == 0 ? 0.5f : 0.0f, 0.75f};
        pelt_deform_input shaped_input = input;
        shaped_input.positions = expected->positions;
        shaped_input.normals = expected->normals;
        pelt_morph_apply(expected, &shaped, morph_weights, (pelt_range){0, count});
        pelt_deform(expected, &shaped_input, &options, (pelt_range){0, count});
        pelt_deformer_run_morphed(deformer, &out, palette, &options, morph_weights,
                                  (pelt_range){0, pelt_deformer_block_count(deformer)});
        ENSURE(check_near(deformer, mesh, &out, expected) == 0);
    }
    pelt_deformer_destroy(deformer);
    return 0;
}

static int check_file(const char* file)
{
    char path[4096];
    pelt_scene* scene;
    pelt_error error;
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), file);
    ENSURE(pelt_load(&scene, path, NULL, &error) == PELT_OK);
    pelt_pose pose;
    pelt_frame frame;
    pelt_arena* arena = pelt_arena_create();
    ENSURE(arena != NULL && pelt_pose_create(&pose, scene) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, scene) == PELT_OK);
    if (scene->clip_count > 0)
    {
        const pelt_clip* clip = &scene->clips[pelt_scene_default_clip(scene)];
        pelt_pose_sample(&pose, scene, clip, 0.37f * clip->duration, PELT_WRAP_CLAMP);
    }
    pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){0});
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        if (instance->skin != PELT_NONE && mesh->weights.first != NULL)
        {
            ENSURE(check_mesh(mesh, &frame.palettes[instance->skin], &frame.surfaces[i], arena) ==
                   0);
        }
    }
    pelt_arena_destroy(arena);
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    pelt_scene_destroy(scene);
    return 0;
}

static int characters_are_deformed_as_by_the_reference(void)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
    {
        if (check_file(files[i]) != 0)
        {
            printf("  %s\n", files[i]);
            return 1;
        }
    }
    return 0;
}

void test_deformer_models(void)
{
    RUN_ON_MODELS(characters_are_deformed_as_by_the_reference);
}
