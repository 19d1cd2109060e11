// SPDX-License-Identifier: MIT
// JSON to be changed and written again, as values of jansson. pelt parses the text itself:
// jansson's reader drops characters of a string silently when its buffer cannot grow.
#ifndef PELT_JSON_TREE_H
#define PELT_JSON_TREE_H

#include "pelt/pelt.h"

#include <jansson.h>

typedef struct pelti_json_text
{
    const char* name; ///< start of a message about it
    const char* bytes;
    size_t size;
    bool has_unique_names; ///< two members of one name are an error; false: the last counts
} pelti_json_text;

/// @param out  free with json_decref(); NULL after a failure
/// @return PELT_OK, PELT_ERROR_DATA or PELT_ERROR_MEMORY
pelt_result pelti_json_tree(json_t** out, const pelti_json_text* text, pelt_error* error);

#endif
