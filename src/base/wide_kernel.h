// SPDX-License-Identifier: MIT
// The last include of a file of kernels, see wide.h: what follows is compiled for the instruction
// set that the file has defined.
#include "wide.h"

#include <math.h>

// Before intrinsics, which are inlined only between equal options: see exact.h. With -O2, gcc
// leaves loops over the entries of a matrix as they are, which keeps it in memory: kernels take
// nearly twice as long, and twenty times without options, as in a debug build. With a sanitizer,
// they would take minutes to compile; and with -O2 instead, gcc 12 loses the first half of each
// block in a kernel of AVX-512, unless induction variables stay as they are.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#pragma GCC optimize("O3")
#else
#pragma GCC optimize("no-ivopts")
#endif
#endif

#if defined(PELTI_TARGET_AVX512) || defined(PELTI_TARGET_AVX2)
#include <immintrin.h>
#elif defined(__aarch64__) && !defined(PELT_SCALAR)
#include <arm_neon.h>
#elif defined(__SSE2__) && !defined(PELT_SCALAR)
#include <emmintrin.h>
#endif

#if defined(PELTI_TARGET_AVX512)
#define PELTI_WIDE_LANES 16
#define PELTI_WIDE_ISA PELTI_ISA_AVX512
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma"))),    \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,fma")
#endif
#elif defined(PELTI_TARGET_AVX2)
#define PELTI_WIDE_LANES 8
#define PELTI_WIDE_ISA PELTI_ISA_AVX2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#else
#define PELTI_WIDE_LANES 4
#define PELTI_WIDE_ISA PELTI_ISA_BASE
#endif

// Before a loop over vectors: two of them side by side, which share what is broadcast, and of which
// one computes while the other waits. WIDE_WHOLE comes before a loop over entries of a matrix,
// which are in memory otherwise.
#if defined(__clang__)
#define WIDE_PAIRS _Pragma("clang loop unroll_count(2)")
#define WIDE_FOURS _Pragma("clang loop unroll_count(4)")
#define WIDE_WHOLE _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define WIDE_PAIRS _Pragma("GCC unroll 2")
#define WIDE_FOURS _Pragma("GCC unroll 4")
#define WIDE_WHOLE _Pragma("GCC unroll 16")
#endif

typedef float wide __attribute__((vector_size(4 * PELTI_WIDE_LANES)));
typedef int32_t wide_int __attribute__((vector_size(4 * PELTI_WIDE_LANES)));
typedef uint32_t wide_bits __attribute__((vector_size(4 * PELTI_WIDE_LANES)));
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

/// Whether wide_stream() goes past the caches. For small parts of lines, it would take longer than
/// an ordinary store.
#if defined(PELTI_TARGET_AVX512) || defined(PELTI_TARGET_AVX2)
#define PELTI_WIDE_STREAMS true
#else
#define PELTI_WIDE_STREAMS false
#endif

/// To an aligned address, past the caches: whole lines that are not read again soon.
/// wide_stream_end() comes before anyone reads them.
PELTI_INLINE void wide_stream(float* to, wide value)
{
#if defined(PELTI_TARGET_AVX512)
    _mm512_stream_ps(to, (__m512)value);
#elif defined(PELTI_TARGET_AVX2)
    _mm256_stream_ps(to, (__m256)value);
#else
    wide_store(to, value);
#endif
}

PELTI_INLINE void wide_stream_end(void)
{
#if defined(PELTI_TARGET_AVX512) || defined(PELTI_TARGET_AVX2)
    _mm_sfence();
#endif
}

PELTI_INLINE wide wide_all(float value)
{
    return value - (wide){0}; // which compilers take for a broadcast: adding would change -0
}

/// Whole numbers.
PELTI_INLINE wide wide_load_u16(const uint16_t* from)
{
#if defined(PELTI_TARGET_AVX512)
    __m512i whole = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)(const void*)from));
    return (wide)_mm512_cvtepi32_ps(whole);
#elif defined(PELTI_TARGET_AVX2)
    // gcc would widen the halves one by one.
    __m256i whole = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i*)(const void*)from));
    return (wide)_mm256_cvtepi32_ps(whole);
#else
    wide_int whole = __builtin_convertvector(*(const wide_short_memory*)from, wide_int);
    return __builtin_convertvector(whole, wide);
#endif
}

/// a b + c: rounded once where the set has fused multiply-adds, which is the same on all that have
/// them, and twice in the base set.
PELTI_INLINE wide wide_mad(wide a, wide b, wide c)
{
#if defined(PELTI_TARGET_AVX512)
    return (wide)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(PELTI_TARGET_AVX2)
    return (wide)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return a * b + c;
#endif
}

/// c - a b
PELTI_INLINE wide wide_nmad(wide a, wide b, wide c)
{
#if defined(PELTI_TARGET_AVX512)
    return (wide)_mm512_fnmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(PELTI_TARGET_AVX2)
    return (wide)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return c - a * b;
#endif
}

PELTI_INLINE wide wide_root(wide a)
{
#if defined(PELTI_TARGET_AVX512)
    return (wide)_mm512_sqrt_ps((__m512)a);
#elif defined(PELTI_TARGET_AVX2)
    return (wide)_mm256_sqrt_ps((__m256)a);
#elif defined(__aarch64__) && !defined(PELT_SCALAR)
    return (wide)vsqrtq_f32((float32x4_t)a);
#elif defined(__SSE2__) && !defined(PELT_SCALAR)
    return (wide)_mm_sqrt_ps((__m128)a);
#else
    for (int i = 0; i < PELTI_WIDE_LANES; ++i)
    {
        a[i] = sqrtf(a[i]);
    }
    return a;
#endif
}

