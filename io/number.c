// SPDX-License-Identifier: MIT
#include "number.h"

#include <locale.h>
#include <math.h>
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

// By the C library, which wants the decimal point of the locale and a zero at the end.
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
