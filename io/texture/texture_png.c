// SPDX-License-Identifier: MIT
// PNG (ISO/IEC 15948): RGBA of 8 or 16 bits, of no color space. A texel of four words is written as
// two texels of 16 bits, so that rows stay rows.
#include "texture_file.h"

#include "../packed/packed.h"

#include <string.h>
#include <zlib.h>

enum
{
    SIGNATURE_SIZE = 8,
    HEADER_SIZE = 13,
    CHUNK_FRAME = 12, // length, type and checksum
    COLOR_RGBA = 6,
};

static const char signature[] = "\x89PNG\r\n\x1a\n";

typedef struct png_shape
{
    uint32_t width, height, depth;
    uint32_t pixel_size;
    size_t row_size; // without the number of its filter
} png_shape;

static png_shape shape_of(const pelti_texture* texture)
{
    png_shape out = {.width = texture->width, .height = texture->height};
    out.depth = texture->texel == PELT_TEXEL_RGBA8UI ? 8 : 16;
    out.width *= texture->texel == PELT_TEXEL_RGBA32UI ? 2 : 1;
    out.pixel_size = out.depth / 2;
    out.row_size = (size_t)out.width * out.pixel_size;
    return out;
}

// Bytes of a row from those of its words and back: numbers of 16 bits have their higher byte first.
static void swap_row(uint8_t* inout, const png_shape* shape)
{
    for (size_t i = 0; shape->depth == 16 && i < shape->row_size; i += 2)
    {
        uint8_t low = inout[i];
        inout[i] = inout[i + 1];
        inout[i + 1] = low;
    }
}

// ---------------------------------------------------------------------------------------------
// Writing

// Rows, each after the number of its filter, "none".
static uint8_t* make_rows(const pelti_texture* texture, const png_shape* shape)
{
    uint8_t* rows = pelt_allocate(shape->row_size + 1, shape->height);
    for (size_t y = 0; rows != NULL && y < shape->height; ++y)
    {
        uint8_t* row = rows + y * (shape->row_size + 1);
        row[0] = 0;
        pelti_words_store(row + 1, texture->words + y * shape->row_size / 4, shape->row_size / 4);
        swap_row(row + 1, shape);
    }
    return rows;
}

