// SPDX-License-Identifier: MIT
// JSON files that appear whole or not at all.
#ifndef PELT_JSON_FILE_H
#define PELT_JSON_FILE_H

#include "pelt/base.h"

#include <jansson.h>

/// Write an object by pelt_save_bytes(): through links, into pipes, over regular files. Releases
/// the object, also on failure.
/// @param object  NULL: out of memory
pelt_result json_file_save(const char* path, json_t* object, pelt_error* error);

#endif
