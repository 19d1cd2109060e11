// SPDX-License-Identifier: MIT
// Formatting of numbers: three digits and a suitable unit, without exponents; rows of tables; and
// frames per second.
#ifndef PELT_QUANTITY_H
#define PELT_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

enum
{
    QUANTITY_BYTES = 32, ///< of a text, in all of these
};

/// "0 mm", "below 0.001 mm", "0.412 mm", "11.1 mm", "999 mm", "1.23 m", "156 km". @return out
const char* quantity_length(char out[QUANTITY_BYTES], double meters);

/// "512 bytes", "1.54 kB", "999 kB", "1.23 MB"; a kB has 1000 bytes. @return out
const char* quantity_size(char out[QUANTITY_BYTES], uint64_t bytes);

/// "0.45 ms", "27.2 ms", "999 ms", "1.23 s". @return out
const char* quantity_duration(char out[QUANTITY_BYTES], double milliseconds);

/// Three digits without a unit: "0.00123", "0.412", "1.23", "12.3", "1230". @return out
const char* quantity_number(char out[QUANTITY_BYTES], double number);

/// Digits in groups of three: "20 015". @return out
const char* quantity_grouped(char out[QUANTITY_BYTES], uint64_t number);

// ---------------------------------------------------------------------------------------------
// Rows of the tables of benchmark mode, as text of fixed width

enum
{
    BENCHMARK_ROW_BYTES = 128,
};

/// Results of a technique.
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

// ---------------------------------------------------------------------------------------------
// Frames per second

/// The rate of the frames of the last second, or of the last frame where that took longer.
/// @param milliseconds  of each frame, oldest first
/// @return frames per second; 0 without a frame
double frame_rate(const float* milliseconds, uint32_t count);

#endif
