// SPDX-License-Identifier: MIT
#include "json_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

pelt_result json_file_save(const char* path, json_t* object, pelt_error* error)
{
    char aside[4096];
    pelt_result result = PELT_OK;
    int length = snprintf(aside, sizeof aside, "%s.tmp", path);
    errno = ENAMETOOLONG;
    bool is_written = object != NULL && length > 0 && (size_t)length < sizeof aside &&
                      json_dump_file(object, aside, JSON_INDENT(2) | JSON_REAL_PRECISION(7)) == 0 &&
                      rename(aside, path) == 0;
    if (!is_written)
    {
        result =
            pelt_error_set(error, PELT_ERROR_WRITE, "cannot write %s: %s", path, strerror(errno));
        remove(aside);
    }
    json_decref(object);
    return result;
}
