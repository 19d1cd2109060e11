// SPDX-License-Identifier: MIT
// Write-back: a glTF file again, with new vertex attributes and nothing else changed.
#define _XOPEN_SOURCE 700

#include "gltf_additions.h"

#include "file_write.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// The primitive of a mesh

enum
{
    MODE_TRIANGLES = 4, // what comes before are points and lines
};

// Those that pelt_load() makes a mesh of.
static bool is_counted(const json_t* primitive)
{
    const json_t* mode = json_object_get(primitive, "mode");
    const json_t* attributes = json_object_get(primitive, "attributes");
    return (mode == NULL || json_number_value(mode) >= MODE_TRIANGLES) &&
           json_object_get(attributes, "POSITION") != NULL;
}

static json_t* find_primitive(const json_t* root, uint32_t mesh)
{
    json_t* meshes = json_object_get(root, "meshes");
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(meshes); ++i)
    {
        json_t* primitives = json_object_get(json_array_get(meshes, i), "primitives");
        for (size_t k = 0; k < json_array_size(primitives); ++k)
        {
            json_t* primitive = json_array_get(primitives, k);
            if (is_counted(primitive) && count++ == mesh)
            {
                return primitive;
            }
        }
    }
    return NULL;
}

// 0: unknown
static size_t count_vertices(const json_t* root, const json_t* primitive)
{
    const json_t* position = json_object_get(json_object_get(primitive, "attributes"), "POSITION");
    const json_t* accessors = json_object_get(root, "accessors");
    double index = json_is_number(position) ? json_number_value(position) : -1.0;
    if (!(index >= 0.0 && index < (double)json_array_size(accessors)))
    {
        return 0;
    }
    const json_t* accessor = json_array_get(accessors, (size_t)index);
    double count = json_number_value(json_object_get(accessor, "count"));
    return count >= 1.0 && count < (double)UINT32_MAX ? (size_t)count : 0;
}

static pelt_result add_attribute(pelti_gltf_document* document, const pelti_gltf_source* source,
                                 json_t* primitive, const pelt_addition* addition,
                                 pelt_error* error)
{
    if (addition->name[0] != '_')
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the attribute \"%s\" must begin with '_', as glTF asks",
                              addition->name);
    }
    pelti_gltf_array array = {.data = addition->values,
                              .count = count_vertices(document->root, primitive),
                              .width = addition->width,
                              .component = PELTI_GLTF_FLOAT,
                              .use = PELTI_GLTF_VERTICES};
    if (array.count != addition->vertex_count)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "%s: mesh %u has %zu vertices instead of %u; has the file changed?",
                              source->path, addition->mesh, array.count, addition->vertex_count);
    }
    uint32_t accessor = pelti_gltf_add_array(document, &array);
    pelti_gltf_set(document, json_object_get(primitive, "attributes"), addition->name,
                   json_integer(accessor));
    return PELT_OK;
}

// Members of the file's own extras stay, unless the new ones have their name.
static pelt_result add_extras(pelti_gltf_document* document, const pelti_gltf_source* source,
                              json_t* primitive, const pelt_addition* addition, pelt_error* error)
{
    json_error_t where;
    json_t* extras = json_loads(addition->extras, 0, &where);
    json_t* present = json_object_get(primitive, "extras");
    if (!json_is_object(extras))
    {
        json_decref(extras);
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "%s: the extras for mesh %u are not a JSON object", source->path,
                              addition->mesh);
    }
    if (present != NULL && !json_is_object(present))
    {
        // glTF allows any value; it is not pelt's to change.
        json_decref(extras);
        return PELT_OK;
    }
    if (present == NULL)
    {
        pelti_gltf_set(document, primitive, "extras", extras);
        return PELT_OK;
    }
    int failed = json_object_update(present, extras);
    json_decref(extras);
    return failed ? pelt_error_memory(error) : PELT_OK;
}

