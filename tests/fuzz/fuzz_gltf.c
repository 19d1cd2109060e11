// SPDX-License-Identifier: MIT
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (fuzz_read(pelti_read_gltf, data, size, SCENE_MORE_NODES))
    {
        stages_add(data, size);
    }
    return 0;
}
