// SPDX-License-Identifier: MIT
// Wide floats: kernels are written once over vectors of the compiler and compiled for several
// instruction sets, of which the best is chosen at run time. Nothing is reordered, and products are
// fused with sums only where wide_mad() says so: all sets that can fuse give the same bits, and the
// base set, which never does, gives the same on every machine.
//
// A file of kernels for one set defines PELTI_TARGET_AVX2 or PELTI_TARGET_AVX512, or neither, and
// includes this after exact.h and all other headers: what follows is compiled for the set, with
// PELTI_WIDE_LANES floats in a `wide`.
#ifndef PELTI_WIDE_H
#define PELTI_WIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// gcc on Windows assumes that the stack is aligned to wide registers, which it is not (gcc bug
// 54412).
#if defined(__x86_64__) && !defined(PELT_SCALAR) && (!defined(_WIN32) || defined(__clang__))
#define PELTI_HAS_X86_SETS 1
#else
#define PELTI_HAS_X86_SETS 0
#endif

#define PELTI_INLINE static inline __attribute__((always_inline))

typedef enum pelti_isa
{
    PELTI_ISA_BASE,   ///< what the compiler may use on every machine: SSE2, NEON or nothing
    PELTI_ISA_AVX2,   ///< with FMA
    PELTI_ISA_AVX512, ///< with DQ, BW and VL
    PELTI_ISA_COUNT
} pelti_isa;

static inline const char* pelti_isa_name(pelti_isa isa)
{
    static const char* const names[PELTI_ISA_COUNT] = {"base", "avx2", "avx512"};
    return names[isa];
}

static inline bool pelti_isa_is_there(pelti_isa isa)
{
#if PELTI_HAS_X86_SETS
    bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl");
    return isa == PELTI_ISA_BASE || (isa == PELTI_ISA_AVX2 && has_avx2) ||
           (isa == PELTI_ISA_AVX512 && has_avx512);
#else
    return isa == PELTI_ISA_BASE;
#endif
}

/// The best set of this machine, or the one that PELT_ISA names if the machine has it.
static inline pelti_isa pelti_isa_get(void)
{
    const char* wanted = getenv("PELT_ISA");
    pelti_isa best = PELTI_ISA_BASE;
    for (int i = 0; i < PELTI_ISA_COUNT; ++i)
    {
        pelti_isa isa = (pelti_isa)i;
        bool is_wanted = wanted != NULL && strcmp(wanted, pelti_isa_name(isa)) == 0;
        if (is_wanted && pelti_isa_is_there(isa))
        {
            return isa;
        }
        best = pelti_isa_is_there(isa) ? isa : best;
    }
    return best;
}

#endif
