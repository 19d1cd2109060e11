// SPDX-License-Identifier: MIT
#include "mutator.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum
{
    UNPACKED_ROOM = 1 << 16,
};

uint32_t mutator_pick(uint64_t* state, uint32_t limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % limit);
}

void mutator_put(mutator_bytes* out, const void* bytes, size_t size)
{
    out->is_full = out->is_full || size > out->room - out->size;
    if (!out->is_full && size > 0)
    {
        memcpy(out->data + out->size, bytes, size);
        out->size += size;
    }
}

void mutator_put_number(mutator_bytes* out, uint64_t number, uint32_t size)
{
    uint8_t bytes[8];
    for (uint32_t i = 0; i < size; ++i)
    {
        bytes[i] = (uint8_t)(number >> 8 * i);
    }
    mutator_put(out, bytes, size);
}

uint64_t mutator_read(const uint8_t* bytes, uint32_t size)
{
    uint64_t number = 0;
    for (uint32_t i = size; i > 0; --i)
    {
        number = number << 8 | bytes[i - 1];
    }
    return number;
}

void mutator_put_changed(mutator_bytes* out, const uint8_t* bytes, size_t size)
{
    size_t start = out->size, room = out->room - start;
    mutator_put(out, bytes, size);
    if (!out->is_full)
    {
        // Little more than before, so that one part does not take the room of the others.
        size_t most = size + 256 < room ? size + 256 : room;
        out->size = start + LLVMFuzzerMutate(out->data + start, size, most);
    }
}

void mutator_put_repacked(mutator_bytes* out, const uint8_t* bytes, size_t size)
{
    uint8_t *plain = malloc(UNPACKED_ROOM), *packed = malloc(2 * UNPACKED_ROOM);
    uLongf plain_size = UNPACKED_ROOM / 2, packed_size = 2 * UNPACKED_ROOM;
    if (plain == NULL || packed == NULL ||
        uncompress(plain, &plain_size, bytes, (uLong)size) != Z_OK)
    {
        mutator_put(out, bytes, size);
    }
    else
    {
        size_t changed = LLVMFuzzerMutate(plain, plain_size, UNPACKED_ROOM);
        compress2(packed, &packed_size, plain, (uLong)changed, 1);
        mutator_put(out, packed, packed_size);
    }
    free(packed);
    free(plain);
}
