// SPDX-License-Identifier: MIT
// Centers of rotation of real characters: the fast solver against the definition.
#define _POSIX_C_SOURCE 200809L

#include "model_files.h"
#include "pelt/io.h"
#include "pelt/metrics.h"

#include <stdlib.h>
#include <string.h>

// Meshes that one skin deforms.
typedef struct group
{
    pelt_cor_input input;
    const pelt_mesh** meshes;
    pelt_vec3** fast;
    pelt_vec3** full;
} group;

static bool is_in_group(const group* g, const pelt_mesh* mesh)
{
    bool is_there = false;
    for (uint32_t i = 0; i < g->input.mesh_count; ++i)
    {
        is_there |= g->meshes[i] == mesh;
    }
    return is_there;
}

static group make_group(const pelt_scene* scene, uint32_t skin, pelt_arena* arena)
{
    group g = {0};
    g.meshes = pelt_arena_alloc(arena, scene->instance_count, sizeof *g.meshes);
    g.fast = pelt_arena_alloc(arena, scene->instance_count, sizeof *g.fast);
    g.full = pelt_arena_alloc(arena, scene->instance_count, sizeof *g.full);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        if (scene->instances[i].skin == skin && mesh->weights.first != NULL &&
            !is_in_group(&g, mesh))
        {
            uint32_t n = g.input.mesh_count++;
            g.meshes[n] = mesh;
            g.fast[n] = pelt_arena_alloc(arena, mesh->vertex_count, sizeof(pelt_vec3));
            g.full[n] = pelt_arena_alloc(arena, mesh->vertex_count, sizeof(pelt_vec3));
        }
    }
    g.input.meshes = g.meshes;
    return g;
}

// The largest difference as part of the diagonal of all meshes; negative: an error.
static double compare_group(const group* g, float epsilon)
{
    pelt_cor_options options = {.epsilon = epsilon};
    pelt_cor_report report;
    if (pelt_cor_solve(g->fast, &g->input, &options, &report, NULL) != PELT_OK)
    {
        return -1.0;
    }
    options.solver = PELT_COR_FULL;
    if (pelt_cor_solve(g->full, &g->input, &options, NULL, NULL) != PELT_OK)
    {
        return -1.0;
    }
    pelt_bounds box = pelt_bounds_empty();
    double worst = 0.0;
    for (uint32_t i = 0; i < g->input.mesh_count; ++i)
    {
        uint32_t count = g->meshes[i]->vertex_count;
        pelt_bounds_add(&box, g->meshes[i]->positions, count);
        worst = fmax(worst, pelt_positions_compare(g->fast[i], g->full[i], count).max);
    }
    worst /= (double)pelt_bounds_diagonal(&box);
    if (report.pair_count > 0)
    {
        printf(" %.1e (%u of %u pairs in tables, %u exactly)", worst, report.tabulated_count,
               report.pair_count, report.exact_count);
    }
    return worst;
}

static int check_file(const char* path, float epsilon)
{
    pelt_scene* scene;
    pelt_error error;
    if (pelt_load(&scene, path, NULL, &error) != PELT_OK)
    {
        return 0; // what can be read is the business of other tests
    }
    printf("  %s:", strrchr(path, '/') + 1);
    int failed = 0;
    for (uint32_t skin = 0; skin < scene->skin_count; ++skin)
    {
        pelt_arena* arena = pelt_arena_create();
        group g = make_group(scene, skin, arena);
        double worst = g.input.mesh_count > 0 ? compare_group(&g, epsilon) : 0.0;
        failed |= !(worst >= 0.0 && worst <= 2e-6);
        pelt_arena_destroy(arena);
    }
    printf("\n");
    pelt_scene_destroy(scene);
    return failed;
}

static int characters_agree_with_the_definition(void)
{
    glob_t found;
    ENSURE(model_files_find(&found, MODEL_FILES_READ));
    int failed = 0;
    for (size_t i = 0; i < found.gl_pathc; ++i)
    {
        failed |= check_file(found.gl_pathv[i], -1.0f);
    }
    globfree(&found);
    return failed;
}

static int characters_agree_when_triangles_are_halved(void)
{
    static const char* const some[] = {"/CesiumMan/", "/momentum_8influences/", "/RiggedFigure/"};
    glob_t found;
    ENSURE(model_files_find(&found, "glb"));
    int failed = 0, count = 0;
    for (size_t i = 0; i < 3 * found.gl_pathc; ++i)
    {
        if (strstr(found.gl_pathv[i / 3], some[i % 3]) != NULL)
        {
            failed |= check_file(found.gl_pathv[i / 3], 0.0f);
            ++count;
        }
    }
    globfree(&found);
    ENSURE(count >= 3);
    return failed;
}

void test_cor_models(void)
{
    RUN_ON_MODELS(characters_agree_with_the_definition);
    RUN_ON_MODELS(characters_agree_when_triangles_are_halved);
}
