// SPDX-License-Identifier: MIT
// The list of suites, their tables, and how a time is taken.
#include "bench.h"

#include "clock.h"

#include <math.h>

static const bench_suite suites[] = {
    {.name = "deform",
     .summary = "the six methods, one thread, against lbs and against memory speed",
     .run = bench_deform},
    {.name = "load",
     .summary = "reading files, against reading their bytes and a checksum of them",
     .run = bench_load,
     .takes_input = true},
    {.name = "cor",
     .summary = "solvers of centres of rotation, against each other",
     .run = bench_cor,
     .takes_input = true,
     .has_plot = true},
    {.name = "normals",
     .summary = "angles between normals and the deformed surface, for each rule",
     .run = bench_normals},
};

uint32_t bench_suite_list(const bench_suite** out)
{
    *out = suites;
    return sizeof suites / sizeof suites[0];
}

bench_table* bench_table_add(bench_report* report, const char* key, const bench_column* columns,
                             uint32_t column_count)
{
    PELT_ASSERT(report->table_count < BENCH_TABLE_MAX && column_count <= BENCH_COLUMN_MAX);
    bench_table* out = &report->tables[report->table_count++];
    out->key = key;
    out->columns = columns;
    out->column_count = column_count;
    out->row_count = 0;
    return out;
}

bench_cell* bench_row_add(bench_table* table)
{
    PELT_ASSERT(table->row_count < BENCH_ROW_MAX);
    bench_cell* row = table->cells[table->row_count++];
    for (uint32_t i = 0; i < table->column_count; ++i)
    {
        row[i] = (bench_cell){.number = (double)NAN};
    }
    return row;
}

double bench_fastest(void (*run)(void* context), void* context, double budget)
{
    // The minimum is the run that other programs disturbed least.
    double best = (double)INFINITY;
    double end = clock_seconds() + budget;
    run(context);
    for (int i = 0; i < 5 || clock_seconds() < end; ++i)
    {
        double start = clock_seconds();
        run(context);
        best = fmin(best, clock_seconds() - start);
    }
    return best;
}
