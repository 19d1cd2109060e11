// SPDX-License-Identifier: MIT
// UTF-8, and decimal numbers of text formats.
#ifndef PELTI_TEXT_PARSE_H
#define PELTI_TEXT_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The number of bytes of the UTF-8 character (RFC 3629) at `at`, 1 to 4.
/// @param end  of the text; greater than at
/// @return 0 when it is not UTF-8
size_t pelti_utf8_size(const char* at, const char* end);

bool pelti_utf8_is_valid(const char* text, size_t size);

/// Write a code point, up to 0x10FFFF, as 1 to 4 bytes. @return their number
size_t pelti_utf8_put(char* out, uint32_t code);

/// The value of a hexadecimal digit in either case, or -1.
int pelti_hex_digit(char c);

enum
{
    PELTI_NUMBER_MAX = 512, ///< characters of a number; longer ones are refused
};

/// [sign] digits [. digits] [e [sign] digits]. Stricter formats check the fields.
typedef struct pelti_number
{
    double value;    ///< the nearest double; NaN: no digits, or too many
    int64_t integer; ///< the same, if is_integer
    bool is_integer; ///< without point and exponent, and within 64 bits
    const char* end; ///< of the number; its beginning if it has no digits
    bool has_plus;   ///< it begins with '+'
    bool has_zero;   ///< its first digit is 0
    bool has_point, has_exponent;
    bool is_too_long; ///< more than PELTI_NUMBER_MAX
    uint32_t whole_digits, fraction_digits, exponent_digits;
} pelti_number;

/// Parse the longest number at the start of a text. The result does not depend on the locale.
pelti_number pelti_number_parse(const char* text, const char* end);

#endif