static pelt_result add(pelti_gltf_document* document, const pelti_gltf_source* source,
                       const pelt_addition* addition, pelt_error* error)
{
    json_t* primitive = find_primitive(document->root, addition->mesh);
    if (primitive == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "%s: there is no mesh %u", source->path,
                              addition->mesh);
    }
    pelt_result result = PELT_OK;
    if (addition->name != NULL)
    {
        result = add_attribute(document, source, primitive, addition, error);
    }
    if (result == PELT_OK && addition->extras != NULL)
    {
        result = add_extras(document, source, primitive, addition, error);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// The buffer that is added to

// Only the first buffer can be the binary chunk of a GLB. It is, or becomes it; where it can be
// neither, the new data get a buffer of their own.
static pelt_result open_buffer(pelti_gltf_document* document, pelti_gltf_home* home,
                               const pelti_gltf_source* source, pelt_format format,
                               pelt_error* error)
{
    json_t* buffers = json_object_get(source->root, "buffers");
    json_t* first = json_array_get(buffers, 0);
    bool has_uri = json_is_string(json_object_get(first, "uri"));
    *home = format == PELT_FORMAT_GLB ? PELTI_GLTF_HOME_CHUNK : PELTI_GLTF_HOME_URI;
    if (first == NULL)
    {
        return PELT_OK;
    }
    if (!has_uri && source->bin != NULL)
    {
        pelti_gltf_append_bytes(document, source->bin, source->bin_size);
        return PELT_OK;
    }
    if (has_uri && format == PELT_FORMAT_GLB)
    {
        pelti_blob blob = {0};
        pelt_result result = pelti_gltf_source_buffer(&blob, source, 0, error);
        if (result == PELT_OK)
        {
            pelti_gltf_append_bytes(document, blob.data, blob.size);
        }
        pelti_blob_release(&blob);
        return result;
    }
    document->buffer = (uint32_t)json_array_size(buffers);
    *home = PELTI_GLTF_HOME_URI;
    return PELT_OK;
}

// A buffer that did not grow keeps the length that it gave itself.
static void close_buffer(pelti_gltf_document* document, pelti_gltf_target* target,
                         size_t size_before)
{
    json_t* buffers = json_object_get(document->root, "buffers");
    json_t* length =
        json_incref(json_object_get(json_array_get(buffers, document->buffer), "byteLength"));
    target->home = document->size > 0 ? target->home : PELTI_GLTF_HOME_NONE;
    pelti_gltf_close_buffer(document, target);
    if (length != NULL && document->size == size_before)
    {
        json_object_set(json_array_get(buffers, document->buffer), "byteLength", length);
    }
    json_decref(length);
}

// ---------------------------------------------------------------------------------------------
// Where the file goes

static char* folder_of(const char* path)
{
    const char* slash = strrchr(path, '/');
    size_t size = slash == NULL ? 1 : slash == path ? 1 : (size_t)(slash - path);
    char* folder = pelt_allocate(size + 1, 1);
    if (folder != NULL)
    {
        memcpy(folder, slash == NULL ? "." : path, size);
        folder[size] = '\0';
    }
    char* real = folder != NULL ? realpath(folder, NULL) : NULL;
    pelt_release(folder);
    return real;
}

// Names of files in a glTF are relative to its folder.
static bool is_same_folder(const char* a, const char* b)
{
    if (strcmp(a, "-") == 0)
    {
        return false;
    }
    char *folder_a = folder_of(a), *folder_b = folder_of(b);
    bool is_same = folder_a != NULL && folder_b != NULL && strcmp(folder_a, folder_b) == 0;
    free(folder_a);
    free(folder_b);
    return is_same;
}

static pelt_result choose_format(pelt_format* out, const char* path,
                                 const pelti_gltf_source* source, pelt_error* error)
{
    *out = pelt_format_of(path);
    if (strcmp(path, "-") == 0)
    {
        *out = source->is_glb ? PELT_FORMAT_GLB : PELT_FORMAT_GLTF;
    }
    return *out == PELT_FORMAT_GLB || *out == PELT_FORMAT_GLTF
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                "%s: what is added to a glTF file is written as .glb or .gltf",
                                path);
}

static pelt_result write_file(const char* path, const pelti_gltf_document* document,
                              const pelti_gltf_target* target, pelt_error* error)
{
    pelti_file file;
    pelt_result result = pelti_file_open(&file, path, error);
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_gltf_write(file.stream, document, target, error);
    if (result != PELT_OK)
    {
        pelti_file_discard(&file);
        return result;
    }
    return pelti_file_commit(&file, error);
}

// ---------------------------------------------------------------------------------------------

static pelt_result save(const char* path, pelti_gltf_document* document,
                        const pelti_gltf_source* source, const pelt_addition* additions,
                        uint32_t count, pelt_error* error)
{
    pelti_gltf_target target = {.digits = 17};
    pelt_result result = choose_format(&target.format, path, source, error);
    if (result == PELT_OK)
    {
        result = open_buffer(document, &target.home, source, target.format, error);
    }
    size_t size_before = document->size;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = add(document, source, &additions[i], error);
    }
    if (result == PELT_OK && !is_same_folder(path, source->path))
    {
        result = pelti_gltf_source_embed(document, source, target.home, error);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    close_buffer(document, &target, size_before);
    return write_file(path, document, &target, error);
}

pelt_result pelt_save_additions(const char* path, const char* source,
                                const pelt_addition* additions, uint32_t count, pelt_error* error)
{
    PELT_ASSERT(path != NULL && source != NULL && (additions != NULL || count == 0));
    for (uint32_t i = 0; i < count; ++i)
    {
        PELT_ASSERT((additions[i].name == NULL) == (additions[i].values == NULL));
        PELT_ASSERT(additions[i].name == NULL ||
                    (additions[i].width >= 1 && additions[i].width <= 4));
    }

    pelti_gltf_source opened;
    pelt_result result = pelti_gltf_source_open(&opened, source, error);
    if (result != PELT_OK)
    {
        return result;
    }
    pelti_gltf_document document = {.root = json_incref(opened.root),
                                    .chunks = opened.chunks.data,
                                    .chunks_size = opened.chunks.size};
    result = save(path, &document, &opened, additions, count, error);
    pelti_gltf_destroy(&document);
    pelti_gltf_source_close(&opened);
    return result;
}
