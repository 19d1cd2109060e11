// SPDX-License-Identifier: MIT
// Numbers of text: against strtod() in the locale "C", which rounds correctly.
#include "test.h"
#include "text_parse.h"

#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static pelti_number parse(const char* text)
{
    return pelti_number_parse(text, text + strlen(text));
}

static int check_nearest(const char* text)
{
    pelti_number number = parse(text);
    double expected = strtod(text, NULL);
    ENSURE(number.end == text + strlen(text) && !number.is_too_long);
    ENSURE(memcmp(&number.value, &expected, sizeof expected) == 0);
    return 0;
}

static int numbers_are_the_nearest_doubles(void)
{
    static const char* const texts[] = {
        "0",
        "-0.1",
        "1e22",
        "9007199254740993", // 2^53 + 1, half way between two doubles
        "0.30000000000000004",
        "-123456789.01234567",
        "18.368957727437353", // the 64 bits of an x87 are rounded twice
        "0.11705092477827337",
        "1.000000000000000111", // just above the middle between two doubles
        "8.41470984807896507e-01",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "1.7976931348623157E+308",
        "6.02214076e23",
        "3.5844466002796428e+298",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
    {
        ENSURE(check_nearest(texts[i]) == 0);
    }
    // Bits at random, and as many digits as bring them back, more, and fewer.
    test_random random = {7};
    for (int i = 0; i < 20000; ++i)
    {
        char text[64];
        uint64_t bits = 0;
        for (int k = 0; k < 4; ++k)
        {
            bits = bits << 16 | (uint64_t)test_uniform(&random, 0.0f, 65535.0f);
        }
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
        {
            snprintf(text, sizeof text, "%.*g", 5 + i % 25, value);
            ENSURE(check_nearest(text) == 0);
        }
    }
    return 0;
}

static int integers_are_kept_to_64_bits(void)
{
    ENSURE(parse("9223372036854775807").is_integer);
    ENSURE(parse("9223372036854775807").integer == INT64_MAX);
    ENSURE(parse("-9223372036854775808").integer == INT64_MIN);
    ENSURE(!parse("9223372036854775808").is_integer && !parse("-9223372036854775809").is_integer);
    ENSURE(!parse("99999999999999999999").is_integer);
    ENSURE(!parse("1.0").is_integer && !parse("1e0").is_integer);
    return 0;
}

static int what_there_is_of_a_number_is_told(void)
{
    pelti_number number = parse("+01.50e-2,7");
    ENSURE(number.has_plus && number.has_zero && number.has_point && number.has_exponent);
    ENSURE(number.whole_digits == 2 && number.fraction_digits == 2 && number.exponent_digits == 1);
    ENSURE(strcmp(number.end, ",7") == 0);
    ENSURE_NEAR(number.value, 0.015, 0.0);
    static const char* const none[] = {"", "-", "+", ".", "e5", "nan", "inf", "x1"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i)
    {
        ENSURE(parse(none[i]).end == none[i] && isnan(parse(none[i]).value));
    }
    return 0;
}

static int numbers_that_are_too_long_are_refused_unless_they_are_plain(void)
{
    char text[PELTI_NUMBER_MAX + 2];
    memset(text, '1', sizeof text);
    text[PELTI_NUMBER_MAX + 1] = 0;
    ENSURE(parse(text).is_too_long && isnan(parse(text).value));
    text[PELTI_NUMBER_MAX] = 0;
    ENSURE(!parse(text).is_too_long && isinf(parse(text).value));
    memset(text, '0', sizeof text - 1);
    text[sizeof text - 2] = '7';
    ENSURE(parse(text).value == 7.0);
    return 0;
}

static int the_locale_does_not_matter(void)
{
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    char before[64];
    snprintf(before, sizeof before, "%s", setlocale(LC_NUMERIC, NULL));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        if (setlocale(LC_NUMERIC, names[i]) != NULL)
        {
            double value = parse("0.30000000000000004441").value;
            setlocale(LC_NUMERIC, before);
            ENSURE(value == 0.30000000000000004);
            return 0;
        }
    }
    test_skip("the_locale_does_not_matter", "no locale with a decimal comma");
    return 0;
}

void test_number(void)
{
    RUN(numbers_are_the_nearest_doubles);
    RUN(integers_are_kept_to_64_bits);
    RUN(what_there_is_of_a_number_is_told);
    RUN(numbers_that_are_too_long_are_refused_unless_they_are_plain);
    RUN(the_locale_does_not_matter);
}