pelt_result pelti_png_write(pelti_blob* out, const pelti_texture* texture)
{
    png_shape shape = shape_of(texture);
    uint8_t* rows = make_rows(texture, &shape);
    pelt_result result = PELT_ERROR_MEMORY;
    if (rows != NULL)
    {
        result =
            pelti_png_pack(&out->data, &out->size, rows, shape.width, shape.height, shape.depth);
    }
    pelt_release(rows);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Reading

typedef struct png_chunk
{
    size_t offset; // of its length
    uint32_t size;
    const uint8_t* type;
    const uint8_t* data;
} png_chunk;

static uint32_t get_u32(const uint8_t* bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_type(const png_chunk* chunk, const char* type)
{
    return memcmp(chunk->type, type, 4) == 0;
}

// The chunk at an offset, which moves behind it.
static pelt_result next_chunk(png_chunk* out, size_t* offset, const pelti_texture_source* source)
{
    size_t left = source->size - *offset;
    uint32_t size = left >= CHUNK_FRAME ? get_u32(source->bytes + *offset) : 0;
    if (left < CHUNK_FRAME || size > left - CHUNK_FRAME || size > INT32_MAX)
    {
        return pelti_texture_fail(source, "the chunk at byte %zu is cut off", *offset);
    }
    const uint8_t* at = source->bytes + *offset;
    *out = (png_chunk){*offset, size, at + 4, at + 8};
    uint32_t sum = (uint32_t)crc32(crc32(0, NULL, 0), at + 4, size + 4);
    if (sum != get_u32(at + 8 + size))
    {
        return pelti_texture_fail(source, "the checksum of the chunk at byte %zu is wrong",
                                  *offset);
    }
    *offset += CHUNK_FRAME + (size_t)size;
    return PELT_OK;
}

static pelt_result check_header(const png_chunk* chunk, const png_shape* shape,
                                const pelti_texture_source* source)
{
    if (!is_type(chunk, "IHDR") || chunk->size != HEADER_SIZE)
    {
        return pelti_texture_fail(source, "does not begin with a PNG header");
    }
    PELT_TRY(pelti_texture_check_size(source, get_u32(chunk->data), get_u32(chunk->data + 4),
                                      shape->width, shape->height));
    if (chunk->data[8] != shape->depth || chunk->data[9] != COLOR_RGBA)
    {
        return pelti_texture_fail(
            source, "has color type %u of %u bits and must have 6, RGBA, of %u: it was changed",
            chunk->data[9], chunk->data[8], shape->depth);
    }
    if (chunk->data[10] != 0 || chunk->data[11] != 0 || chunk->data[12] != 0)
    {
        return pelti_texture_fail(source,
                                  "has compression %u, filter %u and interlace %u, which must be 0",
                                  chunk->data[10], chunk->data[11], chunk->data[12]);
    }
    return PELT_OK;
}

// The packed bytes of all IDAT chunks, one after the other.
static pelt_result join_chunks(pelti_blob* out, const png_shape* shape,
                               const pelti_texture_source* source)
{
    size_t offset = SIGNATURE_SIZE;
    png_chunk chunk;
    pelt_result result = next_chunk(&chunk, &offset, source);
    result = result == PELT_OK ? check_header(&chunk, shape, source) : result;
    out->data = pelt_arena_alloc(source->scratch, source->size, 1);
    if (result == PELT_OK && out->data == NULL)
    {
        return pelt_error_memory(source->error);
    }
    while (result == PELT_OK)
    {
        result = next_chunk(&chunk, &offset, source);
        if (result != PELT_OK || is_type(&chunk, "IEND"))
        {
            return result;
        }
        if (is_type(&chunk, "IDAT"))
        {
            memcpy(out->data + out->size, chunk.data, chunk.size);
            out->size += chunk.size;
        }
        else if ((chunk.type[0] & 0x20) == 0 && !is_type(&chunk, "PLTE"))
        {
            // An upper-case name: critical, readers that do not know it must refuse the file.
            result = pelti_texture_fail(source, "the chunk at byte %zu is of an unknown type",
                                        chunk.offset);
        }
    }
    return result;
}

static uint8_t paeth(int left, int up, int corner)
{
    int to_left = up - corner, to_up = left - corner, to_corner = to_left + to_up;
    to_left = to_left < 0 ? -to_left : to_left;
    to_up = to_up < 0 ? -to_up : to_up;
    to_corner = to_corner < 0 ? -to_corner : to_corner;
    return (uint8_t)(to_left <= to_up && to_left <= to_corner ? left
                     : to_up <= to_corner                     ? up
                                                              : corner);
}

// @param before  the row above; NULL: none
static void unfilter(uint8_t* inout, const uint8_t* before, uint8_t filter, const png_shape* shape)
{
    size_t step = shape->pixel_size;
    for (size_t i = 0; i < shape->row_size; ++i)
    {
        int left = i >= step ? inout[i - step] : 0, up = before != NULL ? before[i] : 0;
        int corner = i >= step && before != NULL ? before[i - step] : 0;
        int guess = filter == 1   ? left
                    : filter == 2 ? up
                    : filter == 3 ? (left + up) / 2
                    : filter == 4 ? paeth(left, up, corner)
                                  : 0;
        inout[i] = (uint8_t)(inout[i] + guess);
    }
}

static pelt_result read_rows(const pelti_texture* out, uint8_t* rows, const png_shape* shape,
                             const pelti_texture_source* source)
{
    uint8_t* before = NULL;
    for (size_t y = 0; y < shape->height; ++y)
    {
        uint8_t* row = rows + y * (shape->row_size + 1);
        if (row[0] > 4)
        {
            return pelti_texture_fail(source, "row %zu has filter %u; there are 0 to 4", y, row[0]);
        }
        unfilter(row + 1, before, row[0], shape);
        before = row + 1;
    }
    for (size_t y = 0; y < shape->height; ++y)
    {
        uint8_t* row = rows + y * (shape->row_size + 1) + 1;
        swap_row(row, shape);
        pelti_words_load(out->words + y * shape->row_size / 4, shape->row_size / 4, row);
    }
    return PELT_OK;
}

pelt_result pelti_png_read(const pelti_texture* out, const pelti_texture_source* source)
{
    if (source->size < SIGNATURE_SIZE || memcmp(source->bytes, signature, SIGNATURE_SIZE) != 0)
    {
        return pelti_texture_fail(source, "is no PNG file: its signature is wrong");
    }
    png_shape shape = shape_of(out);
    pelti_blob packed = {0};
    PELT_TRY(join_chunks(&packed, &shape, source));
    size_t size = (shape.row_size + 1) * shape.height;
    uint8_t* rows = pelt_arena_alloc(source->scratch, size, 1);
    pelt_result result =
        rows != NULL ? pelti_unpack(rows, size, packed.data, packed.size) : PELT_ERROR_MEMORY;
    if (result != PELT_OK)
    {
        return result == PELT_ERROR_MEMORY
                   ? pelt_error_memory(source->error)
                   : pelti_texture_fail(source, "its %zu packed bytes are not those of %zu bytes",
                                        packed.size, size);
    }
    return read_rows(out, rows, &shape, source);
}
