// SPDX-License-Identifier: MIT
// Kernels for the base instruction set of a machine: SSE2, NEON, or no vectors at all.
#include "../base/exact.h"

#include "deformer.h"

#include "deformer_kernel.h"

const pelti_block_kernels* pelti_block_kernels_base(void)
{
    return &kernels;
}
