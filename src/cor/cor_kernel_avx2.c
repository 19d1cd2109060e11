// SPDX-License-Identifier: MIT
// Kernels for AVX2.
#include "../base/exact.h"

#include "../base/wide.h"

#if PELTI_HAS_X86_SETS

#define PELTI_TARGET_AVX2
#include "cor_kernel_wide.h"

const pelti_cor_kernels* pelti_cor_kernels_avx2(void)
{
    return &kernels;
}

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

#include "cor_kernel.h"

const pelti_cor_kernels* pelti_cor_kernels_avx2(void)
{
    return NULL;
}

#endif
