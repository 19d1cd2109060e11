// SPDX-License-Identifier: MIT
// Data compressed by zlib, and PNG files made of it.
#include "packed.h"

#include <string.h>
#include <zlib.h>

static void* allocate_for_zlib(void* user, unsigned count, unsigned size)
{
    (void)user;
    return pelt_allocate(count, size);
}

static void release_for_zlib(void* user, void* memory)
{
    (void)user;
    pelt_release(memory);
}

size_t pelti_pack_bound(size_t size)
{
    return compressBound((uLong)size);
}

bool pelti_pack(uint8_t* out, size_t* size, const uint8_t* bytes, size_t count)
{
    z_stream stream = {.zalloc = allocate_for_zlib, .zfree = release_for_zlib};
    if (deflateInit(&stream, Z_DEFAULT_COMPRESSION) != Z_OK)
    {
        return false;
    }
    stream.next_in = (Bytef*)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = out;
    stream.avail_out = (uInt)*size;
    int status = deflate(&stream, Z_FINISH);
    *size -= stream.avail_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END;
}

pelt_result pelti_unpack(uint8_t* out, size_t count, const uint8_t* packed, size_t size)
{
    if (size > UINT32_MAX)
    {
        return PELT_ERROR_DATA;
    }
    z_stream stream = {.zalloc = allocate_for_zlib, .zfree = release_for_zlib};
    stream.next_in = (Bytef*)packed;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)count;
    int status = inflateInit(&stream);
    if (status == Z_OK)
    {
        status = inflate(&stream, Z_FINISH);
        inflateEnd(&stream);
    }
    return status == Z_MEM_ERROR                             ? PELT_ERROR_MEMORY
           : status == Z_STREAM_END && stream.avail_out == 0 ? PELT_OK
                                                             : PELT_ERROR_DATA;
}

// ---------------------------------------------------------------------------------------------
enum
{
    SIGNATURE_SIZE = 8,
    HEADER_SIZE = 13,
    CHUNK_FRAME = 12, // length, type and checksum
    COLOR_RGBA = 6,
};

static uint8_t* put_u32(uint8_t* at, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
    {
        *at++ = (uint8_t)(value >> shift);
    }
    return at;
}

// A chunk whose content is written already, 8 bytes after `at`.
static uint8_t* close_chunk(uint8_t* at, const char* type, uint32_t size)
{
    put_u32(at, size);
    memcpy(at + 4, type, 4);
    return put_u32(at + 8 + size, (uint32_t)crc32(crc32(0, NULL, 0), at + 4, size + 4));
}

pelt_result pelti_png_pack(uint8_t** out, size_t* size, const uint8_t* rows, uint32_t width,
                           uint32_t height, uint32_t depth)
{
    size_t rows_size = (1 + (size_t)width * (depth / 2)) * height;
    size_t packed_size = pelti_pack_bound(rows_size);
    uint8_t* file = pelt_allocate(SIGNATURE_SIZE + HEADER_SIZE + 3 * CHUNK_FRAME + packed_size, 1);
    *out = NULL;
    if (file == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(file, "\x89PNG\r\n\x1a\n", SIGNATURE_SIZE);
    uint8_t* at = file + SIGNATURE_SIZE;
    put_u32(put_u32(at + 8, width), height);
    // The only compression and filter there are, and not interlaced.
    const uint8_t kind[5] = {(uint8_t)depth, COLOR_RGBA, 0, 0, 0};
    memcpy(at + 16, kind, sizeof kind);
    at = close_chunk(at, "IHDR", HEADER_SIZE);
    if (!pelti_pack(at + 8, &packed_size, rows, rows_size))
    {
        pelt_release(file);
        return PELT_ERROR_MEMORY;
    }
    at = close_chunk(at, "IDAT", (uint32_t)packed_size);
    at = close_chunk(at, "IEND", 0);
    *out = file;
    *size = (size_t)(at - file);
    return PELT_OK;
}
