// SPDX-License-Identifier: MIT
// Encoded clips become one texture, and the struct that describes it.
#ifndef PELTI_BAKE_LAYOUT_H
#define PELTI_BAKE_LAYOUT_H

#include "bake_search.h"

/// The keys of a run: part of a code, which runs may share.
typedef struct pelti_run_keys
{
    const pelti_code* code;
    uint32_t first_key, key_count;
} pelti_run_keys;

/// Lay out a bake whose clips, joints and counts are set, and write its texture.
/// @param inout     gets the size of the texture and its words
/// @param runs      of all clips, in order: get their places
/// @param keys      of these runs; those that share a code follow each other
/// @param has_rows  each key starts a row
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED: larger than max_size allows
pelt_result pelti_layout_write(pelt_baked* inout, pelt_baked_run* runs, const pelti_run_keys* keys,
                               uint32_t run_count, bool has_rows, uint32_t max_size,
                               pelt_error* error);

/// Say that so many words are larger than max_size allows.
pelt_result pelti_layout_refuse(uint64_t words, uint32_t max_size, pelt_error* error);

#endif
