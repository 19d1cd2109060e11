// SPDX-License-Identifier: MIT
// Any text as the name of a rig: built or refused.
#include "rigs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char text[32];
    if (size >= sizeof text)
    {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    // Large rigs are valid and take seconds, as do all that look like animals: what is looked for
    // is in the reading of names.
    const char* digits = strchr(text, '=');
    if (strstr(text, "human") != NULL || strstr(text, "raptor") != NULL ||
        (digits != NULL && atoi(digits + 1) > 3000))
    {
        return 0;
    }

    pelt_scene* scene;
    pelt_error error;
    if (pelt_rig_build(&scene, text, &error) == PELT_OK)
    {
        pelt_scene_destroy(scene);
    }
    return 0;
}
