// SPDX-License-Identifier: MIT
// Kernels for whatever the compiler may use everywhere, and the choice between all of them.
#include "../base/exact.h"

#include "cor_kernel_wide.h"

static const pelti_cor_kernels* get(pelti_isa isa)
{
    switch (isa)
    {
    case PELTI_ISA_AVX2:
        return pelti_cor_kernels_avx2();
    case PELTI_ISA_AVX512:
        return pelti_cor_kernels_avx512();
    default:
        return &kernels;
    }
}

uint32_t pelti_cor_kernels_list(const pelti_cor_kernels* out[PELTI_COR_KERNELS_MAX])
{
    uint32_t count = 0;
    for (int isa = 0; isa < PELTI_ISA_COUNT; ++isa)
    {
        if (pelti_isa_is_there((pelti_isa)isa))
        {
            out[count++] = get((pelti_isa)isa);
        }
    }
    return count;
}

const pelti_cor_kernels* pelti_cor_kernels_get(void)
{
    return get(pelti_isa_get());
}
