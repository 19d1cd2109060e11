// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700

#include "model_files.h"

#include <string.h>

bool model_files_find(glob_t* out, const char* endings)
{
    *out = (glob_t){0};
    bool has_all = true;
    for (const char* at = endings; *at != '\0'; at += at[0] == ' ')
    {
        char pattern[4200];
        int length = (int)strcspn(at, " ");
        snprintf(pattern, sizeof pattern, "%s/*/*.%.*s", test_models_folder(), length, at);
        has_all = glob(pattern, out->gl_pathc > 0 ? GLOB_APPEND : 0, NULL, out) == 0 && has_all;
        at += length;
    }
    return has_all;
}
