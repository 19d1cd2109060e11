// SPDX-License-Identifier: MIT
// The same bits from every compiler, machine and set of flags: a * b + c is two operations, each
// rounded, never one fused. Compilers contract where the machine can unless told otherwise: this
// header tells them, so that a plain `cc` is enough.
//
// The first include of a file, so that inline functions of headers come after: gcc inlines
// only between functions with the same options.
#ifndef PELTI_EXACT_H
#define PELTI_EXACT_H

#ifdef __FAST_MATH__
#error "pelt checks for NaN and promises the same bits everywhere: compile it without -ffast-math"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off") // gcc does not know the pragma of the standard
#ifdef __FMA__
// Its vectorizer of straight code fuses products with alternating signs in spite of that (12.2).
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#endif
