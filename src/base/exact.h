// SPDX-License-Identifier: MIT
// Every compiler, machine and set of flags gives the same bits: a * b + c is two rounded
// operations, never a fused one. Compilers fuse them by default where the machine can; this header
// disables that, so that a plain `cc` is enough.
//
// It is the first include of a file, before inline functions of other headers: gcc inlines only
// between functions with the same options.
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
// gcc 12.2 fuses products with alternating signs in its vectorizer of straight code all the same.
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#endif
