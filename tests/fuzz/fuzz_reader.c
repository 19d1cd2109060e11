// SPDX-License-Identifier: MIT
#include "fuzz_reader.h"

#include <string.h>

bool fuzz_read(fuzz_reader read, const uint8_t* data, size_t size, uint32_t freedom)
{
    // A copy of exactly this size, so that the first byte too far is seen.
    uint8_t* copy = malloc(size > 0 ? size : 1);
    memcpy(copy, data, size);

    // No such folder, so that files it names are never found.
    const pelt_source file = {.path = "no_such_folder/fuzz", .bytes = copy, .size = size};
    pelt_scene* scene = NULL;
    pelt_error error = {""};
    bool is_short = false;
    if (read(&scene, &file, NULL, &error) == PELT_OK)
    {
        REQUIRE(pelt_scene_validate(scene, &error) == PELT_OK);
        is_short = stages_are_short(scene);
        if (is_short)
        {
            stages_run(scene, freedom);
        }
        pelt_scene_destroy(scene);
    }
    else
    {
        REQUIRE(scene == NULL && error.message[0] != '\0');
    }
    free(copy);
    return is_short;
}
