// SPDX-License-Identifier: MIT
// Any bytes as a FBX file: refused, or a scene that keeps every promise.
#include "../../io/readers.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    uint8_t* copy = malloc(size + 1);
    memcpy(copy, data, size);

    pelti_blob file = {copy, size};
    pelt_scene* scene = NULL;
    pelt_error error;
    if (pelti_read_fbx(&scene, &file, "no_such_folder/fuzz.fbx", NULL, &error) == PELT_OK)
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
