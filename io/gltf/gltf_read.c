// SPDX-License-Identifier: MIT
// glTF 2.0 to a scene: the steps of gltf_read.h in their order.
#include "gltf_read.h"
#include "../path_below.h"

#include <string.h>

static pelt_result name_scene(pelti_gltf* g)
{
    uint32_t scene = 0;
    pelti_place list = {.member = "scenes"};
    const char* name = NULL;
    pelt_result result = pelti_gltf_get_index(&scene, g, PELTI_GLTF_SCENES, g->root, "scene", NULL);
    pelti_place at = pelti_place_index(&list, scene);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_string(&name, g, pelti_gltf_item(g, PELTI_GLTF_SCENES, scene),
                                       "name", &at);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    const char* file = g->path + pelti_path_folder(g->path);
    g->scene->name = pelt_arena_string(g->arena, name != NULL && name[0] != '\0' ? name : file);
    return g->scene->name != NULL ? PELT_OK : pelt_error_memory(g->error);
}

// Tables of what the lists of the file became.
static pelt_result make_tables(pelti_gltf* g)
{
    const struct
    {
        pelti_gltf_kind kind;
        size_t size;
    } wanted[] = {
        {PELTI_GLTF_BUFFERS, sizeof *g->buffers}, {PELTI_GLTF_BUFFER_VIEWS, sizeof *g->views},
        {PELTI_GLTF_ACCESSORS, sizeof *g->times}, {PELTI_GLTF_NODES, sizeof *g->nodes},
        {PELTI_GLTF_MESHES, sizeof *g->meshes},
    };
    void* tables[5] = {NULL};
    pelt_result result = PELT_OK;
    for (size_t i = 0; i < 5 && result == PELT_OK; ++i)
    {
        result =
            pelti_gltf_alloc_scratch(&tables[i], g, g->lists[wanted[i].kind].count, wanted[i].size);
    }
    g->buffers = tables[0];
    g->views = tables[1];
    g->times = tables[2];
    g->nodes = tables[3];
    g->meshes = tables[4];
    return result;
}

pelt_result pelti_gltf_arrays_open(pelti_gltf* g, const pelti_blob* file)
{
    // The caller has read the file before, within whatever limits.
    const pelt_load_options options = {
        .limits = {.memory = SIZE_MAX, .elements = UINT64_MAX, .depth = 1024}};
    pelti_load_start(&g->budget, &options, file->size);
    g->arena = pelt_arena_create();
    g->scratch = pelt_arena_create();
    if (g->arena == NULL || g->scratch == NULL)
    {
        return pelt_error_memory(g->error);
    }
    pelt_result result = pelti_gltf_open(g, file);
    return result == PELT_OK ? make_tables(g) : result;
}

void pelti_gltf_arrays_close(pelti_gltf* g)
{
    pelti_gltf_release_buffers(g);
    pelt_arena_destroy(g->scratch);
    pelt_arena_destroy(g->arena);
}

static pelt_result list_repairs(pelti_gltf* g)
{
    return pelti_repairs_write(g->scene, g->arena, &g->repairs) ? PELT_OK
                                                                : pelt_error_memory(g->error);
}

static pelt_result read_all(pelti_gltf* g, const pelti_blob* file)
{
    static pelt_result (*const steps[])(pelti_gltf * g) = {make_tables,
                                                           name_scene,
                                                           pelti_gltf_read_nodes,
                                                           pelti_gltf_read_skins,
                                                           pelti_gltf_read_materials,
                                                           pelti_gltf_read_meshes,
                                                           pelti_gltf_read_instances,
                                                           pelti_gltf_read_clips,
                                                           pelti_gltf_list_losses,
                                                           pelti_gltf_check,
                                                           list_repairs};
    const size_t step_count = sizeof steps / sizeof steps[0];
    pelt_result result = pelti_gltf_open(g, file);
    for (size_t i = 0; i < step_count && result == PELT_OK; ++i)
    {
        float part = (float)(i + 1) / (float)(step_count + 1);
        result = pelti_load_tell(&g->budget, part, g->path, g->error);
        if (result != PELT_OK)
        {
            return result;
        }
        result = steps[i](g);
    }
    return result;
}

static pelt_result read_into(pelti_gltf* g, const pelti_blob* file)
{
    g->arena = pelt_arena_create();
    g->scratch = pelt_arena_create();
    if (g->arena != NULL && g->scratch != NULL)
    {
        pelt_arena_limit(g->arena, &g->budget.memory);
        pelt_arena_limit(g->scratch, &g->budget.memory);
        g->scene = pelt_arena_alloc(g->arena, 1, sizeof *g->scene);
    }
    pelt_result result = g->scene != NULL ? read_all(g, file) : pelt_error_memory(g->error);
    pelti_gltf_release_buffers(g);
    pelt_arena_destroy(g->scratch);
    if (result != PELT_OK)
    {
        pelt_arena_destroy(g->arena);
        return pelti_load_finish(&g->budget, result, g->path, g->error);
    }
    pelt_arena_limit(g->arena, NULL);
    return PELT_OK;
}

pelt_result pelti_read_gltf(pelt_scene** out, const pelt_source* source,
                            const pelt_load_options* options, pelt_error* error)
{
    PELT_ASSERT(out != NULL && source != NULL && source->path != NULL);
    *out = NULL;

    const pelti_blob file = {(uint8_t*)source->bytes, source->size};
    pelti_gltf g = {.path = source->path, .source = source, .error = error};
    pelti_load_start(&g.budget, options, file.size);
    pelt_result result = read_into(&g, &file);
    if (result == PELT_OK)
    {
        g.scene->arena = g.arena;
        *out = g.scene;
    }
    return result;
}
