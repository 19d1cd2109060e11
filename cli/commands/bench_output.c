// SPDX-License-Identifier: MIT
#include "bench_output.h"

#include "bench_json.h"
#include "terminal.h"

#include <math.h>

// Three significant digits: 0.00123, 12.3, 1234; and 1.2e-07 instead of many zeros.
static int digits_of(double value)
{
    double size = fabs(value);
    int decimals = size > 0.0 ? 2 - (int)floor(log10(size)) : 0;
    return decimals > 0 ? decimals : 0;
}

static void print_cell(table* out, const bench_column* column, const bench_cell* cell)
{
    const char* mark = cell->is_estimate ? "~" : "";
    int decimals = column->decimals;
    if (decimals == BENCH_TEXT ? cell->text[0] == '\0' : !isfinite(cell->number))
    {
        table_cell(out, "-");
    }
    else if (decimals == BENCH_TEXT)
    {
        table_cell(out, "%s", cell->text);
    }
    else if (decimals == BENCH_DIGITS && digits_of(cell->number) > 6)
    {
        table_cell(out, "%s%.1e", mark, cell->number);
    }
    else
    {
        decimals = decimals == BENCH_DIGITS ? digits_of(cell->number) : decimals;
        table_cell(out, "%s%.*f", mark, decimals, cell->number);
    }
}

static bool print_rows(FILE* stream, const bench_table* in)
{
    char alignment[BENCH_COLUMN_MAX + 1] = "";
    const char* headers[BENCH_COLUMN_MAX];
    for (uint32_t c = 0; c < in->column_count; ++c)
    {
        alignment[c] = in->columns[c].decimals == BENCH_TEXT ? 'l' : 'r';
        headers[c] = in->columns[c].title;
    }
    table list;
    table_begin(&list, alignment, headers);
    for (uint32_t i = 0; i < in->row_count; ++i)
    {
        for (uint32_t c = 0; c < in->column_count; ++c)
        {
            print_cell(&list, &in->columns[c], &in->cells[i][c]);
        }
    }
    return table_end(&list, stream);
}

static void print_line(FILE* stream, const char* title, const char* text)
{
    char clean[256];
    snprintf(clean, sizeof clean, "%s", text);
    terminal_text_clean(clean);
    if (clean[0] != '\0')
    {
        fprintf(stream, "%s: %s\n", title, clean);
    }
}

int bench_output_text(const bench_suite* suite, const bench_report* report, const char* path)
{
    output out;
    TRY(output_open(&out, path));
    char machine[128];
    bench_machine_write(machine, sizeof machine);
    fprintf(out.stream, "%s: %s\nmachine: %s, threads: %u\n", suite->name, suite->summary, machine,
            bench_thread_count());
    print_line(out.stream, "renderer", report->renderer);
    print_line(out.stream, "subject", report->subject);
    bool is_whole = true;
    for (uint32_t i = 0; i < report->table_count; ++i)
    {
        const bench_table* rows = &report->tables[i];
        if (i == 0 || (rows->row_count > 0 && !rows->is_detail))
        {
            fputs(i > 0 ? "\n" : "", out.stream);
            is_whole = print_rows(out.stream, rows) && is_whole;
        }
    }
    return is_whole ? output_close(&out) : output_fail(&out);
}
