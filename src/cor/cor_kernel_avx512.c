// SPDX-License-Identifier: MIT
// Kernels for AVX-512.
#include "../base/exact.h"

#include "../base/wide.h"

#if PELTI_HAS_X86_SETS

#define PELTI_TARGET_AVX512
#include "cor_kernel_wide.h"

const pelti_cor_kernels* pelti_cor_kernels_avx512(void)
{
    return &kernels;
}

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

#include "cor_kernel.h"

const pelti_cor_kernels* pelti_cor_kernels_avx512(void)
{
    return NULL;
}

#endif
