// SPDX-License-Identifier: MIT
// Benchmarks: a suite is one file with one function, and one row in bench.c.
#ifndef PELT_BENCH_H
#define PELT_BENCH_H

#include "pelt/pelt.h"

enum
{
    BENCH_COLUMN_MAX = 8,
    BENCH_ROW_MAX = 64,
};

typedef struct bench_column
{
    const char* key;   ///< member name in JSON
    const char* title; ///< head of the column in text
    int decimals;      ///< of a number; negative: the column holds text
} bench_column;

typedef union bench_cell
{
    double number;
    char text[32];
} bench_cell;

/// What a suite found out. Times never stand alone: some column is a ratio within the same run.
typedef struct bench_table
{
    const bench_column* columns; ///< static data of the suite
    uint32_t column_count;
    uint32_t row_count;
    bench_cell cells[BENCH_ROW_MAX][BENCH_COLUMN_MAX];
} bench_table;

typedef struct bench_options
{
    bool is_quick;     ///< within 10 s instead of a minute
    const char* input; ///< file to measure with; NULL: what the suite chooses
} bench_options;

typedef struct bench_suite
{
    const char* name;
    const char* summary;
    pelt_result (*run)(bench_table* out, const bench_options* options, pelt_error* error);
    bool takes_input; ///< whether it looks at bench_options.input
} bench_suite;

/// @return number of suites; *out points to static data
uint32_t bench_suite_list(const bench_suite** out);

pelt_result bench_deform(bench_table* out, const bench_options* options, pelt_error* error);

pelt_result bench_load(bench_table* out, const bench_options* options, pelt_error* error);

/// Seconds of the fastest of many runs within a budget of seconds, after one to warm up.
double bench_fastest(void (*run)(void* context), void* context, double budget);

#endif
