// SPDX-License-Identifier: MIT
// Buffers and buffer views, and the URIs that they name. Each is read when first needed, so that
// unused ones (images, fallbacks of compressed views) are neither read nor checked.
#include "../readers.h"
#include "../text_parse.h"
#include "gltf_read.h"

#include <string.h>

bool pelti_uri_is_data(const char* uri)
{
    return strncmp(uri, "data:", 5) == 0;
}

// ---------------------------------------------------------------------------------------------
// Base64

enum
{
    NOT_A_DIGIT = 64,
};

static void fill_digits(uint8_t digits[256])
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    memset(digits, NOT_A_DIGIT, 256);
    for (uint8_t i = 0; i < 64; ++i)
    {
        digits[(uint8_t)alphabet[i]] = i;
    }
    // The variant for file names.
    digits['-'] = 62;
    digits['_'] = 63;
}

// Up to four digits as up to three bytes; returns false for a character that is no digit.
static bool decode_group(uint8_t out[3], const char* text, size_t count, const uint8_t* digits)
{
    uint32_t bits = 0;
    uint8_t seen = 0;
    for (size_t i = 0; i < 4; ++i)
    {
        uint8_t digit = i < count ? digits[(uint8_t)text[i]] : 0;
        seen |= digit;
        bits = bits << 6 | (digit & 63u);
    }
    out[0] = (uint8_t)(bits >> 16);
    out[1] = (uint8_t)(bits >> 8);
    out[2] = (uint8_t)bits;
    return (seen & NOT_A_DIGIT) == 0;
}

static bool decode_base64(uint8_t* out, const char* text, size_t length)
{
    uint8_t digits[256];
    fill_digits(digits);
    bool is_good = length % 4 != 1;
    size_t whole = length / 4 * 4;
    for (size_t i = 0; i < whole && is_good; i += 4, out += 3)
    {
        is_good = decode_group(out, text + i, 4, digits);
    }
    if (is_good && whole < length)
    {
        uint8_t last[3];
        is_good = decode_group(last, text + whole, length - whole, digits);
        memcpy(out, last, length - whole - 1);
    }
    return is_good;
}

pelt_result pelti_uri_decode(pelti_blob* out, pelti_gltf* g, const char* uri,
                             const pelti_json_path* at)
{
    const char* comma = strchr(uri, ',');
    const char* mark = strstr(uri, ";base64,");
    if (comma == NULL || mark == NULL || comma != mark + 7)
    {
        return pelti_gltf_fail(g, at, "this data URI is not base64");
    }
    const char* text = comma + 1;
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '=')
    {
        --length;
    }
    pelti_blob blob = {.size = length / 4 * 3 + (length % 4 > 1 ? length % 4 - 1 : 0)};
    blob.data = pelt_allocate(blob.size + 1, 1);
    if (blob.data == NULL)
    {
        return pelt_error_memory(g->error);
    }
    if (!decode_base64(blob.data, text, length))
    {
        pelti_blob_release(&blob);
        return pelti_gltf_fail(g, at, "this data URI holds characters that are not base64");
    }
    *out = blob;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Files

void pelti_uri_unescape(char* text)
{
    char* out = text;
    while (*text != '\0')
    {
        int high = text[0] == '%' ? pelti_hex_digit(text[1]) : -1;
        int low = high >= 0 ? pelti_hex_digit(text[2]) : -1;
        if (low >= 0 && (high > 0 || low > 0))
        {
            *out++ = (char)(high * 16 + low);
            text += 3;
            continue;
        }
        *out++ = *text++;
    }
    *out = '\0';
}

pelt_result pelti_uri_path(char** out, pelti_gltf* g, const char* uri, const pelti_json_path* at)
{
    size_t folder = pelti_path_folder(g->path);
    size_t size = folder + strlen(uri) + 1;
    char* path = pelt_allocate(size, 1);
    if (path == NULL)
    {
        return pelt_error_memory(g->error);
    }
    memcpy(path, g->path, folder);
    memcpy(path + folder, uri, size - folder);
    pelti_uri_unescape(path + folder);
    pelt_error reason = {{0}};
    pelt_result result = pelti_path_below(path, folder, &reason);
    if (result != PELT_OK)
    {
        pelt_release(path);
        return result == PELT_ERROR_DATA ? pelti_gltf_fail(g, at, "%s", reason.message)
                                         : pelt_error_set(g->error, result, "%s", reason.message);
    }
    *out = path;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// A file that several buffers may name is read once, and brings its own share of what the scene may
// take once.
static pelt_result add_file(pelti_gltf_file** out, pelti_gltf* g, const pelti_gltf_file* file)
{
    void* memory = NULL;
    PELT_TRY(pelti_gltf_alloc_scratch(&memory, g, 1, sizeof **out));
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
                              const pelti_json_path* at)
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
                             const pelti_json_path* at)
{
    char* path = NULL;
    pelti_input input;
    PELT_TRY(pelti_uri_path(&path, g, uri, at));
    pelt_result result = pelti_input_open(&input, path, PELTI_INPUT_REGULAR, g->error);
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
                              const pelti_json_path* at)
{
    const char* uri = NULL;
    const pelti_json* buffer = pelti_gltf_item(g, PELTI_GLTF_BUFFERS, index);
    PELT_TRY(pelti_gltf_get_string(&uri, g, buffer, "uri", at));
    pelti_json_path here = pelti_json_member(at, "uri");
    if (uri != NULL && pelti_uri_is_data(uri))
    {
        pelti_blob blob = {0};
        PELT_TRY(pelti_uri_decode(&blob, g, uri, &here));
        *out = (pelti_gltf_bytes){.data = blob.data, .size = blob.size, .owned = blob.data};
        return PELT_OK;
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
    pelti_json_path list = {.member = "buffers"}, at = pelti_json_element(&list, index);
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
                                const pelti_json_path* at)
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
                             const pelti_json* object, const pelti_json_path* at)
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
                             const pelti_json_path* at)
{
    static const char* const names[] = {"KHR_meshopt_compression", "EXT_meshopt_compression"};
    for (size_t i = 0; i < 2; ++i)
    {
        const pelti_json* extension = pelti_gltf_extension(view, names[i]);
        if (extension != NULL)
        {
            pelti_json_path outer = pelti_json_member(at, "extensions");
            pelti_json_path here = pelti_json_member(&outer, names[i]);
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
    pelti_json_path list = {.member = "bufferViews"}, at = pelti_json_element(&list, index);
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_BUFFER_VIEWS, index);
    pelti_gltf_bytes bytes = {0};
    PELT_TRY(pelti_gltf_get_size(&bytes.size, g, json, "byteLength", &at));
    PELT_TRY(pelti_gltf_get_size(&bytes.stride, g, json, "byteStride", &at));
    PELT_TRY(open_view(&bytes, g, json, &at));
    *view = bytes;
    return PELT_OK;
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
