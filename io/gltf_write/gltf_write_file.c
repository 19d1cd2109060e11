// SPDX-License-Identifier: MIT
// The containers of glTF: GLB with its chunks, or JSON with the buffer as a data URI.
#include "gltf_write.h"

#include <string.h>

static void encode_triple(char* out, const uint8_t* bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)bytes[0] << 16;
    bits |= count > 1 ? (uint32_t)bytes[1] << 8 : 0;
    bits |= count > 2 ? (uint32_t)bytes[2] : 0;
    out[0] = digits[bits >> 18];
    out[1] = digits[bits >> 12 & 63];
    out[2] = count > 1 ? digits[bits >> 6 & 63] : '=';
    out[3] = count > 2 ? digits[bits & 63] : '=';
}

json_t* pelti_gltf_data_uri(const char* type, const uint8_t* bytes, size_t size)
{
    size_t head_size = strlen("data:;base64,") + strlen(type);
    if (size > SIZE_MAX / 2 - head_size)
    {
        return NULL;
    }
    size_t text_size = head_size + (size + 2) / 3 * 4;
    char* text = pelt_allocate(text_size + 1, 1);
    if (text == NULL)
    {
        return NULL;
    }
    char* end = text + snprintf(text, text_size + 1, "data:%s;base64,", type);
    for (size_t i = 0; i < size; i += 3, end += 4)
    {
        encode_triple(end, bytes + i, size - i < 3 ? size - i : 3);
    }
    json_t* uri = json_stringn_nocheck(text, text_size);
    pelt_release(text);
    return uri;
}

void pelti_gltf_close_buffer(pelti_gltf_document* document, const pelti_gltf_target* target)
{
    if (target->home == PELTI_GLTF_HOME_NONE)
    {
        return;
    }
    json_t* buffers = pelti_gltf_list_of(document, "buffers");
    if (document->buffer == json_array_size(buffers))
    {
        pelti_gltf_push(document, buffers, json_object());
    }
    json_t* buffer = json_array_get(buffers, document->buffer);
    pelti_gltf_set(document, buffer, "byteLength", json_integer((json_int_t)document->size));
    if (target->home == PELTI_GLTF_HOME_URI)
    {
        pelti_gltf_set(
            document, buffer, "uri",
            pelti_gltf_data_uri("application/octet-stream", document->bytes, document->size));
        return;
    }
    json_object_del(buffer, "uri");
}

// ---------------------------------------------------------------------------------------------

enum
{
    GLB_MAGIC = 0x46546c67,  // "glTF"
    GLB_JSON = 0x4e4f534a,   // "JSON"
    GLB_BINARY = 0x004e4942, // "BIN"
    GLB_HEADER_SIZE = 12,
    CHUNK_HEADER_SIZE = 8,
};

static void write_word(FILE* stream, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                        (uint8_t)(value >> 24)};
    fwrite(bytes, 1, sizeof bytes, stream);
}

static size_t padded(size_t size)
{
    return size + (4 - size % 4) % 4;
}

typedef struct glb_chunk
{
    uint32_t type;
    char filler; // up to a multiple of four
    const void* bytes;
    size_t size;
} glb_chunk;

static void write_chunk(FILE* stream, const glb_chunk* chunk)
{
    write_word(stream, (uint32_t)padded(chunk->size));
    write_word(stream, chunk->type);
    fwrite(chunk->bytes, 1, chunk->size, stream);
    for (size_t i = chunk->size; i < padded(chunk->size); ++i)
    {
        fputc(chunk->filler, stream);
    }
}

static pelt_result write_glb(FILE* stream, const pelti_gltf_document* document, const char* text,
                             pelti_gltf_home home, pelt_error* error)
{
    glb_chunk json = {GLB_JSON, ' ', text, strlen(text)};
    glb_chunk binary = {GLB_BINARY, '\0', document->bytes, document->size};
    bool has_binary = home == PELTI_GLTF_HOME_CHUNK;

    uint64_t size = GLB_HEADER_SIZE + CHUNK_HEADER_SIZE + (uint64_t)padded(json.size);
    size += has_binary ? CHUNK_HEADER_SIZE + (uint64_t)padded(binary.size) : 0;
    size += document->chunks_size;
    if (size > UINT32_MAX)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "a GLB file holds at most 4294967295 bytes, not %llu: write .gltf",
                              (unsigned long long)size);
    }
    write_word(stream, GLB_MAGIC);
    write_word(stream, 2);
    write_word(stream, (uint32_t)size);
    write_chunk(stream, &json);
    if (has_binary)
    {
        write_chunk(stream, &binary);
    }
    if (document->chunks_size > 0)
    {
        fwrite(document->chunks, 1, document->chunks_size, stream);
    }
    return PELT_OK;
}

// json_dumps() loses names of members, in silence, when its buffer cannot grow.
char* pelti_gltf_text(const json_t* root, size_t flags)
{
    size_t size = json_dumpb(root, NULL, 0, flags);
    char* text = size > 0 ? pelt_allocate(size + 1, 1) : NULL;
    if (text == NULL || json_dumpb(root, text, size, flags) != size)
    {
        pelt_release(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

pelt_result pelti_gltf_write(FILE* stream, const pelti_gltf_document* document,
                             const pelti_gltf_target* target, pelt_error* error)
{
    if (document->is_out_of_memory)
    {
        return pelt_error_memory(error);
    }
    bool is_glb = target->format == PELT_FORMAT_GLB;
    size_t layout = is_glb ? JSON_COMPACT : JSON_INDENT(1);
    char* text = pelti_gltf_text(document->root, layout | JSON_REAL_PRECISION(target->digits));
    if (text == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = PELT_OK;
    if (is_glb)
    {
        result = write_glb(stream, document, text, target->home, error);
    }
    else
    {
        fputs(text, stream);
        fputc('\n', stream);
    }
    pelt_release(text);
    return result;
}
