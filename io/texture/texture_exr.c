// SPDX-License-Identifier: MIT
// OpenEXR (Academy Software Foundation, "OpenEXR File Layout"): scan lines with the channels A, B,
// G and R of the type UINT, each line packed by itself (ZIPS).
#include "texture_file.h"

#include "../packed/packed.h"

#include <string.h>

enum
{
    MAGIC = 20000630,
    VERSION = 2, // no tiles, short names, one part
    TYPE_UINT = 0,
    CHANNEL_COUNT = 4,
    CHUNK_HEADER_SIZE = 8, // line and size
};

typedef enum exr_compression
{
    EXR_NONE = 0,
    EXR_ZIPS = 2, // line by line
    EXR_ZIP = 3,  // 16 lines at a time
} exr_compression;

static const char* const channel_names[CHANNEL_COUNT] = {"A", "B", "G", "R"};

// Where channel c of the file, in the order of its names, is in a texel.
static uint32_t slot_of(uint32_t c)
{
    return CHANNEL_COUNT - 1 - c;
}

// One of the four numbers of a texel.
static uint32_t get_channel(const pelti_texture* texture, size_t texel, uint32_t slot)
{
    switch (texture->texel)
    {
    case PELT_TEXEL_RGBA32UI:
        return texture->words[4 * texel + slot];
    case PELT_TEXEL_RGBA16UI:
        return texture->words[2 * texel + slot / 2] >> 16 * (slot % 2) & 0xFFFF;
    default:
        return texture->words[texel] >> 8 * slot & 0xFF;
    }
}

// @return false: the number does not fit into its channel
static bool set_channel(const pelti_texture* out, size_t texel, uint32_t slot, uint32_t value)
{
    switch (out->texel)
    {
    case PELT_TEXEL_RGBA32UI:
        out->words[4 * texel + slot] = value;
        return true;
    case PELT_TEXEL_RGBA16UI:
        out->words[2 * texel + slot / 2] |= value << 16 * (slot % 2);
        return value <= 0xFFFF;
    default:
        out->words[texel] |= value << 8 * slot;
        return value <= 0xFF;
    }
}

// ---------------------------------------------------------------------------------------------
// Packing: bytes at even offsets, then those at odd ones, as differences; then zlib.

static void split_bytes(uint8_t* out, const uint8_t* bytes, size_t size)
{
    size_t half = (size + 1) / 2;
    for (size_t i = 0; i < size; ++i)
    {
        out[i / 2 + (i % 2) * half] = bytes[i];
    }
    for (size_t i = size - 1; i > 0; --i)
    {
        out[i] = (uint8_t)(out[i] - out[i - 1] + 128);
    }
}

static void join_bytes(uint8_t* out, uint8_t* bytes, size_t size)
{
    for (size_t i = 1; i < size; ++i)
    {
        bytes[i] = (uint8_t)(bytes[i] + bytes[i - 1] - 128);
    }
    size_t half = (size + 1) / 2;
    for (size_t i = 0; i < size; ++i)
    {
        out[i] = bytes[i / 2 + (i % 2) * half];
    }
}

// ---------------------------------------------------------------------------------------------
// Writing

static uint8_t* put_text(uint8_t* at, const char* text)
{
    size_t size = strlen(text) + 1;
    memcpy(at, text, size);
    return at + size;
}

static uint8_t* put_attribute(uint8_t* at, const char* name, const char* type, uint32_t size)
{
    return pelti_store_u32(put_text(put_text(at, name), type), size);
}

