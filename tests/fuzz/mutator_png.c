// SPDX-License-Identifier: MIT
// PNG: one chunk changes, pixels before they are packed, and its checksum fits again.
#include "mutator.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum
{
    SIGNATURE_SIZE = 8,
};

static size_t read_big_endian(const uint8_t* at)
{
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

static void put_big_endian(mutator_bytes* out, size_t number)
{
    const uint8_t bytes[4] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16),
                              (uint8_t)(number >> 8), (uint8_t)number};
    mutator_put(out, bytes, 4);
}

static void put_chunk(mutator_bytes* out, const uint8_t* chunk, size_t size, bool is_changed)
{
    size_t start = out->size;
    mutator_put(out, chunk, 8);
    if (!is_changed)
    {
        mutator_put(out, chunk + 8, size);
    }
    else if (memcmp(chunk + 4, "IDAT", 4) == 0)
    {
        mutator_put_repacked(out, chunk + 8, size);
    }
    else
    {
        mutator_put_changed(out, chunk + 8, size);
    }
    size_t end = out->size;
    if (!out->is_full)
    {
        out->size = start;
        put_big_endian(out, end - start - 8);
        out->size = end;
        put_big_endian(out, crc32(0, out->data + start + 4, (uInt)(end - start - 4)));
    }
}

size_t mutator_change_png(uint8_t* data, size_t size, size_t max_size, uint64_t* state)
{
    mutator_bytes out = {.data = malloc(max_size), .room = max_size};
    bool is_png = size > SIGNATURE_SIZE && memcmp(data, "\x89PNG", 4) == 0;
    if (out.data == NULL || !is_png || mutator_pick(state, 8) == 0)
    {
        free(out.data);
        return LLVMFuzzerMutate(data, size, max_size);
    }
    uint32_t target = mutator_pick(state, 4);
    size_t at = SIGNATURE_SIZE;
    mutator_put(&out, data, SIGNATURE_SIZE);
    for (uint32_t i = 0; size - at >= 12 && read_big_endian(data + at) <= size - at - 12; ++i)
    {
        size_t length = read_big_endian(data + at);
        put_chunk(&out, data + at, length, i == target);
        at += 12 + length;
    }
    mutator_put(&out, data + at, size - at);
    if (!out.is_full)
    {
        memcpy(data, out.data, out.size);
        size = out.size;
    }
    free(out.data);
    return size;
}
