// SPDX-License-Identifier: MIT
// How time grows with size.
#ifndef PELT_GROWTH_H
#define PELT_GROWTH_H

#include <stdint.h>

/// The exponent e of the law time = c size^e that fits best: the slope of the least-squares line
/// through the logarithms. Pairs that are not finite and above 0 are left out.
/// @return NaN when fewer than two different sizes remain
double growth_exponent(const double* sizes, const double* seconds, uint32_t count);

#endif