static uint8_t* put_header(uint8_t* at, const pelti_texture* texture)
{
    const uint32_t one = 0x3F800000; // 1.0f
    at = pelti_store_u32(pelti_store_u32(at, MAGIC), VERSION);
    at = put_attribute(at, "channels", "chlist", CHANNEL_COUNT * 18 + 1);
    for (uint32_t c = 0; c < CHANNEL_COUNT; ++c)
    {
        at = pelti_store_u32(put_text(at, channel_names[c]), TYPE_UINT);
        at = pelti_store_u32(at, 0); // not linear in perception, and three zeros
        at = pelti_store_u32(pelti_store_u32(at, 1), 1);
    }
    *at++ = 0;
    at = put_attribute(at, "compression", "compression", 1);
    *at++ = EXR_ZIPS;
    static const char* const windows[] = {"dataWindow", "displayWindow"};
    for (int i = 0; i < 2; ++i)
    {
        at = put_attribute(at, windows[i], "box2i", 16);
        at = pelti_store_u64(at, 0);
        at = pelti_store_u32(pelti_store_u32(at, texture->width - 1), texture->height - 1);
    }
    at = put_attribute(at, "lineOrder", "lineOrder", 1);
    *at++ = 0;
    at = pelti_store_u32(put_attribute(at, "pixelAspectRatio", "float", 4), one);
    at = pelti_store_u64(put_attribute(at, "screenWindowCenter", "v2f", 8), 0);
    at = pelti_store_u32(put_attribute(at, "screenWindowWidth", "float", 4), one);
    *at++ = 0;
    return at;
}

typedef struct exr_line
{
    size_t size;            // of a line
    uint8_t *bytes, *split; // each of one line
} exr_line;

// Lines that compression does not make smaller are stored uncompressed.
static bool put_line(uint8_t** at, exr_line* line, const pelti_texture* texture, uint32_t y)
{
    uint8_t* to = line->bytes;
    for (uint32_t c = 0; c < CHANNEL_COUNT; ++c)
    {
        for (uint32_t x = 0; x < texture->width; ++x)
        {
            size_t texel = (size_t)y * texture->width + x;
            to = pelti_store_u32(to, get_channel(texture, texel, slot_of(c)));
        }
    }
    split_bytes(line->split, line->bytes, line->size);
    size_t packed_size = pelti_pack_bound(line->size);
    uint8_t* data = *at + CHUNK_HEADER_SIZE;
    if (!pelti_pack(data, &packed_size, line->split, line->size))
    {
        return false;
    }
    if (packed_size >= line->size)
    {
        packed_size = line->size;
        memcpy(data, line->bytes, line->size);
    }
    pelti_store_u32(pelti_store_u32(*at, y), (uint32_t)packed_size);
    *at = data + packed_size;
    return true;
}

