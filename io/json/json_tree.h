// SPDX-License-Identifier: MIT
// JSON that is to be changed and written again, as values of jansson. Their text is read by pelt
// itself: jansson's reader drops characters of a string, in silence, when its buffer cannot grow.
#ifndef PELT_JSON_TREE_H
#define PELT_JSON_TREE_H

#include "pelt/pelt.h"

#include <jansson.h>

typedef struct pelti_json_text
{
    const char* name; ///< what a sentence about it begins with
    const char* bytes;
    size_t size;
    bool has_unique_names; ///< two members of one name are an error; false: the last counts
} pelti_json_text;

/// @param out  free with json_decref(); NULL after a failure
/// @return PELT_OK, PELT_ERROR_DATA or PELT_ERROR_MEMORY
pelt_result pelti_json_tree(json_t** out, const pelti_json_text* text, pelt_error* error);

#endif
