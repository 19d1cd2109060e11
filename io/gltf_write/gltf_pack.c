// SPDX-License-Identifier: MIT
// Smaller glTF files: quantized, compressed, and with data that fit the quantized meshes.
#include "gltf_pack.h"

#include "pelt/bounds.h"
#include "pelt/prepare.h"

#include "../readers.h"

#include <string.h>

void pelti_gltf_require(pelti_gltf_document* document, const char* name)
{
    pelti_gltf_list_extension(document, "extensionsUsed", name);
    pelti_gltf_list_extension(document, "extensionsRequired", name);
}

// Draco compression can be removed; views compressed by meshopt are not changed.
static pelt_result check_source(const pelti_gltf_source* source, bool is_quantized,
                                pelt_error* error)
{
    static const char* const compressions[] = {"EXT_meshopt_compression", "KHR_meshopt_compression",
                                               "KHR_draco_mesh_compression"};
    size_t count = is_quantized ? 2 : 3;
    const json_t* used = json_object_get(source->root, "extensionsUsed");
    for (size_t i = 0; i < count * json_array_size(used); ++i)
    {
        const char* name = json_string_value(json_array_get(used, i / count));
        if (name != NULL && strcmp(name, compressions[i % count]) == 0)
        {
            return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                  "%s is compressed already, by %s; take the file that it was "
                                  "made of",
                                  source->path, name);
        }
    }
    return source->is_glb ? PELT_OK
                          : pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                           "%s: only GLB files can be made smaller", source->path);
}

pelt_result pelti_gltf_repack(pelt_source* out, const pelt_source* source,
                              const pelti_gltf_edits* edits, pelt_error* error)
{
    const pelt_source named = pelti_source_named(source);
    pelti_gltf_source opened;
    PELT_TRY(pelti_gltf_source_open(&opened, &named, error));
    pelt_result result = check_source(&opened, edits->run != NULL, error);
    result = result == PELT_OK ? pelti_gltf_copy_to_glb(out, &opened, edits, error) : result;
    pelti_gltf_source_close(&opened);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Prepared data

typedef struct prepared_kinds
{
    bool has_cors, has_mix, has_normals, has_bounds;
    pelt_carrier carrier;
    pelt_scene_normal_options normals;
    pelt_deform_options deform; // of boxes
} prepared_kinds;

static prepared_kinds find_prepared(const pelt_scene* scene)
{
    prepared_kinds out = {0};
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        bool is_carried = mesh->cors != NULL || mesh->mix_factors != NULL;
        out.has_cors |= mesh->cors != NULL;
        out.has_mix |= mesh->mix_factors != NULL;
        out.has_normals |= mesh->normal_factors != NULL;
        out.has_bounds |= mesh->bounds != NULL;
        out.carrier = is_carried ? mesh->carrier : out.carrier;
        if (mesh->normal_factors != NULL)
        {
            out.normals.bits = mesh->normal_factors->bits;
        }
        if (mesh->bounds != NULL)
        {
            out.deform.method = mesh->bounds->method;
        }
    }
    return out;
}

// Factors belong to vertices, whose order has not changed.
static pelt_result copy_factors(pelt_scene* inout, const pelt_scene* from, pelt_arena* arena,
                                pelt_error* error)
{
    pelt_mesh* meshes = pelt_arena_alloc(arena, inout->mesh_count, sizeof *meshes);
    if (meshes == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        meshes[i] = inout->meshes[i];
        meshes[i].mix_factors = from->meshes[i].mix_factors;
        meshes[i].is_mix_computed = from->meshes[i].is_mix_computed;
    }
    inout->meshes = meshes;
    return PELT_OK;
}

static pelt_result prepare(pelt_scene* inout, const pelt_scene* from, const prepared_kinds* kinds,
                           pelt_arena* arena, pelt_error* error)
{
    if (kinds->has_cors)
    {
        PELT_TRY(pelt_scene_add_cors(inout, PELT_PREPARE_ALL, NULL, NULL, arena, error));
    }
    if (kinds->has_normals)
    {
        PELT_TRY(pelt_scene_add_normal_factors(inout, PELT_PREPARE_ALL, &kinds->normals, NULL,
                                               arena, error));
    }
    if (kinds->has_mix)
    {
        PELT_TRY(copy_factors(inout, from, arena, error));
    }
    if (kinds->has_bounds)
    {
        PELT_TRY(pelt_scene_add_bounds(inout, &kinds->deform, NULL, arena, error));
    }
    uint32_t kept = 0;
    bool is_carried = kinds->carrier != PELT_CARRIER_ATTRIBUTES;
    return !is_carried || pelt_scene_set_carrier(inout, &kept, kinds->carrier, arena) == PELT_OK
               ? PELT_OK
               : pelt_error_memory(error);
}

// Write the prepared data of the scene, for the quantized meshes.
static pelt_result add_prepared(pelt_source* inout, const pelt_scene* from,
                                const prepared_kinds* kinds, pelt_error* error)
{
    pelt_source added = {0};
    pelt_scene* read = NULL;
    pelt_arena* arena = pelt_arena_create();
    pelt_result result =
        arena != NULL ? pelt_load_memory(&read, inout, NULL, error) : pelt_error_memory(error);
    if (result == PELT_OK)
    {
        pelt_scene better = *read;
        result = prepare(&better, from, kinds, arena, error);
        result = result == PELT_OK ? pelt_copy_to_glb(&added, inout, read, &better, error) : result;
    }
    if (result == PELT_OK)
    {
        pelt_source_release(inout);
        *inout = added;
    }
    pelt_scene_destroy(read);
    pelt_arena_destroy(arena);
    return result;
}

static pelt_result quantize_file(pelt_source* out, const pelt_source* source,
                                 pelt_pack_report* report, pelt_error* error)
{
    pelt_scene* scene = NULL;
    PELT_TRY(pelt_load_memory(&scene, source, NULL, error));
    prepared_kinds kinds = find_prepared(scene);
    report->has_prepared = kinds.has_cors || kinds.has_mix || kinds.has_normals || kinds.has_bounds;
    pelt_result result = pelti_gltf_quantize(out, source, scene, report, error);
    if (result == PELT_OK && report->has_prepared)
    {
        result = add_prepared(out, scene, &kinds, error);
    }
    pelt_scene_destroy(scene);
    return result;
}

pelt_result pelt_pack_glb(pelt_source* out, const pelt_source* source,
                          const pelt_pack_options* options, pelt_pack_report* report,
                          pelt_error* error)
{
    PELT_ASSERT(out != NULL && source != NULL && options != NULL);
    pelt_pack_report unused;
    report = report != NULL ? report : &unused;
    *report = (pelt_pack_report){.bytes_before = source->size};
    *out = (pelt_source){0};
    pelt_source quantized = {0};
    pelt_result result =
        options->is_quantized ? quantize_file(&quantized, source, report, error) : PELT_OK;
    const pelt_source* last = options->is_quantized ? &quantized : source;
    if (result == PELT_OK && (options->is_compressed || !options->is_quantized))
    {
        const pelti_gltf_edits edits = {.is_self_contained = true,
                                        .is_compressed = options->is_compressed};
        result = pelti_gltf_repack(out, last, &edits, error);
        pelt_source_release(&quantized);
    }
    else if (result == PELT_OK)
    {
        *out = quantized;
    }
    if (result != PELT_OK)
    {
        pelt_source_release(&quantized);
        pelt_source_release(out);
    }
    report->bytes = out->size;
    return result;
}
