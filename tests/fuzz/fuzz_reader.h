// SPDX-License-Identifier: MIT
// Any bytes as a file: refused, or a scene that keeps every promise.
#ifndef PELT_FUZZ_READER_H
#define PELT_FUZZ_READER_H

#include "../../io/readers.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef pelt_result (*fuzz_reader)(pelt_scene** out, const pelti_blob* file, const char* path,
                                   const pelt_load_options* options, pelt_error* error);

static inline int fuzz_read(fuzz_reader read, const uint8_t* data, size_t size)
{
    uint8_t* copy = malloc(size + 1);
    memcpy(copy, data, size);

    pelti_blob file = {copy, size};
    pelt_scene* scene = NULL;
    pelt_error error;
    // No such folder, so that files it names are never found.
    if (read(&scene, &file, "no_such_folder/fuzz", NULL, &error) == PELT_OK)
    {
        if (pelt_scene_validate(scene, &error) != PELT_OK)
        {
            abort();
        }
        pelt_scene_destroy(scene);
    }
    free(copy);
    return 0;
}

#endif
