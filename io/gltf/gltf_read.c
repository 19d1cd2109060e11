// SPDX-License-Identifier: MIT
// glTF 2.0 to a scene: the container, the JSON, its version and extensions, then the steps of
// gltf_read.h in their order.
#include "gltf_read.h"
#include "../readers.h"

#include <stdlib.h>
#include <string.h>

typedef struct span
{
    const uint8_t* data;
    size_t size;
} span;

// ---------------------------------------------------------------------------------------------
// Container

enum
{
    GLB_HEADER = 12,
    GLB_CHUNK_HEADER = 8,
    GLB_JSON = 0x4E4F534A,
    GLB_BIN = 0x004E4942,
};

static uint32_t load_u32(const uint8_t* p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static pelt_result check_header(size_t* end, pelti_gltf* g, const pelti_blob* file)
{
    if (file->size < GLB_HEADER)
    {
        return pelti_gltf_fail(g, NULL, "this GLB file ends after %zu bytes, inside its header",
                               file->size);
    }
    uint32_t version = load_u32(file->data + 4), length = load_u32(file->data + 8);
    if (version != 2)
    {
        return pelti_gltf_fail(g, NULL, "this GLB file has version %u; pelt reads version 2",
                               version);
    }
    if (length > file->size)
    {
        return pelti_gltf_fail(g, NULL,
                               "this GLB file is cut off: it has %zu bytes and should have %u",
                               file->size, length);
    }
    if (length < GLB_HEADER)
    {
        return pelti_gltf_fail(g, NULL, "this GLB file claims a length of %u bytes", length);
    }
    *end = length;
    return length == file->size
               ? PELT_OK
               : pelti_gltf_repair_add(g, "ignored %zu %s after the end of the GLB file",
                                       file->size - length,
                                       pelti_plural(file->size - length, "byte", "bytes"));
}

static pelt_result next_chunk(span* out, uint32_t* type, size_t* offset, pelti_gltf* g,
                              const uint8_t* data, size_t end)
{
    if (end - *offset < GLB_CHUNK_HEADER)
    {
        return pelti_gltf_fail(g, NULL, "the GLB chunk at byte %zu is cut off", *offset);
    }
    uint32_t size = load_u32(data + *offset);
    *type = load_u32(data + *offset + 4);
    size_t start = *offset + GLB_CHUNK_HEADER;
    if (size > end - start)
    {
        return pelti_gltf_fail(g, NULL, "the GLB chunk at byte %zu has %u bytes, %zu are left",
                               *offset, size, end - start);
    }
    *out = (span){data + start, size};
    *offset = start + size;
    return PELT_OK;
}

static pelt_result open_glb(span* json, pelti_gltf* g, const pelti_blob* file)
{
    size_t offset = GLB_HEADER, end = 0;
    pelt_result result = check_header(&end, g, file);
    bool is_first = true, is_swapped = false;
    while (result == PELT_OK && offset < end)
    {
        span chunk = {0};
        uint32_t type = 0;
        result = next_chunk(&chunk, &type, &offset, g, file->data, end);
        if (result == PELT_OK && type == GLB_JSON && json->data == NULL)
        {
            *json = chunk;
            is_swapped = !is_first;
        }
        if (result == PELT_OK && type == GLB_BIN && g->bin == NULL)
        {
            g->bin = chunk.data;
            g->bin_size = chunk.size;
        }
        is_first = false;
    }
    if (result == PELT_OK && json->data == NULL)
    {
        return pelti_gltf_fail(g, NULL, "this GLB file has no JSON chunk");
    }
    return result == PELT_OK && is_swapped
               ? pelti_gltf_repair_add(g, "the JSON chunk is not the first of the GLB file")
               : result;
}

// ---------------------------------------------------------------------------------------------
// JSON

static pelt_result fail_text(pelti_gltf* g, span text, const pelti_json_failure* failure)
{
    pelti_json_position at = pelti_json_position_of((const char*)text.data, failure->offset);
    return pelti_gltf_fail(g, NULL, "%s at line %zu, column %zu of the JSON", failure->wrong,
                           at.line, at.column);
}

pelt_result pelti_gltf_parse(pelti_gltf* g, const pelti_blob* json)
{
    span text = {json->data, json->size};
    if (text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0)
    {
        text = (span){text.data + 3, text.size - 3};
    }
    // Chunks are padded with spaces; some writers use zeros.
    while (text.size > 0 && text.data[text.size - 1] == 0)
    {
        text.size--;
    }
    if (text.size == 0)
    {
        return pelti_gltf_fail(g, NULL, "there is nothing in it");
    }
    pelti_json_failure failure;
    g->root = pelti_json_parse((const char*)text.data, text.size, g->budget.limits.depth,
                               g->scratch, &failure);
    if (g->root == NULL)
    {
        return failure.wrong == NULL ? pelt_error_memory(g->error) : fail_text(g, text, &failure);
    }
    return pelti_json_is(g->root, PELTI_JSON_OBJECT)
               ? PELT_OK
               : pelti_gltf_fail(g, NULL, "the JSON must be an object");
}

static pelt_result check_version(pelti_gltf* g)
{
    pelti_json_path root = {.member = "asset"};
    const pelti_json* asset = NULL;
    const char *version = NULL, *least = NULL;
    pelt_result result = pelti_gltf_get_object(&asset, g, g->root, "asset", NULL);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_string(&version, g, asset, "version", &root);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_string(&least, g, asset, "minVersion", &root);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    if (version == NULL)
    {
        return pelti_gltf_fail(g, &root, "there is no version: this is no glTF file");
    }
    if (strncmp(version, "2.", 2) != 0 || (least != NULL && strcmp(least, "2.0") != 0))
    {
        return pelti_gltf_fail(g, &root, "pelt reads glTF 2.0, not version %.20s%s",
                               least ? least : version,
                               version[0] == '1' ? "; \"gltf-pipeline -i old.gltf -o new.glb\" "
                                                   "converts it"
                                                 : "");
    }
    return PELT_OK;
}

static pelt_result find_lists(pelti_gltf* g)
{
    for (pelti_gltf_kind kind = 0; kind < PELTI_GLTF_KIND_COUNT; ++kind)
    {
        pelti_gltf_list* list = &g->lists[kind];
        pelti_json_path at = {.member = pelti_gltf_kind_name(kind)};
        PELT_TRY(pelti_gltf_get_array(&list->array, g, g->root, at.member, NULL));
        size_t count = pelti_json_size(list->array);
        // Such a list would take gigabytes of text; indices have 32 bits and the last one means
        // "none".
        if (count >= UINT32_MAX / 4)
        {
            return pelti_gltf_fail(g, &at, "%zu elements are more than pelt can count", count);
        }
        list->count = (uint32_t)count;
        for (uint32_t i = 0; i < list->count; ++i)
        {
            pelti_json_path element = pelti_json_element(&at, i);
            if (!pelti_json_is(pelti_json_at(list->array, i), PELTI_JSON_OBJECT))
            {
                return pelti_gltf_fail(g, &element, "this must be an object");
            }
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Extensions

// Extensions that do not change the positions of vertices: appearance, sound, notes, and those that
// the reader supports. Names that end with '_' represent all names that begin so.
static const char* const known_extensions[] = {
    PELTI_GLTF_DRACO,
    "KHR_mesh_quantization",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_animation_pointer",
    "KHR_texture_",
    "KHR_materials_",
    "KHR_lights_",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "KHR_audio_",
    "KHR_node_visibility",
    "EXT_texture_",
    "EXT_lights_",
    "EXT_mesh_features",
    "EXT_structural_metadata",
    "MSFT_texture_dds",
    "MSFT_packing_",
    "ADOBE_materials_",
    "GOOGLE_texture_basis",
    "FB_materials_",
    "VRM",
    "VRMC_",
};

static bool is_known(const char* name)
{
    for (size_t i = 0; i < sizeof known_extensions / sizeof known_extensions[0]; ++i)
    {
        const char* known = known_extensions[i];
        size_t length = strlen(known);
        bool is_family = known[length - 1] == '_';
        if (strncmp(name, known, length) == 0 && (is_family || name[length] == '\0'))
        {
            return true;
        }
    }
    return false;
}

static pelt_result check_extensions(pelti_gltf* g)
{
    const pelti_json* required = NULL;
    pelti_json_path at = {.member = "extensionsRequired"};
    pelt_result result = pelti_gltf_get_array(&required, g, g->root, at.member, NULL);
    for (size_t i = 0; i < pelti_json_size(required) && result == PELT_OK; ++i)
    {
        const char* name = pelti_json_string(pelti_json_at(required, i));
        pelti_json_path element = pelti_json_element(&at, i);
        if (name == NULL)
        {
            result = pelti_gltf_fail(g, &element, "this must be a string");
        }
        else if (strcmp(name, PELTI_GLTF_DRACO) == 0 && !pelti_gltf_has_draco)
        {
            result = pelti_gltf_fail_draco(g, &element);
        }
        else if (!is_known(name))
        {
            pelti_gltf_fail(g, &element,
                            "the file cannot be read without %.60s, which pelt does "
                            "not know",
                            name);
            result = PELT_ERROR_UNSUPPORTED;
        }
    }
    return result;
}

pelt_result pelti_gltf_fail_draco(pelti_gltf* g, const pelti_json_path* at)
{
    pelti_gltf_fail(
        g, at,
        "this build of pelt does not read Draco compression; \"npx @gltf-transform/cli copy IN.glb "
        "OUT.glb\" removes it");
    return PELT_ERROR_UNSUPPORTED;
}

pelt_result pelti_gltf_open(pelti_gltf* g, const pelti_blob* file)
{
    span json = {0};
    pelt_result result = PELT_OK;
    if (file->size >= 4 && memcmp(file->data, "glTF", 4) == 0)
    {
        result = open_glb(&json, g, file);
    }
    else
    {
        json = (span){file->data, file->size};
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_parse(g, &(pelti_blob){(uint8_t*)json.data, json.size});
    }
    if (result == PELT_OK)
    {
        result = check_version(g);
    }
    if (result == PELT_OK)
    {
        result = check_extensions(g);
    }
    return result == PELT_OK ? find_lists(g) : result;
}

// ---------------------------------------------------------------------------------------------
static pelt_result name_scene(pelti_gltf* g)
{
    uint32_t scene = 0;
    pelti_json_path list = {.member = "scenes"};
    const char* name = NULL;
    pelt_result result = pelti_gltf_get_index(&scene, g, PELTI_GLTF_SCENES, g->root, "scene", NULL);
    pelti_json_path at = pelti_json_element(&list, scene);
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

// The results for the lists of the file.
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
    // The caller has read the file before, within any limits.
    const pelt_load_options options = {
        .limits = {.memory = SIZE_MAX, .elements = UINT64_MAX, .depth = 1024}};
    pelti_load_start(&g->budget, &options, file->size);
    g->arena = pelt_arena_create();
    g->scratch = pelt_arena_create();
    if (g->arena == NULL || g->scratch == NULL)
    {
        return pelt_error_memory(g->error);
    }
    PELT_TRY(pelti_gltf_open(g, file));
    return make_tables(g);
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
                                                           pelti_gltf_read_helpers,
                                                           pelti_gltf_read_skins,
                                                           pelti_gltf_read_materials,
                                                           pelti_gltf_read_meshes,
                                                           pelti_gltf_read_instances,
                                                           pelti_gltf_read_clips,
                                                           pelti_gltf_list_losses,
                                                           pelti_gltf_check,
                                                           list_repairs};
    const size_t step_count = sizeof steps / sizeof steps[0];
    PELT_TRY(pelti_gltf_open(g, file));
    for (size_t i = 0; i < step_count; ++i)
    {
        float part = (float)(i + 1) / (float)(step_count + 1);
        PELT_TRY(pelti_load_progress(&g->budget, part, g->path, g->error));
        PELT_TRY(steps[i](g));
    }
    return PELT_OK;
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
    PELT_TRY(read_into(&g, &file));
    g.scene->arena = g.arena;
    *out = g.scene;
    return PELT_OK;
}
