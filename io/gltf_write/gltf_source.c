// SPDX-License-Identifier: MIT
// A glTF file to be copied: container, JSON, and the files that it names.
#include "gltf_additions.h"

#include "../gltf/gltf_read.h"
#include "../json/json_tree.h"
#include "../name_list.h"
#include "../readers.h"

#include <string.h>

enum
{
    GLB_HEADER_SIZE = 12,
    CHUNK_HEADER_SIZE = 8,
    GLB_JSON = 0x4e4f534a,
    GLB_BINARY = 0x004e4942,
};

typedef struct glb_chunk
{
    uint32_t type;
    const uint8_t* data;
    size_t size;
} glb_chunk;

static uint32_t read_word(const uint8_t* p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static pelt_result cut_off(const pelti_gltf_source* source, pelt_error* error)
{
    return pelt_error_set(error, PELT_ERROR_DATA, "%s: this GLB file is cut off or damaged",
                          source->path);
}

// Keep an unknown chunk: glTF allows further chunks.
static void keep_chunk(pelti_blob* chunks, const glb_chunk* chunk)
{
    size_t size = CHUNK_HEADER_SIZE + chunk->size;
    memcpy(chunks->data + chunks->size, chunk->data - CHUNK_HEADER_SIZE, size);
    chunks->size += size;
}

static bool next_chunk(glb_chunk* out, const uint8_t** cursor, const uint8_t* end)
{
    if (end - *cursor < CHUNK_HEADER_SIZE)
    {
        return false;
    }
    *out = (glb_chunk){.type = read_word(*cursor + 4),
                       .data = *cursor + CHUNK_HEADER_SIZE,
                       .size = read_word(*cursor)};
    if (out->size > (size_t)(end - out->data))
    {
        return false;
    }
    *cursor = out->data + out->size;
    return true;
}

static pelt_result open_glb(glb_chunk* json, pelti_gltf_source* source, const pelt_source* file,
                            pelt_error* error)
{
    const uint8_t* bytes = file->bytes;
    size_t length = file->size >= GLB_HEADER_SIZE ? read_word(bytes + 8) : 0;
    if (length < GLB_HEADER_SIZE || length > file->size || read_word(bytes + 4) != 2)
    {
        return cut_off(source, error);
    }
    source->chunks.data = pelt_allocate(length, 1);
    if (source->chunks.data == NULL)
    {
        return pelt_error_memory(error);
    }
    const uint8_t *cursor = bytes + GLB_HEADER_SIZE, *end = bytes + length;
    while (cursor < end)
    {
        glb_chunk chunk;
        if (!next_chunk(&chunk, &cursor, end))
        {
            return cut_off(source, error);
        }
        if (chunk.type == GLB_JSON && json->data == NULL)
        {
            *json = chunk;
        }
        else if (chunk.type == GLB_BINARY && source->bin == NULL)
        {
            source->bin = chunk.data;
            source->bin_size = chunk.size;
        }
        else
        {
            keep_chunk(&source->chunks, &chunk);
        }
    }
    return json->data != NULL ? PELT_OK : cut_off(source, error);
}

// ---------------------------------------------------------------------------------------------
// JSON

static pelt_result parse(pelti_gltf_source* source, glb_chunk text, pelt_error* error)
{
    if (text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0)
    {
        text.data += 3;
        text.size -= 3;
    }
    // Chunks are padded with spaces; some writers use zeros.
    while (text.size > 0 && text.data[text.size - 1] == 0)
    {
        text.size--;
    }
    pelti_json_text json = {
        .name = source->path, .bytes = (const char*)text.data, .size = text.size};
    PELT_TRY(pelti_json_tree(&source->root, &json, error));
    if (!json_is_object(source->root))
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "%s: the JSON must be an object",
                              source->path);
    }
    return PELT_OK;
}

static pelt_result check_list(const pelti_gltf_source* source, const json_t* owner,
                              const char* name, pelt_error* error)
{
    json_t* list = json_object_get(owner, name);
    bool is_good = list == NULL || json_is_array(list);
    for (size_t i = 0; i < json_array_size(list) && is_good; ++i)
    {
        is_good = json_is_object(json_array_get(list, i));
    }
    return is_good ? PELT_OK
                   : pelt_error_set(error, PELT_ERROR_DATA, "%s: %s must be an array of objects",
                                    source->path, name);
}

