// SPDX-License-Identifier: MIT
// JSON files that appear whole or not at all.
#ifndef PELT_JSON_FILE_H
#define PELT_JSON_FILE_H

#include "pelt/base.h"

#include <jansson.h>

/// Write an object and release it.
pelt_result json_file_save(const char* path, json_t* object, pelt_error* error);

#endif
