// SPDX-License-Identifier: MIT
// UTF-8 and decimal numbers of text formats.
#include "text_parse.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Digits without their point.
typedef struct mantissa
{
    uint64_t value;
    bool is_exact; // value is below 2^64 and holds all of them
} mantissa;

static bool is_digit(const char* at, const char* end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static const char* read_digits(mantissa* inout, uint32_t* count, const char* at, const char* end)
{
    const char* start = at;
    for (; is_digit(at, end); ++at)
    {
        uint64_t digit = (uint64_t)(*at - '0');
        inout->is_exact = inout->is_exact && inout->value <= (UINT64_MAX - digit) / 10;
        inout->value = inout->is_exact ? 10 * inout->value + digit : 0;
    }
    size_t length = (size_t)(at - start);
    *count = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    return at;
}

static const char* read_exponent(int* exponent, uint32_t* count, const char* at, const char* end)
{
    bool is_negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    mantissa digits = {.is_exact = true};
    at = read_digits(&digits, count, at, end);
    int size = digits.is_exact && digits.value < 10000 ? (int)digits.value : 10000;
    *exponent = is_negative ? -size : size;
    return at;
}

// By the C library, which needs the decimal point of the locale and a zero at the end.
static double convert(const char* text, size_t size)
{
    char copy[PELTI_NUMBER_MAX + 1];
    memcpy(copy, text, size);
    copy[size] = '\0';
    char* point = strchr(copy, '.');
    if (point != NULL)
    {
        *point = localeconv()->decimal_point[0];
    }
    return strtod(copy, NULL);
}

pelti_number pelti_number_parse(const char* text, const char* end)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum
    {
        POWER_MAX = sizeof powers / sizeof powers[0] - 1,
    };
    pelti_number out = {.value = (double)NAN, .end = text};
    mantissa digits = {.is_exact = true};
    const char* at = text;
    bool is_negative = at < end && *at == '-';
    out.has_plus = at < end && *at == '+';
    at += is_negative || out.has_plus;
    out.has_zero = at < end && *at == '0';
    at = read_digits(&digits, &out.whole_digits, at, end);
    out.has_point = at < end && *at == '.';
    if (out.has_point)
    {
        at = read_digits(&digits, &out.fraction_digits, at + 1, end);
    }
    if (out.whole_digits + out.fraction_digits == 0)
    {
        return out;
    }
    int exponent = 0;
    out.has_exponent = at < end && (*at == 'e' || *at == 'E');
    if (out.has_exponent)
    {
        at = read_exponent(&exponent, &out.exponent_digits, at + 1, end);
    }
    out.end = at;
    size_t size = (size_t)(at - text);
    int power = exponent - (int)(out.fraction_digits < 100000 ? out.fraction_digits : 100000);
    // Mantissa and power are exact, so that one operation rounds correctly (Clinger 1990).
    if (digits.is_exact && digits.value <= (uint64_t)1 << 53 && abs(power) <= POWER_MAX)
    {
        double value = (double)digits.value;
        value = power < 0 ? value / powers[-power] : value * powers[power];
        out.value = is_negative ? -value : value;
    }
    else if (size <= PELTI_NUMBER_MAX)
    {
        out.value = convert(text, size);
    }
    out.is_too_long = isnan(out.value);
    out.is_integer = !out.has_point && !out.has_exponent && digits.is_exact &&
                     digits.value <= (uint64_t)INT64_MAX + is_negative;
    out.integer = !out.is_integer ? 0
                  : is_negative   ? (int64_t)(0 - digits.value)
                                  : (int64_t)digits.value;
    return out;
}

// ---------------------------------------------------------------------------------------------
size_t pelti_utf8_size(const char* at, const char* end)
{
    uint32_t first = (uint8_t)*at;
    if (first < 0x80)
    {
        return 1;
    }
    size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    // Shorter forms of the same code are not UTF-8, nor are halves of surrogate pairs.
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t code = first & (0xFFu >> (size + 1));
    bool is_good = first >= 0xC2 && first <= 0xF4 && (size_t)(end - at) >= size;
    for (size_t i = 1; i < size && is_good; ++i)
    {
        uint32_t next = (uint8_t)at[i];
        is_good = (next & 0xC0) == 0x80;
        code = code << 6 | (next & 0x3F);
    }
    is_good = is_good && code >= least[size] && code <= 0x10FFFF;
    return is_good && !(code >= 0xD800 && code <= 0xDFFF) ? size : 0;
}

bool pelti_utf8_is_valid(const char* text, size_t size)
{
    const char* end = text + size;
    while (text < end)
    {
        size_t step = pelti_utf8_size(text, end);
        if (step == 0)
        {
            return false;
        }
        text += step;
    }
    return true;
}

size_t pelti_utf8_put(char* out, uint32_t code)
{
    if (code < 0x80)
    {
        out[0] = (char)code;
        return 1;
    }
    static const uint32_t marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t count = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = count - 1; i > 0; --i, code >>= 6)
    {
        out[i] = (char)(0x80 | (code & 0x3F));
    }
    out[0] = (char)(marks[count] | code);
    return count;
}

int pelti_hex_digit(char c)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char* found = c != '\0' ? strchr(digits, c) : NULL;
    int index = found != NULL ? (int)(found - digits) : -1;
    return index < 16 ? index : index - 6;
}
