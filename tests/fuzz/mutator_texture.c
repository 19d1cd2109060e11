// SPDX-License-Identifier: MIT
// Behind the two bytes that fuzz_texture.c begins with.
#include "mutator.h"

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
{
    enum
    {
        HEAD = 2
    };
    uint64_t state = seed;
    return size > HEAD && mutator_pick(&state, 16) > 0
               ? HEAD + mutator_change_png(data + HEAD, size - HEAD, max_size - HEAD, &state)
               : LLVMFuzzerMutate(data, size, max_size);
}