static pelt_result check_lists(const pelti_gltf_source* source, pelt_error* error)
{
    static const char* const names[] = {"accessors", "bufferViews", "buffers", "images", "meshes"};
    pelt_result result = PELT_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && result == PELT_OK; ++i)
    {
        result = check_list(source, source->root, names[i], error);
    }
    json_t* meshes = json_object_get(source->root, "meshes");
    for (size_t i = 0; i < json_array_size(meshes) && result == PELT_OK; ++i)
    {
        result = check_list(source, json_array_get(meshes, i), "primitives", error);
    }
    return result;
}

pelt_result pelti_gltf_source_open(pelti_gltf_source* out, const pelt_source* file,
                                   pelt_error* error)
{
    *out = (pelti_gltf_source){.path = file->path, .file = file};
    pelt_result result = PELT_OK;
    glb_chunk json = {.data = file->bytes, .size = file->size};
    out->is_glb = file->size >= 4 && memcmp(file->bytes, "glTF", 4) == 0;
    if (out->is_glb)
    {
        json = (glb_chunk){0};
        result = open_glb(&json, out, file, error);
    }
    if (result == PELT_OK)
    {
        result = parse(out, json, error);
    }
    if (result == PELT_OK)
    {
        result = check_lists(out, error);
    }
    if (result != PELT_OK)
    {
        pelti_gltf_source_close(out);
    }
    return result;
}

void pelti_gltf_source_close(pelti_gltf_source* source)
{
    json_decref(source->root);
    pelti_blob_release(&source->chunks);
    *source = (pelti_gltf_source){0};
}

// ---------------------------------------------------------------------------------------------
// What URIs name

static pelt_result read_named(pelti_blob* out, const pelti_gltf_source* source, const char* uri,
                              pelt_error* error)
{
    char* name = pelt_allocate(strlen(uri) + 1, 1);
    if (name == NULL)
    {
        return pelt_error_memory(error);
    }
    strcpy(name, uri);
    pelti_uri_unescape(name);
    pelt_result result = pelti_files_read(out, source->file, name, error);
    pelt_release(name);
    return result;
}

static pelt_result read_uri(pelti_blob* out, const pelti_gltf_source* source, const char* uri,
                            const pelti_json_path* at, pelt_error* error)
{
    pelti_gltf reader = {.path = source->path, .error = error};
    if (pelti_uri_is_data(uri))
    {
        return pelti_uri_decode(out, &reader, uri, at);
    }
    if (source->file->files != NULL)
    {
        return read_named(out, source, uri, error);
    }
    char* path = NULL;
    pelt_result result = pelti_uri_path(&path, &reader, uri, at);
    if (result == PELT_OK)
    {
        result = pelti_blob_read(out, path, error);
        pelt_release(path);
    }
    return result;
}

pelt_result pelti_gltf_source_buffer(pelti_blob* out, const pelti_gltf_source* source,
                                     uint32_t index, pelt_error* error)
{
    json_t* buffer = json_array_get(json_object_get(source->root, "buffers"), index);
    pelti_json_path list = pelti_json_member(NULL, "buffers"),
                    at = pelti_json_element(&list, index);
    json_int_t length = json_integer_value(json_object_get(buffer, "byteLength"));
    PELT_TRY(read_uri(out, source, json_string_value(json_object_get(buffer, "uri")), &at, error));
    if (length < 1 || (uint64_t)length > out->size)
    {
        size_t size = out->size;
        pelti_blob_release(out);
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "%s: buffer %u should have %lld bytes and has %zu", source->path,
                              index, (long long)length, size);
    }
    out->size = (size_t)length;
    return PELT_OK;
}

static bool is_file(const json_t* uri)
{
    return json_is_string(uri) && !pelti_uri_is_data(json_string_value(uri));
}

static pelt_result set_data_uri(json_t* owner, const char* type, pelti_blob* blob,
                                pelt_error* error)
{
    bool is_set =
        json_object_set_new(owner, "uri", pelti_gltf_data_uri(type, blob->data, blob->size)) == 0;
    pelti_blob_release(blob);
    return is_set ? PELT_OK : pelt_error_memory(error);
}

