// SPDX-License-Identifier: MIT
#include "benchmark_rows.h"

#include <math.h>
#include <stdio.h>

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
