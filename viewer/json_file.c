// SPDX-License-Identifier: MIT
#include "json_file.h"

#include "pelt/io.h"

#include <stdlib.h>
#include <string.h>

pelt_result json_file_save(const char* path, json_t* object, pelt_error* error)
{
    char* text =
        object != NULL ? json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(7)) : NULL;
    json_decref(object);
    pelt_result result =
        text != NULL ? pelt_save_bytes(path, text, strlen(text), error) : pelt_error_memory(error);
    free(text);
    return result;
}
