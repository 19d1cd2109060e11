// SPDX-License-Identifier: MIT
// Rows of the tables of benchmark mode as text of fixed width.
#ifndef PELT_BENCHMARK_ROWS_H
#define PELT_BENCHMARK_ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum
{
    BENCHMARK_ROW_BYTES = 128,
};

/// What is known of a technique.
typedef struct benchmark_row
{
    const char* technique;
    bool is_measured; ///< else only its name is written
    uint32_t instance_count;
    double frame_ms, rating;
    double breakpoints[3]; ///< instances at 120, 60 and 30 FPS; NaN: never reached
    double part;           ///< that is done, 0 to 1
} benchmark_row;

void benchmark_rows_head(char out[BENCHMARK_ROW_BYTES]);
void benchmark_rows_write(char out[BENCHMARK_ROW_BYTES], const benchmark_row* row);

void benchmark_rows_trial_head(char out[BENCHMARK_ROW_BYTES]);

/// A technique without some stages. @param part  its rating, as a part of that with all stages
void benchmark_rows_trial(char out[BENCHMARK_ROW_BYTES], const char* technique, const char* off,
                          double rating, double part);

#endif
