// SPDX-License-Identifier: MIT
// Packing and unpacking by zlib, which asks for memory through the hooks.
#include "packed.h"

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