static pelt_result embed_image(pelti_gltf_document* document, const pelti_gltf_source* source,
                               pelti_gltf_home home, json_t* image, pelt_error* error)
{
    const char* uri = json_string_value(json_object_get(image, "uri"));
    pelti_blob blob = {0};
    pelt_error reason = {{0}};
    pelt_result result = read_uri(&blob, source, uri, NULL, &reason);
    if (result == PELT_ERROR_MEMORY)
    {
        return pelt_error_memory(error);
    }
    // Without this check, any file that is called an image would be copied into the output.
    const char* type = result == PELT_OK ? pelt_image_type(blob.data, blob.size) : NULL;
    if (type == NULL)
    {
        pelt_log(PELT_LOG_WARNING, "%s: the image \"%.100s\" is not copied and stays a name: %s",
                 source->path, uri, result == PELT_OK ? "its file is no picture" : reason.message);
        pelti_blob_release(&blob);
        return PELT_OK;
    }
    if (home != PELTI_GLTF_HOME_CHUNK)
    {
        return set_data_uri(image, type, &blob, error);
    }
    uint32_t view = pelti_gltf_add_view(document, blob.data, blob.size);
    json_object_del(image, "uri");
    pelti_gltf_set(document, image, "bufferView", json_integer(view));
    pelti_gltf_set(document, image, "mimeType", json_string(type));
    pelti_blob_release(&blob);
    return PELT_OK;
}

static pelt_result embed_buffer(const pelti_gltf_source* source, uint32_t index, pelt_error* error)
{
    json_t* buffer = json_array_get(json_object_get(source->root, "buffers"), index);
    pelti_blob blob = {0};
    PELT_TRY(pelti_gltf_source_buffer(&blob, source, index, error));
    return set_data_uri(buffer, "application/octet-stream", &blob, error);
}

bool pelti_gltf_source_has_files(const pelti_gltf_source* source)
{
    static const char* const lists[] = {"buffers", "images"};
    bool has_files = false;
    for (size_t k = 0; k < 2; ++k)
    {
        json_t* list = json_object_get(source->root, lists[k]);
        for (size_t i = 0; i < json_array_size(list); ++i)
        {
            has_files = has_files || is_file(json_object_get(json_array_get(list, i), "uri"));
        }
    }
    return has_files;
}

// Each file once, for any number of images that name it.
// @param has_data  images that are data URIs go into the chunk, too
static pelt_result embed_images(pelti_gltf_document* document, const pelti_gltf_source* source,
                                pelti_gltf_home home, bool has_data, pelt_error* error)
{
    json_t* images = json_object_get(source->root, "images");
    uint32_t count = (uint32_t)json_array_size(images);
    char** uris = pelt_allocate((size_t)count + 1, sizeof *uris);
    pelti_name_list names = {0};
    pelt_arena* arena = pelt_arena_create();
    bool is_ok = uris != NULL && arena != NULL;
    for (uint32_t i = 0; i < count && is_ok; ++i)
    {
        json_t* uri = json_object_get(json_array_get(images, i), "uri");
        bool is_read = is_file(uri) || (has_data && json_is_string(uri));
        uris[i] = pelt_arena_string(arena, is_read ? json_string_value(uri) : "");
        is_ok = uris[i] != NULL;
    }
    is_ok = is_ok && pelti_name_list_create(&names, (const char* const*)uris, sizeof *uris,
                                            count) == PELT_OK;
    pelt_result result = is_ok ? PELT_OK : pelt_error_memory(error);
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        json_t* image = json_array_get(images, i);
        uint32_t first = uris[i][0] != '\0' ? pelti_name_list_find(&names, uris[i]) : i;
        json_t* same = json_array_get(images, first);
        if (uris[i][0] == '\0')
        {
            continue;
        }
        if (first == i)
        {
            result = embed_image(document, source, home, image, error);
        }
        else if (json_object_get(same, "bufferView") != NULL)
        {
            json_object_del(image, "uri");
            pelti_gltf_set(document, image, "bufferView",
                           json_copy(json_object_get(same, "bufferView")));
            pelti_gltf_set(document, image, "mimeType",
                           json_copy(json_object_get(same, "mimeType")));
        }
        else
        {
            pelti_gltf_set(document, image, "uri", json_copy(json_object_get(same, "uri")));
        }
    }
    pelti_name_list_destroy(&names);
    pelt_arena_destroy(arena);
    pelt_release(uris);
    return result;
}

pelt_result pelti_gltf_source_embed(pelti_gltf_document* document, const pelti_gltf_source* source,
                                    pelti_gltf_home home, bool is_one_chunk, pelt_error* error)
{
    json_t* buffers = json_object_get(document->root, "buffers");
    for (uint32_t i = 0; i < json_array_size(buffers); ++i)
    {
        json_t* uri = json_object_get(json_array_get(buffers, i), "uri");
        if (i != document->buffer && is_file(uri))
        {
            PELT_TRY(embed_buffer(source, i, error));
        }
    }
    return embed_images(document, source, home, is_one_chunk && home == PELTI_GLTF_HOME_CHUNK,
                        error);
}
