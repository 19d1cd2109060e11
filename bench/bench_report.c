// SPDX-License-Identifier: MIT
// Tables of results.
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const char* bench_file_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}
