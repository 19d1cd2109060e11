// SPDX-License-Identifier: MIT
// Numbers, units and moments of a comparison as text.
#ifndef PELT_WORDING_H
#define PELT_WORDING_H

#include "comparison.h"

/// A short text by value.
typedef struct wording
{
    char text[256];
} wording;

/// Three significant digits, at most four behind the point; "0.00" below 0.0005; "-" if not finite.
wording wording_number(double value);

/// The unit of lengths: "mm", or "m" for bodies of many meters.
const char* wording_length_unit(const comparison* in);

/// In that unit.
double wording_length(const comparison* in, double meters);

/// A value of a quantity in its unit: percent, or that of lengths.
double wording_scaled(const comparison* in, quantity what, double value);
const char* wording_unit(const comparison* in, quantity what);

/// "61.7 %", "38.3 mm"; with a sign where `is_signed`.
wording wording_value(const comparison* in, quantity what, double value, bool is_signed);

/// "in clip wave at 1.20 s", "when forearm_l is bent by 90 degrees".
wording wording_moment(const comparison* in, uint32_t motion, uint32_t frame);

#endif
