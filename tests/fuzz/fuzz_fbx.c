// SPDX-License-Identifier: MIT
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz_read(pelti_read_fbx, data, size, SCENE_MORE_NODES | SCENE_NAMES_FREE);
    return 0;
}
