// SPDX-License-Identifier: MIT
// The files of a bake in one: the sizes of JSON and texture in four bytes each, lowest first, the
// JSON, the texture, and the mesh in what is left.
#ifndef PELT_BAKED_PACK_H
#define PELT_BAKED_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
    BAKED_PACK_HEADER = 8,
    BAKED_PART_COUNT = 3, ///< JSON, texture, mesh
};

typedef struct baked_part
{
    const uint8_t* bytes;
    size_t size;
} baked_part;

static inline size_t baked_pack_number(const uint8_t* bytes)
{
    return bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
}

/// @return false: the sizes do not fit
static inline bool baked_pack_open(baked_part parts[BAKED_PART_COUNT], const uint8_t* data,
                                   size_t size)
{
    if (size < BAKED_PACK_HEADER)
    {
        return false;
    }
    size_t left = size - BAKED_PACK_HEADER, json = baked_pack_number(data);
    size_t texture = baked_pack_number(data + 4);
    if (json > left || texture > left - json)
    {
        return false;
    }
    const uint8_t* at = data + BAKED_PACK_HEADER;
    parts[0] = (baked_part){at, json};
    parts[1] = (baked_part){at + json, texture};
    parts[2] = (baked_part){at + json + texture, left - json - texture};
    return true;
}

#endif
