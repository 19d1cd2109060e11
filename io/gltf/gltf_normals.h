// SPDX-License-Identifier: MIT
// The layout of normal factors in vertex attributes: docs/files.md, "The attributes _PELT_NORMAL_".
#ifndef PELTI_GLTF_NORMALS_H
#define PELTI_GLTF_NORMALS_H

#include "pelt/prepare.h"

enum
{
    PELTI_NORMAL_LANES = 4,       ///< slots of a group
    PELTI_NORMAL_TABLE_COUNT = 7, ///< floats of a slot
    PELTI_NORMAL_ARRAY_COUNT = 5, ///< arrays with one element for each vertex
    PELTI_NORMAL_NAME_SIZE = 48,
};

#define PELTI_NORMAL_PREFIX "_PELT_NORMAL_"
#define PELTI_NORMAL_SCALE PELTI_NORMAL_PREFIX "SCALE" ///< pelt_normal_units(), with bits

/// One number of every slot: "_PELT_NORMAL_ALPHA_0" has those of the first group.
typedef struct pelti_normal_table
{
    const char* name;
    size_t offset; ///< of the float in pelt_normal_factor
    int unit;      ///< its index in pelt_normal_units(); -1: a weight
} pelti_normal_table;

extern const pelti_normal_table pelti_normal_tables[PELTI_NORMAL_TABLE_COUNT];

/// An attribute with one element for each vertex, by its whole name.
typedef struct pelti_normal_array
{
    const char* name;
    uint32_t width;
    bool is_center; ///< present together with the others of its kind, or absent
} pelti_normal_array;

extern const pelti_normal_array pelti_normal_arrays[PELTI_NORMAL_ARRAY_COUNT];

/// Numbers of one group: as many as there are slots, up to four, and more where these would not end
/// at a multiple of four bytes.
/// @param size  of a number in bytes
static inline uint32_t pelti_normal_lanes(uint32_t slots, uint32_t size)
{
    return slots < PELTI_NORMAL_LANES && slots * size % 4 == 0 ? slots : PELTI_NORMAL_LANES;
}

/// "_PELT_NORMAL_" and the name of a table, and the number of a group.
void pelti_normal_name(char out[PELTI_NORMAL_NAME_SIZE], const char* table, uint32_t group);

#endif
