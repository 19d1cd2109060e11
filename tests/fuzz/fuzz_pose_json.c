// SPDX-License-Identifier: MIT
// Any text as joint changes: parsed or refused, and what is parsed can be applied.
#include "pelt/io.h"
#include "rigs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static pelt_scene* scene;
    static pelt_pose pose;
    if (scene == NULL && (pelt_rig_build(&scene, "rig:arm?vertices=300", NULL) != PELT_OK ||
                          pelt_pose_create(&pose, scene) != PELT_OK))
    {
        abort();
    }
    char* text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';

    pelt_override* overrides;
    uint32_t count;
    pelt_error error;
    if (pelt_overrides_parse(&overrides, &count, text, scene, &error) == PELT_OK)
    {
        pelt_pose_override(&pose, scene, overrides, count);
        pelt_release(overrides);
    }
    free(text);
    return 0;
}
