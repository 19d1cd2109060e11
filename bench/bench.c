// SPDX-License-Identifier: MIT
// The list of suites, their tables, and how a time is taken.
#include "bench.h"

#include "clock.h"
#include "pelt/io.h"
#include "rigs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bench_suite suites[] = {
    {.name = "deform",
     .summary = "the six methods and deformers, one thread, against lbs, a plain loop and memory",
     .run = bench_deform},
    {.name = "load",
     .summary = "reading files, against reading their bytes and computing a checksum",
     .run = bench_load,
     .max_inputs = 1},
    {.name = "cor",
     .summary = "solvers of centers of rotation, against each other",
     .run = bench_cor,
     .max_inputs = 1,
     .has_plot = true},
    {.name = "normals",
     .summary = "angles between normals and the deformed surface, for each rule",
     .run = bench_normals,
     .max_inputs = UINT32_MAX},
    {.name = "bake",
     .summary = "animation textures: size and error of each encoding, time against sampling",
     .run = bench_bake,
     .max_inputs = UINT32_MAX,
     .has_plot = true},
    {.name = "gpu",
     .summary = "a character on the GPU, each method, rule of normals and number of influences",
     .run = bench_gpu,
     .max_inputs = 1},
    {.name = "crowd",
     .summary = "crowds on the GPU: instances at 120, 60 and 30 frames per second",
     .run = bench_crowd,
     .max_inputs = 1,
     .has_plot = true,
     .has_folder = true},
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
    *out = (bench_table){.key = key, .columns = columns, .column_count = column_count};
    return out;
}

void bench_report_destroy(bench_report* report)
{
    for (uint32_t i = 0; i < report->table_count; ++i)
    {
        free(report->tables[i].cells);
    }
    report->table_count = 0;
}

bool bench_report_is_whole(const bench_report* report)
{
    bool is_whole = true;
    for (uint32_t i = 0; i < report->table_count; ++i)
    {
        is_whole = is_whole && !report->tables[i].is_out_of_memory;
    }
    return is_whole;
}

const char* bench_file_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

pelt_result bench_scene_load(pelt_scene** out, const char* input, pelt_error* error)
{
    return strncmp(input, "rig:", 4) == 0 ? pelt_rig_build(out, input, error)
                                          : pelt_load(out, input, NULL, error);
}

void bench_cell_set(bench_cell* out, const char* text)
{
    snprintf(out->text, sizeof out->text, "%s", text);
}

static bool grow(bench_table* inout)
{
    uint32_t capacity = inout->row_capacity > 0 ? 2 * inout->row_capacity : 64;
    void* cells = realloc(inout->cells, capacity * sizeof *inout->cells);
    if (cells == NULL)
    {
        inout->is_out_of_memory = true;
        return false;
    }
    inout->cells = cells;
    inout->row_capacity = capacity;
    return true;
}

bench_cell* bench_row_add(bench_table* table)
{
    bool has_room = table->row_count < table->row_capacity || grow(table);
    bench_cell* row = has_room ? table->cells[table->row_count++] : table->spare;
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
