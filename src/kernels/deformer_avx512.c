// SPDX-License-Identifier: MIT
// Kernels for AVX-512.
#include "../base/exact.h"

#include "deformer.h"

#if PELTI_HAS_X86_SETS

#define PELTI_TARGET_AVX512
#include "deformer_kernel.h"

const pelti_block_kernels* pelti_block_kernels_avx512(void)
{
    return &kernels;
}

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

const pelti_block_kernels* pelti_block_kernels_avx512(void)
{
    return NULL;
}

#endif
