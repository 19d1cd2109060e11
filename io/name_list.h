// SPDX-License-Identifier: MIT
// Sorted lists of names: looking names up by a linear search is quadratic in some files.
#ifndef PELT_NAME_LIST_H
#define PELT_NAME_LIST_H

#include "pelt/pelt.h"

typedef struct pelti_name
{
    const char* text;
    uint32_t index;
} pelti_name;

typedef struct pelti_name_list
{
    pelti_name* sorted;
    uint32_t count;
} pelti_name_list;

/// Sorting takes n log n comparisons, whatever the names are, which no table of hashes promises.
/// @param first   the name of the first element; NULL names are left out
/// @param stride  bytes from a name to that of the next element
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_name_list_create(pelti_name_list* out, const char* const* first, size_t stride,
                                   uint32_t count);
void pelti_name_list_destroy(pelti_name_list* list);

/// @return the first element of that name, or PELT_NONE
uint32_t pelti_name_list_find(const pelti_name_list* list, const char* name);

#endif
