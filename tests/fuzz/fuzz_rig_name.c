// SPDX-License-Identifier: MIT
// Any text as the name of a rig: built or refused.
#include "rigs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    // Large rigs are valid and slow; six digits of vertices are enough to look for mistakes.
    if (size > 24)
    {
        return 0;
    }
    char text[32];
    memcpy(text, data, size);
    text[size] = '\0';

    pelt_scene* scene;
    pelt_error error;
    if (pelt_rig_build(&scene, text, &error) == PELT_OK)
    {
        pelt_scene_destroy(scene);
    }
    return 0;
}
