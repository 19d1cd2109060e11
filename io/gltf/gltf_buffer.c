// SPDX-License-Identifier: MIT
// Buffers and buffer views: where the bytes of a glTF are. Each is found when first asked for, so
// that what nobody uses (pictures, fallbacks of compressed views) is neither read nor checked.
#include "gltf_read.h"

#include <string.h>

// A file that several buffers may name is read once, and brings its own share of what the scene may
// take once.
static pelt_result add_file(pelti_gltf_file** out, pelti_gltf* g, const pelti_gltf_file* file)
{
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc_scratch(&memory, g, 1, sizeof **out);
    if (result != PELT_OK)
    {
        return result;
    }
    *out = memory;
    **out = *file;
    (*out)->next = g->files;
    g->files = *out;
    pelti_load_grow(&g->budget, file->blob.size);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Files of the caller

static pelt_result load_named(pelti_gltf_bytes* out, pelti_gltf* g, const char* uri,
                              const pelti_place* at)
{
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc_scratch(&memory, g, strlen(uri) + 1, 1);
    if (result != PELT_OK)
    {
        return result;
    }
    char* name = strcpy(memory, uri);
    pelti_uri_unescape(name);
    pelti_gltf_file* file = g->files;
    while (file != NULL && strcmp(file->name, name) != 0)
    {
        file = file->next;
    }
    if (file == NULL)
    {
        pelti_gltf_file read = {.name = name};
        pelt_error reason = {{0}};
        result = pelti_files_read(&read.blob, g->source, name, &reason);
        if (result != PELT_OK)
        {
            return result == PELT_ERROR_MEMORY ? pelt_error_memory(g->error)
                   : result == PELT_ERROR_DATA
                       ? pelti_gltf_fail(g, at, "%s", reason.message)
                       : pelt_error_set(g->error, result, "%s: %s", g->path, reason.message);
        }
        result = add_file(&file, g, &read);
        if (result != PELT_OK)
        {
            pelti_blob_release(&read.blob);
            return result;
        }
    }
    *out = (pelti_gltf_bytes){.data = file->blob.data, .size = file->blob.size};
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Files on the disk

static pelt_result load_file(pelti_gltf_bytes* out, pelti_gltf* g, const char* uri,
                             const pelti_place* at)
{
    char* path = NULL;
    pelti_input input;
    pelt_result result = pelti_uri_path(&path, g, uri, at);
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_input_open(&input, path, PELTI_INPUT_REGULAR, g->error);
    pelt_release(path);
    if (result != PELT_OK)
    {
        return result;
    }
    pelti_gltf_file* file = g->files;
    while (file != NULL && (file->device != input.device || file->number != input.number))
    {
        file = file->next;
    }
    if (file == NULL)
    {
        result = pelti_input_read(&input, SIZE_MAX, g->error);
        if (result == PELT_OK)
        {
            const pelti_gltf_file read = {
                .device = input.device, .number = input.number, .blob = input.blob};
            result = add_file(&file, g, &read);
        }
        if (result == PELT_OK)
        {
            input.blob = (pelti_blob){0}; // it belongs to the list now
        }
    }
    pelti_input_close(&input);
    if (result == PELT_OK)
    {
        *out = (pelti_gltf_bytes){.data = file->blob.data, .size = file->blob.size};
    }
    return result;
}

static pelt_result find_bytes(pelti_gltf_bytes* out, pelti_gltf* g, uint32_t index,
                              const pelti_place* at)
{
    const char* uri = NULL;
    const pelti_json* buffer = pelti_gltf_item(g, PELTI_GLTF_BUFFERS, index);
    pelt_result result = pelti_gltf_get_string(&uri, g, buffer, "uri", at);
    if (result != PELT_OK)
    {
        return result;
    }
    pelti_place here = pelti_place_member(at, "uri");
    if (uri != NULL && pelti_uri_is_data(uri))
    {
        pelti_blob blob = {0};
        result = pelti_uri_decode(&blob, g, uri, &here);
        *out = (pelti_gltf_bytes){.data = blob.data, .size = blob.size, .owned = blob.data};
        return result;
    }
    if (uri != NULL)
    {
        return g->source->files != NULL ? load_named(out, g, uri, &here)
                                        : load_file(out, g, uri, &here);
    }
    if (index != 0 || g->bin == NULL)
    {
        return pelti_gltf_fail(g, at, "it has no uri, and %s",
                               index != 0 ? "only buffer 0 may be the binary chunk"
                                          : "the file has no binary chunk");
    }
    *out = (pelti_gltf_bytes){.data = g->bin, .size = g->bin_size};
    return PELT_OK;
}

static pelt_result read_buffer(const pelti_gltf_bytes** out, pelti_gltf* g, uint32_t index)
{
    pelti_gltf_bytes* buffer = &g->buffers[index];
    *out = buffer;
    if (buffer->data != NULL)
    {
        return PELT_OK;
    }
    pelti_place list = {.member = "buffers"}, at = pelti_place_index(&list, index);
    size_t size = 0;
    pelti_gltf_bytes bytes = {0};
    pelt_result result = pelti_gltf_get_size(
        &size, g, pelti_gltf_item(g, PELTI_GLTF_BUFFERS, index), "byteLength", &at);
    if (result == PELT_OK)
    {
        result = find_bytes(&bytes, g, index, &at);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    if (bytes.size < size)
    {
        pelt_release(bytes.owned);
        return pelti_gltf_fail(g, &at, "its byteLength is %zu, but there are only %zu bytes", size,
                               bytes.size);
    }
    bytes.size = size;
    *buffer = bytes;
    return PELT_OK;
}

static pelt_result slice_buffer(pelti_gltf_bytes* out, pelti_gltf* g, const pelti_json* view,
                                const pelti_place* at)
{
    uint32_t index = PELT_NONE;
    size_t offset = 0;
    const pelti_gltf_bytes* buffer = NULL;
    pelt_result result = pelti_gltf_get_index(&index, g, PELTI_GLTF_BUFFERS, view, "buffer", at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_size(&offset, g, view, "byteOffset", at);
    }
    if (result == PELT_OK)
    {
        result = index != PELT_NONE ? read_buffer(&buffer, g, index)
                                    : pelti_gltf_fail(g, at, "it names no buffer");
    }
    if (result != PELT_OK)
    {
        return result;
    }
    if (offset > buffer->size || out->size > buffer->size - offset)
    {
        return pelti_gltf_fail(g, at,
                               "%zu bytes from byte %zu on are not in buffer %u of %zu bytes",
                               out->size, offset, index, buffer->size);
    }
    out->data = buffer->data + offset;
    return PELT_OK;
}

pelt_result pelti_gltf_slice(const uint8_t** out, size_t* size, pelti_gltf* g,
                             const pelti_json* object, const pelti_place* at)
{
    pelti_gltf_bytes bytes = {0};
    pelt_result result = pelti_gltf_get_size(&bytes.size, g, object, "byteLength", at);
    if (result == PELT_OK)
    {
        result = slice_buffer(&bytes, g, object, at);
    }
    *out = bytes.data;
    *size = bytes.size;
    return result;
}

// A compressed view has its own slice of another buffer, and the plain one may not exist.
static pelt_result open_view(pelti_gltf_bytes* out, pelti_gltf* g, const pelti_json* view,
                             const pelti_place* at)
{
    static const char* const names[] = {"KHR_meshopt_compression", "EXT_meshopt_compression"};
    for (size_t i = 0; i < 2; ++i)
    {
        const pelti_json* extension = pelti_gltf_extension(view, names[i]);
        if (extension != NULL)
        {
            pelti_place outer = pelti_place_member(at, "extensions");
            pelti_place here = pelti_place_member(&outer, names[i]);
            return pelti_gltf_decompress(out, g, extension, &here);
        }
    }
    return slice_buffer(out, g, view, at);
}

pelt_result pelti_gltf_view(const pelti_gltf_bytes** out, pelti_gltf* g, uint32_t index)
{
    pelti_gltf_bytes* view = &g->views[index];
    *out = view;
    if (view->data != NULL)
    {
        return PELT_OK;
    }
    pelti_place list = {.member = "bufferViews"}, at = pelti_place_index(&list, index);
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_BUFFER_VIEWS, index);
    pelti_gltf_bytes bytes = {0};
    pelt_result result = pelti_gltf_get_size(&bytes.size, g, json, "byteLength", &at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_size(&bytes.stride, g, json, "byteStride", &at);
    }
    if (result == PELT_OK)
    {
        result = open_view(&bytes, g, json, &at);
    }
    if (result == PELT_OK)
    {
        *view = bytes;
    }
    return result;
}

void pelti_gltf_release_buffers(pelti_gltf* g)
{
    for (uint32_t i = 0; g->views != NULL && i < g->lists[PELTI_GLTF_BUFFER_VIEWS].count; ++i)
    {
        pelt_release(g->views[i].owned);
    }
    for (uint32_t i = 0; g->buffers != NULL && i < g->lists[PELTI_GLTF_BUFFERS].count; ++i)
    {
        pelt_release(g->buffers[i].owned);
    }
    for (pelti_gltf_file* file = g->files; file != NULL; file = file->next)
    {
        pelti_blob_release(&file->blob);
    }
}