pelt_result pelti_exr_write(pelti_blob* out, const pelti_texture* texture)
{
    enum
    {
        HEADER_ROOM = 512,
    };
    exr_line line = {.size = (size_t)texture->width * CHANNEL_COUNT * 4};
    size_t chunk_room = CHUNK_HEADER_SIZE + pelti_pack_bound(line.size);
    line.bytes = pelt_allocate(2, line.size);
    line.split = line.bytes != NULL ? line.bytes + line.size : NULL;
    out->data = line.bytes != NULL
                    ? pelt_allocate(HEADER_ROOM + (8 + chunk_room) * texture->height, 1)
                    : NULL;
    bool is_ok = out->data != NULL;
    if (is_ok)
    {
        uint8_t *offsets = put_header(out->data, texture),
                *at = offsets + 8 * (size_t)texture->height;
        for (uint32_t y = 0; y < texture->height && is_ok; ++y)
        {
            pelti_store_u64(offsets + 8 * (size_t)y, (uint64_t)(at - out->data));
            is_ok = put_line(&at, &line, texture, y);
        }
        out->size = (size_t)(at - out->data);
    }
    pelt_release(line.bytes);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Reading

typedef struct exr_header
{
    bool has_channels, has_compression, has_window;
    uint8_t compression;
    int32_t window[4]; // first and last column and row: x, y, x, y
    size_t end;        // where the table of offsets begins
} exr_header;

typedef struct exr_attribute
{
    const char *name, *type;
    const uint8_t* value;
    uint32_t size;
} exr_attribute;

// A text with its zero, at an offset that moves behind it. NULL: the file ends inside.
static const char* take_text(size_t* offset, const pelti_texture_source* source)
{
    const uint8_t* start = source->bytes + *offset;
    const uint8_t* end = memchr(start, 0, source->size - *offset);
    if (end == NULL)
    {
        return NULL;
    }
    *offset += (size_t)(end - start) + 1;
    return (const char*)start;
}

static pelt_result take_attribute(exr_attribute* out, size_t* offset,
                                  const pelti_texture_source* source)
{
    size_t start = *offset;
    out->name = take_text(offset, source);
    if (out->name != NULL && out->name[0] == '\0')
    {
        return PELT_OK;
    }
    out->type = out->name != NULL ? take_text(offset, source) : NULL;
    size_t left = source->size - *offset;
    out->size = out->type != NULL && left >= 4 ? pelti_load_u32(source->bytes + *offset) : 0;
    if (out->type == NULL || left < 4 || out->size > left - 4)
    {
        return pelti_texture_fail(source, "the attribute at byte %zu is cut off", start);
    }
    out->value = source->bytes + *offset + 4;
    *offset += 4 + (size_t)out->size;
    return PELT_OK;
}

static pelt_result check_channels(const exr_attribute* attribute,
                                  const pelti_texture_source* source)
{
    bool is_good = attribute->size == CHANNEL_COUNT * 18 + 1;
    for (uint32_t c = 0; c < CHANNEL_COUNT && is_good; ++c)
    {
        const uint8_t* at = attribute->value + 18 * c;
        is_good = at[0] == (uint8_t)channel_names[c][0] && at[1] == 0 &&
                  pelti_load_u32(at + 2) == TYPE_UINT && pelti_load_u32(at + 10) == 1 &&
                  pelti_load_u32(at + 14) == 1;
    }
    return is_good ? PELT_OK
                   : pelti_texture_fail(source,
                                        "its channels at byte %zu must be A, B, G and R of "
                                        "type UINT: it was changed",
                                        (size_t)(attribute->value - source->bytes));
}

static pelt_result read_attribute(exr_header* inout, const exr_attribute* attribute,
                                  const pelti_texture_source* source)
{
    if (strcmp(attribute->name, "channels") == 0)
    {
        inout->has_channels = true;
        return check_channels(attribute, source);
    }
    if (strcmp(attribute->name, "compression") == 0 && attribute->size == 1)
    {
        inout->has_compression = true;
        inout->compression = attribute->value[0];
    }
    if (strcmp(attribute->name, "dataWindow") == 0 && attribute->size == 16)
    {
        inout->has_window = true;
        for (int i = 0; i < 4; ++i)
        {
            inout->window[i] = (int32_t)pelti_load_u32(attribute->value + 4 * i);
        }
    }
    return PELT_OK;
}

static pelt_result check_header(const exr_header* header, const pelti_texture* texture,
                                const pelti_texture_source* source)
{
    if (!header->has_channels || !header->has_compression || !header->has_window)
    {
        return pelti_texture_fail(source, "its header lacks channels, compression or dataWindow");
    }
    uint8_t compression = header->compression;
    if (compression != EXR_NONE && compression != EXR_ZIPS && compression != EXR_ZIP)
    {
        return pelti_texture_fail(source, "has compression %u; pelt reads 0, none, 2 and 3, ZIP",
                                  compression);
    }
    // In 64 bits: windows may be any numbers.
    int64_t width = (int64_t)header->window[2] - header->window[0] + 1;
    int64_t height = (int64_t)header->window[3] - header->window[1] + 1;
    bool is_countable = width > 0 && width <= UINT32_MAX && height > 0 && height <= UINT32_MAX;
    return pelti_texture_check_size(source, is_countable ? (uint32_t)width : 0,
                                    is_countable ? (uint32_t)height : 0, texture->width,
                                    texture->height);
}

static pelt_result read_header(exr_header* out, const pelti_texture* texture,
                               const pelti_texture_source* source)
{
    const pelti_texture_field fields[] = {{"the signature", 0, MAGIC}, {"the version", 4, VERSION}};
    pelt_result result = pelti_texture_check(source, 8, fields, 2);
    out->end = 8;
    while (result == PELT_OK)
    {
        exr_attribute attribute = {0};
        result = take_attribute(&attribute, &out->end, source);
        if (result == PELT_OK && attribute.name[0] == '\0')
        {
            return check_header(out, texture, source);
        }
        result = result == PELT_OK ? read_attribute(out, &attribute, source) : result;
    }
    return result;
}

typedef struct exr_chunk
{
    uint32_t first, count; // lines
    size_t size;           // of their bytes
    size_t packed_size;
    const uint8_t* packed;
} exr_chunk;

static pelt_result find_chunk(exr_chunk* out, const exr_header* header, uint32_t index,
                              const pelti_texture* texture, const pelti_texture_source* source)
{
    uint32_t lines = header->compression == EXR_ZIP ? 16 : 1;
    uint64_t at = pelti_load_u64(source->bytes + header->end + 8 * (size_t)index);
    if (at > source->size || source->size - at < CHUNK_HEADER_SIZE)
    {
        return pelti_texture_fail(source, "chunk %u at byte %llu is not inside the file", index,
                                  (unsigned long long)at);
    }
    int64_t line = (int64_t)(int32_t)pelti_load_u32(source->bytes + at) - header->window[1];
    if (line != (int64_t)index * lines)
    {
        return pelti_texture_fail(source, "chunk %u at byte %llu has line %lld and must have %llu",
                                  index, (unsigned long long)at, (long long)line,
                                  (unsigned long long)index * lines);
    }
    out->first = (uint32_t)line;
    out->count = texture->height - out->first < lines ? texture->height - out->first : lines;
    out->size = (size_t)out->count * texture->width * CHANNEL_COUNT * 4;
    out->packed_size = pelti_load_u32(source->bytes + at + 4);
    out->packed = source->bytes + at + CHUNK_HEADER_SIZE;
    bool is_plain = out->packed_size == out->size;
    bool may_be = header->compression != EXR_NONE && out->packed_size < out->size;
    if ((!is_plain && !may_be) || out->packed_size > source->size - at - CHUNK_HEADER_SIZE)
    {
        return pelti_texture_fail(source, "chunk %u at byte %llu has a size of %zu", index,
                                  (unsigned long long)at, out->packed_size);
    }
    return PELT_OK;
}

static pelt_result read_lines(const pelti_texture* out, const uint8_t* bytes,
                              const exr_chunk* chunk, const pelti_texture_source* source)
{
    for (uint32_t y = chunk->first; y < chunk->first + chunk->count; ++y)
    {
        for (uint32_t c = 0; c < CHANNEL_COUNT; ++c)
        {
            for (uint32_t x = 0; x < out->width; ++x, bytes += 4)
            {
                uint32_t value = pelti_load_u32(bytes);
                if (!set_channel(out, (size_t)y * out->width + x, slot_of(c), value))
                {
                    return pelti_texture_fail(source,
                                              "channel %s is %u at column %u, row %u, more "
                                              "than %s holds",
                                              channel_names[c], value, x, y,
                                              pelti_texel_name(out->texel));
                }
            }
        }
    }
    return PELT_OK;
}

// @param room  twice the bytes of a chunk
static pelt_result read_chunk(const pelti_texture* out, uint8_t* room, const exr_chunk* chunk,
                              const pelti_texture_source* source)
{
    if (chunk->packed_size == chunk->size)
    {
        return read_lines(out, chunk->packed, chunk, source);
    }
    uint8_t* split = room + chunk->size;
    pelt_result result = pelti_unpack(split, chunk->size, chunk->packed, chunk->packed_size);
    if (result != PELT_OK)
    {
        return result == PELT_ERROR_MEMORY
                   ? pelt_error_memory(source->error)
                   : pelti_texture_fail(source, "the packed bytes of line %u are not %zu bytes",
                                        chunk->first, chunk->size);
    }
    join_bytes(room, split, chunk->size);
    return read_lines(out, room, chunk, source);
}

pelt_result pelti_exr_read(const pelti_texture* out, const pelti_texture_source* source)
{
    exr_header header = {0};
    PELT_TRY(read_header(&header, out, source));
    uint32_t lines = header.compression == EXR_ZIP ? 16 : 1;
    uint32_t count = (out->height + lines - 1) / lines;
    if (count > (source->size - header.end) / 8)
    {
        return pelti_texture_fail(source, "ends inside its table of %u offsets", count);
    }
    uint8_t* room =
        pelt_arena_alloc(source->scratch, 2 * (size_t)lines * out->width, CHANNEL_COUNT * 4);
    if (room == NULL)
    {
        return pelt_error_memory(source->error);
    }
    memset(out->words, 0, pelti_texture_size(out));
    for (uint32_t i = 0; i < count; ++i)
    {
        exr_chunk chunk;
        PELT_TRY(find_chunk(&chunk, &header, i, out, source));
        PELT_TRY(read_chunk(out, room, &chunk, source));
    }
    return PELT_OK;
}
