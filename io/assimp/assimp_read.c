// SPDX-License-Identifier: MIT
// Collada, X, MD5, BVH and whatever else assimp reads, as a scene in meters.
#include "../readers.h"

#ifdef PELT_WITH_ASSIMP

#include "assimp_scene.h"

#include <assimp/cimport.h>
#include <string.h>

pelt_result pelti_assimp_repair(pelti_assimp* a, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool is_ok = pelti_repairs_add(&a->repairs, a->arena, format, arguments);
    va_end(arguments);
    return is_ok ? PELT_OK : pelt_error_memory(a->error);
}

static pelt_result finish_repairs(pelti_assimp* a)
{
    return pelti_repairs_write(a->scene, a->arena, &a->repairs) ? PELT_OK
                                                                : pelt_error_memory(a->error);
}

static pelt_result finish_nodes(pelti_assimp* a)
{
    pelt_node* nodes = pelt_arena_alloc(a->arena, a->node_count, sizeof *nodes);
    if (nodes == NULL)
    {
        return pelt_error_memory(a->error);
    }
    for (uint32_t i = 0; i < a->node_count; ++i)
    {
        nodes[i] = a->nodes[i].node;
    }
    a->scene->nodes = nodes;
    a->scene->node_count = a->node_count;
    // One sentence for all: rounding in a text file is enough to shear every node of it.
    return a->sheared_count == 0
               ? PELT_OK
               : pelti_assimp_repair(
                     a, "split %u sheared %s into two each, the first %s", a->sheared_count,
                     pelti_plural(a->sheared_count, "node", "nodes"), a->first_sheared);
}

// In an order in which each part finds what it refers to; bones may still add nodes.
static pelt_result read_scene(pelti_assimp* a)
{
    pelt_result (*const parts[])(pelti_assimp*) = {
        pelti_assimp_read_nodes,
        pelti_assimp_read_materials,
        pelti_assimp_read_images,
        pelti_assimp_read_meshes,
        pelti_assimp_read_instances,
        pelti_assimp_read_clips,
        finish_nodes,
        finish_repairs,
        pelti_assimp_list_losses,
    };
    const char* slash = strrchr(a->path, '/');
    a->scene->name = pelt_arena_string(a->arena, slash != NULL ? slash + 1 : a->path);
    pelt_result result = a->scene->name != NULL ? PELT_OK : pelt_error_memory(a->error);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && result == PELT_OK; ++i)
    {
        result = parts[i](a);
    }
    return result;
}

static pelt_result convert(pelt_scene** out, pelti_assimp* a)
{
    a->arena = pelt_arena_create();
    a->scene = a->arena != NULL ? pelt_arena_alloc(a->arena, 1, sizeof *a->scene) : NULL;
    if (a->scene == NULL)
    {
        pelt_arena_destroy(a->arena);
        return pelt_error_memory(a->error);
    }
    a->scene->arena = a->arena;
    pelt_result result = read_scene(a);
    pelt_release(a->places);
    pelt_release(a->nodes);
    pelt_release(a->names);
    if (result != PELT_OK)
    {
        pelt_arena_destroy(a->arena);
        return result;
    }
    *out = a->scene;
    return PELT_OK;
}

pelt_result pelti_assimp_read(pelt_scene** out, const pelt_source* source,
                              const pelt_load_options* options, pelt_error* error)
{
    *out = NULL;
    pelt_result result = PELT_OK;
    const struct aiScene* imported = pelti_assimp_import(source, &result, error);
    if (imported == NULL)
    {
        return result;
    }
    pelti_assimp a = {.source = imported,
                      .path = source->path,
                      .max_influences = options != NULL ? options->max_influences : 0,
                      .error = error};
    result = convert(out, &a);
    aiReleaseImport(imported);
    return result;
}

pelt_result pelti_read_assimp(pelt_scene** out, const pelt_source* source,
                              const pelt_load_options* options, pelt_error* error)
{
    *out = NULL;
    const pelti_blob file = {(uint8_t*)source->bytes, source->size};
    PELT_TRY(pelti_assimp_check(&file, source->path, error));
    return pelti_assimp_read(out, source, options, error);
}

#else

pelt_result pelti_assimp_check(const pelti_blob* head, const char* path, pelt_error* error)
{
    (void)head;
    return pelt_error_set(
        error, PELT_ERROR_UNSUPPORTED,
        "%s: this build of pelt reads glTF and FBX only; convert it, or build with assimp "
        "(-DPELT_ASSIMP=ON)",
        path);
}

pelt_result pelti_read_assimp(pelt_scene** out, const pelt_source* source,
                              const pelt_load_options* options, pelt_error* error)
{
    (void)options;
    *out = NULL;
    const pelti_blob file = {(uint8_t*)source->bytes, source->size};
    return pelti_assimp_check(&file, source->path, error);
}

pelt_result pelti_assimp_read(pelt_scene** out, const pelt_source* source,
                              const pelt_load_options* options, pelt_error* error)
{
    return pelti_read_assimp(out, source, options, error);
}

#endif
