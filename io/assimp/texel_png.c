// SPDX-License-Identifier: MIT
// Bare texels as a PNG file (ISO/IEC 15948), so that they are like all other images of a scene.
#include "texel_png.h"

#include <string.h>
#include <zlib.h>

enum
{
    SIDE_MAX = 16384,
    SIGNATURE_SIZE = 8,
    HEADER_SIZE = 13,
    CHUNK_FRAME = 12, // length, type and checksum
};

static uint8_t* put_u32(uint8_t* at, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
    {
        *at++ = (uint8_t)(value >> shift);
    }
    return at;
}

// A chunk whose content is in its place already, 8 bytes after `at`.
static uint8_t* close_chunk(uint8_t* at, const char* type, uint32_t size)
{
    put_u32(at, size);
    memcpy(at + 4, type, 4);
    return put_u32(at + 8 + size, (uint32_t)crc32(crc32(0, NULL, 0), at + 4, size + 4));
}

// Rows of RGBA, each after the number of its filter, which is none.
static uint8_t* make_rows(const uint8_t* rgba, uint32_t width, uint32_t height, size_t* size)
{
    size_t row = 4 * (size_t)width;
    *size = (row + 1) * height;
    uint8_t* rows = pelt_allocate(*size, 1);
    for (uint32_t y = 0; rows != NULL && y < height; ++y)
    {
        rows[y * (row + 1)] = 0;
        memcpy(rows + y * (row + 1) + 1, rgba + y * row, row);
    }
    return rows;
}

pelt_result pelti_texel_png(uint8_t** out, size_t* out_size, const uint8_t* rgba, uint32_t width,
                            uint32_t height, pelt_error* error)
{
    *out = NULL;
    if (width == 0 || height == 0 || width > SIDE_MAX || height > SIDE_MAX)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "an image of %u x %u texels cannot be kept: 1 to %u on a side are "
                              "possible",
                              width, height, SIDE_MAX);
    }
    size_t rows_size;
    uint8_t* rows = make_rows(rgba, width, height, &rows_size);
    uLongf packed_size = compressBound((uLong)rows_size);
    uint8_t* file =
        pelt_allocate(SIGNATURE_SIZE + HEADER_SIZE + 3 * CHUNK_FRAME + (size_t)packed_size, 1);
    bool is_packed = rows != NULL && file != NULL;
    if (is_packed)
    {
        memcpy(file, "\x89PNG\r\n\x1a\n", SIGNATURE_SIZE);
        uint8_t* at = file + SIGNATURE_SIZE;
        put_u32(put_u32(at + 8, width), height);
        memcpy(at + 16, "\x08\x06\0\0", 5); // 8 bits, RGBA, the only compression and filter, whole
        at = close_chunk(at, "IHDR", HEADER_SIZE);
        is_packed = compress(at + 8, &packed_size, rows, (uLong)rows_size) == Z_OK;
        if (is_packed)
        {
            at = close_chunk(at, "IDAT", (uint32_t)packed_size);
            at = close_chunk(at, "IEND", 0);
            *out = file;
            *out_size = (size_t)(at - file);
        }
    }
    pelt_release(rows);
    if (!is_packed)
    {
        pelt_release(file);
        return pelt_error_memory(error);
    }
    return PELT_OK;
}
