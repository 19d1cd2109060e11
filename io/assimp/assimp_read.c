// SPDX-License-Identifier: MIT
// Reads Collada, X, MD5, BVH and the other formats of assimp as a scene in meters.
#include "../readers.h"

#ifdef PELT_WITH_ASSIMP

#include "../load_report.h"
#include "assimp_scene.h"

#include <assimp/cimport.h>
#include <assimp/material.h>
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
    // One message for all: in a text file, rounding shears every node.
    return a->sheared_count == 0
               ? PELT_OK
               : pelti_assimp_repair(
                     a, "split %u sheared %s into two each, the first %s", a->sheared_count,
                     pelti_plural(a->sheared_count, "node", "nodes"), a->first_sheared);
}

// ---------------------------------------------------------------------------------------------
// Parts of a file that a scene cannot hold

static uint32_t count_textures(const struct aiMaterial* material, enum aiTextureType type)
{
    return aiGetMaterialTextureCount(material, type);
}

// Height maps are what OBJ and Collada have for relief. The first base color is kept, and its
// alpha with it.
static void count_material(pelti_loss* normals, pelti_loss* others, const pelt_material* kept,
                           const struct aiMaterial* material)
{
    uint32_t relief = count_textures(material, aiTextureType_NORMALS) +
                      count_textures(material, aiTextureType_HEIGHT) +
                      count_textures(material, aiTextureType_NORMAL_CAMERA);
    uint32_t all = 0;
    for (int type = aiTextureType_DIFFUSE; type <= AI_TEXTURE_TYPE_MAX; ++type)
    {
        bool is_kept = type == aiTextureType_OPACITY && kept->alpha_mode == PELT_ALPHA_BLEND;
        all += is_kept ? 0 : count_textures(material, (enum aiTextureType)type);
    }
    all -= kept->textures[PELT_SLOT_BASE_COLOR].image != NULL && all > relief ? 1 : 0;
    normals->count += relief;
    others->count += all - relief;
}

static uint32_t count_further(void* const* sets, uint32_t room)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i < room; ++i)
    {
        count += sets[i] != NULL;
    }
    return count;
}

static pelt_result assimp_list_losses(pelti_assimp* a)
{
    const struct aiScene* source = a->source;
    pelti_loss losses[] = {
        {"normal texture", "normal textures", 0},
        {"texture other than color and normals", "textures other than color and normals", 0},
        {"additional UV set", "additional UV sets", 0},
        {"additional set of vertex colors", "additional sets of vertex colors", 0},
        {"camera", "cameras", source->mNumCameras},
        {"light", "lights", source->mNumLights},
    };
    for (uint32_t i = 0; i < source->mNumMaterials; ++i)
    {
        count_material(&losses[0], &losses[1], &a->scene->materials[i], source->mMaterials[i]);
    }
    for (uint32_t i = 0; i < source->mNumMeshes; ++i)
    {
        const struct aiMesh* mesh = source->mMeshes[i];
        losses[2].count +=
            count_further((void* const*)mesh->mTextureCoords, AI_MAX_NUMBER_OF_TEXTURECOORDS);
        losses[3].count += count_further((void* const*)mesh->mColors, AI_MAX_NUMBER_OF_COLOR_SETS);
    }
    return pelti_losses_add(a->scene, a->arena, losses, sizeof losses / sizeof losses[0])
               ? PELT_OK
               : pelt_error_memory(a->error);
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
        assimp_list_losses,
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
    pelt_release(a->visits);
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
