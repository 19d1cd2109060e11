// SPDX-License-Identifier: MIT
// Kernels for AVX2.
#include "../base/exact.h"

#include "deformer.h"

#if PELTI_HAS_X86_SETS

#define PELTI_TARGET_AVX2
#include "deformer_kernel.h"

const pelti_block_kernels* pelti_block_kernels_avx2(void)
{
    return &kernels;
}

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

const pelti_block_kernels* pelti_block_kernels_avx2(void)
{
    return NULL;
}

#endif
