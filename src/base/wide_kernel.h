// SPDX-License-Identifier: MIT
// The last include of a file of kernels, see wide.h: what follows is compiled for the instruction
// set that the file has defined.
#include "wide.h"

#if defined(PELTI_TARGET_AVX512)
#define PELTI_WIDE_LANES 16
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))),        \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl")
#endif
#elif defined(PELTI_TARGET_AVX2)
#define PELTI_WIDE_LANES 8
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#else
#define PELTI_WIDE_LANES 4
#endif

typedef float wide __attribute__((vector_size(4 * PELTI_WIDE_LANES)));
typedef int32_t wide_int __attribute__((vector_size(4 * PELTI_WIDE_LANES)));
typedef uint16_t wide_short __attribute__((vector_size(2 * PELTI_WIDE_LANES)));
typedef float wide_memory __attribute__((vector_size(4 * PELTI_WIDE_LANES), aligned(4), may_alias));
typedef uint16_t wide_short_memory
    __attribute__((vector_size(2 * PELTI_WIDE_LANES), aligned(2), may_alias));

PELTI_INLINE wide wide_load(const float* from)
{
    return *(const wide_memory*)from;
}

PELTI_INLINE void wide_store(float* to, wide value)
{
    *(wide_memory*)to = value;
}

PELTI_INLINE wide wide_all(float value)
{
    return (wide){0} + value;
}

PELTI_INLINE wide wide_load_u16(const uint16_t* from)
{
    wide_int whole = __builtin_convertvector(*(const wide_short_memory*)from, wide_int);
    return __builtin_convertvector(whole, wide);
}
