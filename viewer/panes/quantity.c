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

// ---------------------------------------------------------------------------------------------
// Rows of benchmark mode

// Columns of both tables; heads and rows share them.
#define ROW_FORMAT "%-14s %6s %8s %9s %7s %7s %7s %6s"
#define TRIAL_FORMAT "%-14s %-34s %9s %10s"

static const char* write_number(char out[16], double number, int decimals)
{
    snprintf(out, 16, isfinite(number) ? "%.*f" : "-", decimals, number);
    return out;
}

void benchmark_rows_head(char out[BENCHMARK_ROW_BYTES])
{
    snprintf(out, BENCHMARK_ROW_BYTES, ROW_FORMAT, "technique", "crowd", "frame ms", "rating",
             "120 FPS", "60 FPS", "30 FPS", "");
}

void benchmark_rows_write(char out[BENCHMARK_ROW_BYTES], const benchmark_row* row)
{
    char cells[7][16] = {{0}};
    if (row->is_measured)
    {
        snprintf(cells[0], sizeof cells[0], "%u", row->instance_count);
        write_number(cells[1], row->frame_ms, 2);
        write_number(cells[2], row->rating, 0);
        for (int i = 0; i < 3; ++i)
        {
            write_number(cells[3 + i], row->breakpoints[i], 0);
        }
        bool is_done = row->part >= 1.0;
        snprintf(cells[6], sizeof cells[6], is_done ? "done" : "%.0f %%", 100.0 * row->part);
    }
    snprintf(out, BENCHMARK_ROW_BYTES, ROW_FORMAT, row->technique, cells[0], cells[1], cells[2],
             cells[3], cells[4], cells[5], cells[6]);
}

void benchmark_rows_trial_head(char out[BENCHMARK_ROW_BYTES])
{
    snprintf(out, BENCHMARK_ROW_BYTES, TRIAL_FORMAT, "A/B test", "without", "rating", "% of whole");
}

void benchmark_rows_trial(char out[BENCHMARK_ROW_BYTES], const char* technique, const char* off,
                          double rating, double part)
{
    char cells[2][16];
    write_number(cells[0], rating, 0);
    write_number(cells[1], 100.0 * part, 1);
    snprintf(out, BENCHMARK_ROW_BYTES, TRIAL_FORMAT, technique, off, cells[0], cells[1]);
}

// ---------------------------------------------------------------------------------------------
// Frames per second

double frame_rate(const float* milliseconds, uint32_t count)
{
    double sum = 0.0;
    uint32_t used = 0;
    while (used < count && sum < 1000.0)
    {
        double frame = (double)milliseconds[count - 1 - used];
        // A long frame counts only where it is the last one.
        if (used > 0 && sum + frame > 1000.0)
        {
            break;
        }
        sum += frame;
        ++used;
    }
    return sum > 0.0 ? 1000.0 * (double)used / sum : 0.0;
}
