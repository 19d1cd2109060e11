// SPDX-License-Identifier: MIT
// Decimal numbers of text formats, whatever the locale: the nearest double on every machine.
#ifndef PELTI_NUMBER_H
#define PELTI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
    PELTI_NUMBER_MAX = 512, ///< characters of a number; longer ones are refused
};

/// [sign] digits [. digits] [e [sign] digits], as far as a text goes along with it. Formats that
/// are stricter look at what was there.
typedef struct pelti_number
{
    double value;    ///< the nearest; NaN: no digits, or too many
    int64_t integer; ///< the same, where is_integer
    bool is_integer; ///< neither point nor exponent, and within 64 bits
    const char* end; ///< behind the number; its beginning where there are no digits
    bool has_plus;   ///< it begins with '+'
    bool has_zero;   ///< its first digit is 0
    bool has_point, has_exponent;
    bool is_too_long; ///< more than PELTI_NUMBER_MAX
    uint32_t whole_digits, fraction_digits, exponent_digits;
} pelti_number;

pelti_number pelti_number_parse(const char* text, const char* end);

#endif