/// Whether the highest bit of any lane is set.
PELTI_INLINE bool wide_has_high_bit(wide_bits a)
{
#if defined(PELTI_TARGET_AVX512)
    return _mm512_movepi32_mask((__m512i)a) != 0;
#elif defined(PELTI_TARGET_AVX2)
    return _mm256_movemask_ps((__m256)a) != 0;
#elif defined(__aarch64__) && !defined(PELT_SCALAR)
    return vmaxvq_u32((uint32x4_t)a) >> 31 != 0;
#elif defined(__SSE2__) && !defined(PELT_SCALAR)
    return _mm_movemask_ps((__m128)a) != 0;
#else
    uint32_t any = 0;
    for (int i = 0; i < PELTI_WIDE_LANES; ++i)
    {
        any |= a[i];
    }
    return any >> 31 != 0;
#endif
}

// ---------------------------------------------------------------------------------------------
// Planes to packed vectors

#if PELTI_WIDE_LANES == 16
#define WIDE_EACH(F)                                                                               \
    F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9), F(10), F(11), F(12), F(13), F(14), \
        F(15)
#elif PELTI_WIDE_LANES == 8
#define WIDE_EACH(F) F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7)
#else
#define WIDE_EACH(F) F(0), F(1), F(2), F(3)
#endif

// Lane i gets lane F(i) of a, followed by b.
#if defined(__clang__)
#define WIDE_SHUFFLE(a, b, F) __builtin_shufflevector(a, b, WIDE_EACH(F))
#else
#define WIDE_SHUFFLE(a, b, F) __builtin_shuffle(a, b, (wide_int){WIDE_EACH(F)})
#endif

// 3 and the number of lanes have no common divisor, so that the lanes of x, at distances of 3,
// never meet: each plane is rotated once to where its lanes belong in any of the three results, and
// these only choose. 11 is the inverse of 3 modulo 4, 8 and 16.
#define WIDE_X(i) ((i)*11 % PELTI_WIDE_LANES)
#define WIDE_Y(i) (((i) + PELTI_WIDE_LANES - 1) * 11 % PELTI_WIDE_LANES)
#define WIDE_Z(i) (((i) + PELTI_WIDE_LANES - 2) * 11 % PELTI_WIDE_LANES)
#define WIDE_PART(k, i, axis)                                                                      \
    ((i) + (((k)*PELTI_WIDE_LANES + (i)) % 3 == (axis) ? PELTI_WIDE_LANES : 0))
#define WIDE_Y0(i) WIDE_PART(0, i, 1)
#define WIDE_Z0(i) WIDE_PART(0, i, 2)
#define WIDE_Y1(i) WIDE_PART(1, i, 1)
#define WIDE_Z1(i) WIDE_PART(1, i, 2)
#define WIDE_Y2(i) WIDE_PART(2, i, 1)
#define WIDE_Z2(i) WIDE_PART(2, i, 2)

/// x, y, z, x, y, z ...
/// @param is_streamed  by wide_stream()
PELTI_INLINE void wide_store3(float* to, wide x, wide y, wide z, bool is_streamed)
{
    x = WIDE_SHUFFLE(x, x, WIDE_X);
    y = WIDE_SHUFFLE(y, y, WIDE_Y);
    z = WIDE_SHUFFLE(z, z, WIDE_Z);
    wide first = WIDE_SHUFFLE(x, y, WIDE_Y0), second = WIDE_SHUFFLE(x, y, WIDE_Y1);
    wide third = WIDE_SHUFFLE(x, y, WIDE_Y2);
    first = WIDE_SHUFFLE(first, z, WIDE_Z0);
    second = WIDE_SHUFFLE(second, z, WIDE_Z1);
    third = WIDE_SHUFFLE(third, z, WIDE_Z2);
    if (PELTI_WIDE_STREAMS && is_streamed)
    {
        wide_stream(to, first);
        wide_stream(to + PELTI_WIDE_LANES, second);
        wide_stream(to + 2 * PELTI_WIDE_LANES, third);
        return;
    }
    wide_store(to, first);
    wide_store(to + PELTI_WIDE_LANES, second);
    wide_store(to + 2 * PELTI_WIDE_LANES, third);
}

#define WIDE_LOW(i) ((i) / 2 + (i) % 2 * PELTI_WIDE_LANES)
#define WIDE_HIGH(i) (WIDE_LOW(i) + PELTI_WIDE_LANES / 2)

/// x, y, z, w, x, y, z, w ...
PELTI_INLINE void wide_store4(float* to, wide x, wide y, wide z, wide w)
{
    wide xz = WIDE_SHUFFLE(x, z, WIDE_LOW), yw = WIDE_SHUFFLE(y, w, WIDE_LOW);
    wide_store(to, WIDE_SHUFFLE(xz, yw, WIDE_LOW));
    wide_store(to + PELTI_WIDE_LANES, WIDE_SHUFFLE(xz, yw, WIDE_HIGH));
    xz = WIDE_SHUFFLE(x, z, WIDE_HIGH);
    yw = WIDE_SHUFFLE(y, w, WIDE_HIGH);
    wide_store(to + 2 * PELTI_WIDE_LANES, WIDE_SHUFFLE(xz, yw, WIDE_LOW));
    wide_store(to + 3 * PELTI_WIDE_LANES, WIDE_SHUFFLE(xz, yw, WIDE_HIGH));
}
