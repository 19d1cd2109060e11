// SPDX-License-Identifier: MIT
// The files of a bake: one of them changes, and the digest of a texture of plain words fits again.
#include "mutator.h"

#include "baked_pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digest_member[] = "\"digest\":\"";

static void put_digest(char* out, const uint8_t* bytes, size_t size)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < size; ++i)
    {
        hash = (hash ^ bytes[i]) * 0x100000001B3u;
    }
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    memcpy(out, text, 16);
}

// The first digest of the JSON is that of the texture.
static void fit_digest(uint8_t* json, size_t json_size, const uint8_t* texture, size_t texture_size)
{
    size_t length = sizeof digest_member - 1;
    for (size_t i = 0; i + length + 16 <= json_size; ++i)
    {
        if (memcmp(json + i, digest_member, length) == 0)
        {
            put_digest((char*)json + i + length, texture, texture_size);
            return;
        }
    }
}

static void put_part(mutator_bytes* out, const baked_part* part, bool is_changed)
{
    if (is_changed)
    {
        mutator_put_changed(out, part->bytes, part->size);
    }
    else
    {
        mutator_put(out, part->bytes, part->size);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
{
    uint64_t state = seed;
    baked_part parts[BAKED_PART_COUNT];
    mutator_bytes out = {.data = malloc(max_size), .room = max_size};
    if (out.data == NULL || !baked_pack_open(parts, data, size) || mutator_pick(&state, 16) == 0)
    {
        free(out.data);
        return LLVMFuzzerMutate(data, size, max_size);
    }
    uint32_t target = mutator_pick(&state, parts[2].size > 0 ? 3 : 2);
    size_t ends[BAKED_PART_COUNT];
    mutator_put(&out, data, BAKED_PACK_HEADER);
    for (uint32_t i = 0; i < BAKED_PART_COUNT; ++i)
    {
        put_part(&out, &parts[i], i == target);
        ends[i] = out.size;
    }
    if (!out.is_full)
    {
        size_t json_size = ends[0] - BAKED_PACK_HEADER, texture_size = ends[1] - ends[0];
        mutator_bytes header = {.data = out.data, .room = BAKED_PACK_HEADER};
        mutator_put_number(&header, json_size, 4);
        mutator_put_number(&header, texture_size, 4);
        fit_digest(out.data + BAKED_PACK_HEADER, json_size, out.data + ends[0], texture_size);
        memcpy(data, out.data, out.size);
        size = out.size;
    }
    free(out.data);
    return size;
}
