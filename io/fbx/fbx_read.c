// SPDX-License-Identifier: MIT
// FBX, binary and text, as a scene in meters with Y up.
#include "fbx_read.h"

#include <string.h>

pelt_result pelti_fbx_repair(pelti_fbx* f, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool is_ok = pelti_repairs_add(&f->repairs, f->arena, format, arguments);
    va_end(arguments);
    return is_ok ? PELT_OK : pelt_error_memory(f->error);
}

static pelt_result finish_repairs(pelti_fbx* f)
{
    return pelti_repairs_write(f->scene, f->arena, &f->repairs) ? PELT_OK
                                                                : pelt_error_memory(f->error);
}

static pelt_result finish_nodes(pelti_fbx* f)
{
    pelt_node* nodes = pelt_arena_alloc(f->arena, f->node_count, sizeof *nodes);
    if (nodes == NULL)
    {
        return pelt_error_memory(f->error);
    }
    if (f->node_count > 0)
    {
        memcpy(nodes, f->nodes, f->node_count * sizeof *nodes);
    }
    f->scene->nodes = nodes;
    f->scene->node_count = f->node_count;
    return PELT_OK;
}

static pelt_result parse(pelti_fbx* f)
{
    return pelti_fbx_parse(&f->file);
}

static pelt_result read_settings(pelti_fbx* f)
{
    pelti_fbx_read_settings(f);
    return PELT_OK;
}

// In an order in which each part finds what it refers to; skins may still add nodes.
static pelt_result read_scene(pelti_fbx* f)
{
    pelt_result (*const parts[])(pelti_fbx*) = {
        parse,
        read_settings,
        pelti_fbx_read_objects,
        pelti_fbx_read_bind_poses,
        pelti_fbx_read_takes,
        pelti_fbx_read_models,
        pelti_fbx_read_materials,
        pelti_fbx_read_meshes,
        pelti_fbx_write_clips,
        pelti_fbx_list_losses,
        finish_nodes,
        finish_repairs,
    };
    const char* slash = strrchr(f->file.path, '/');
    f->scene->name = pelt_arena_string(f->arena, slash != NULL ? slash + 1 : f->file.path);
    pelt_result result = f->scene->name != NULL ? PELT_OK : pelt_error_memory(f->error);
    const size_t part_count = sizeof parts / sizeof parts[0];
    for (size_t i = 0; i < part_count && result == PELT_OK; ++i)
    {
        float part = (float)i / (float)part_count;
        result = pelti_load_tell(&f->file.budget, part, f->file.path, f->error);
        if (result != PELT_OK)
        {
            return result;
        }
        result = parts[i](f);
    }
    return result;
}

pelt_result pelti_read_fbx(pelt_scene** out, const pelt_source* source,
                           const pelt_load_options* options, pelt_error* error)
{
    *out = NULL;
    pelti_fbx f = {
        .file = {.data = source->bytes, .size = source->size, .path = source->path, .error = error},
        .max_influences = options != NULL ? options->max_influences : 0,
        .error = error};
    pelti_load_start(&f.file.budget, options, source->size);
    f.file.scratch = pelt_arena_create();
    f.arena = pelt_arena_create();
    f.scene = f.arena != NULL ? pelt_arena_alloc(f.arena, 1, sizeof *f.scene) : NULL;
    pelt_result result;
    if (f.scene != NULL && f.file.scratch != NULL)
    {
        pelt_arena_limit(f.file.scratch, &f.file.budget.memory);
        pelt_arena_limit(f.arena, &f.file.budget.memory);
        f.scene->arena = f.arena;
        result = read_scene(&f);
    }
    else
    {
        result = pelt_error_memory(error);
    }
    pelt_arena_destroy(f.file.scratch);
    if (result != PELT_OK)
    {
        pelt_arena_destroy(f.arena);
        return pelti_load_finish(&f.file.budget, result, source->path, error);
    }
    pelt_arena_limit(f.arena, NULL);
    *out = f.scene;
    return PELT_OK;
}
