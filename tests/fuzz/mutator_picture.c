// SPDX-License-Identifier: MIT
#include "mutator.h"

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
{
    uint64_t state = seed;
    return mutator_change_png(data, size, max_size, &state);
}
