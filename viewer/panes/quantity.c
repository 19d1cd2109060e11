// SPDX-License-Identifier: MIT
#include "quantity.h"

#include <math.h>
#include <stdio.h>

// Three digits, or fewer where that would be more decimals than `most`.
static void write_digits(char out[QUANTITY_BYTES], double number, int most)
{
    int decimals = 0;
    for (double limit = 99.95; decimals < most && fabs(number) < limit; limit *= 0.1)
    {
        ++decimals;
    }
    snprintf(out, QUANTITY_BYTES, "%.*f", number != 0.0 ? decimals : 0, number);
}

const char* quantity_number(char out[QUANTITY_BYTES], double number)
{
    write_digits(out, number, 6);
    return out;
}

// In the first unit in which it has at most three digits before the point.
static const char* write_units(char out[QUANTITY_BYTES], double value, const char* const* units,
                               int count, int most_decimals)
{
    int unit = 0;
    while (unit + 1 < count && fabs(value) >= 999.5)
    {
        value *= 1e-3;
        ++unit;
    }
    char number[QUANTITY_BYTES];
    write_digits(number, value, most_decimals);
    snprintf(out, QUANTITY_BYTES, "%.20s %s", number, units[unit]);
    return out;
}

const char* quantity_length(char out[QUANTITY_BYTES], double meters)
{
    static const char* const units[] = {"mm", "m", "km"};
    double millimeters = 1e3 * meters;
    if (millimeters > 0.0 && millimeters < 1e-3)
    {
        snprintf(out, QUANTITY_BYTES, "below 0.001 mm");
        return out;
    }
    return write_units(out, millimeters, units, 3, 3);
}

const char* quantity_size(char out[QUANTITY_BYTES], uint64_t bytes)
{
    static const char* const units[] = {"bytes", "kB", "MB", "GB"};
    if (bytes < 1000)
    {
        snprintf(out, QUANTITY_BYTES, "%u bytes", (unsigned)bytes);
        return out;
    }
    return write_units(out, (double)bytes, units, 4, 2);
}

const char* quantity_duration(char out[QUANTITY_BYTES], double milliseconds)
{
    static const char* const units[] = {"ms", "s"};
    return write_units(out, milliseconds, units, 2, 2);
}

const char* quantity_grouped(char out[QUANTITY_BYTES], uint64_t number)
{
    char plain[QUANTITY_BYTES];
    int length = snprintf(plain, sizeof plain, "%llu", (unsigned long long)number);
    int at = 0;
    for (int i = 0; i < length && at < QUANTITY_BYTES - 2; ++i)
    {
        if (i > 0 && (length - i) % 3 == 0)
        {
            out[at++] = ' ';
        }
        out[at++] = plain[i];
    }
    out[at] = '\0';
    return out;
}
