// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "bench_output.h"

#include "terminal.h"

#include <math.h>
#include <string.h>
#include <sys/utsname.h>

// The processor's name, or at least its kind.
static void machine_name(char* out, size_t size)
{
    struct utsname system;
    snprintf(out, size, "%s", uname(&system) == 0 ? system.machine : "unknown");

    FILE* file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
    {
        char* colon = strchr(line, ':');
        if (colon != NULL && strncmp(line, "model name", 10) == 0)
        {
            colon[strcspn(colon, "\n")] = '\0';
            snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " "));
            break;
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
}

static uint32_t thread_count(void)
{
    return pelt_pool_thread_count(pelt_hooks_get().run_user);
}

// ---------------------------------------------------------------------------------------------
// JSON

static json_t* describe_cell(const bench_column* column, const bench_cell* cell)
{
    if (column->decimals == BENCH_TEXT)
    {
        return output_string(cell->text[0] != '\0' ? cell->text : NULL);
    }
    bool is_whole = column->decimals == 0 && isfinite(cell->number);
    return is_whole ? json_integer((json_int_t)round(cell->number)) : output_real(cell->number);
}

static json_t* describe_row(const bench_table* in, uint32_t index)
{
    json_t* row = json_object();
    json_t* estimates = json_array();
    for (uint32_t c = 0; c < in->column_count; ++c)
    {
        const bench_cell* cell = &in->cells[index][c];
        json_object_set_new(row, in->columns[c].key, describe_cell(&in->columns[c], cell));
        if (cell->is_estimate)
        {
            json_array_append_new(estimates, output_string(in->columns[c].key));
        }
    }
    if (json_array_size(estimates) > 0)
    {
        json_object_set(row, "estimates", estimates);
    }
    json_decref(estimates);
    return row;
}

static json_t* describe_rows(const bench_table* in)
{
    json_t* rows = json_array();
    for (uint32_t i = 0; i < in->row_count; ++i)
    {
        json_array_append_new(rows, describe_row(in, i));
    }
    return rows;
}

static void describe_text(json_t* out, const char* key, const char* text)
{
    if (text[0] != '\0')
    {
        json_object_set_new(out, key, output_string(text));
    }
}

json_t* bench_output_json(const bench_suite* suite, const bench_report* report, bool is_quick)
{
    char machine[128];
    machine_name(machine, sizeof machine);
    json_t* out = json_pack("{s:o, s:b, s:o, s:i, s:s}", "suite", output_string(suite->name),
                            "quick", is_quick, "machine", output_string(machine), "threads",
                            (int)thread_count(), "version", PELT_VERSION_STRING);
    describe_text(out, "subject", report->subject);
    describe_text(out, "renderer", report->renderer);
    for (uint32_t i = 0; out != NULL && i < report->table_count; ++i)
    {
        json_object_set_new(out, report->tables[i].key, describe_rows(&report->tables[i]));
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Text

// Three digits that count: 0.00123, 12.3, 1234; and 1.2e-07 where nobody counts zeros.
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
    int code = output_open(&out, path);
    if (code != EXIT_DONE)
    {
        return code;
    }
    char machine[128];
    machine_name(machine, sizeof machine);
    fprintf(out.stream, "%s: %s\nmachine: %s, threads: %u\n", suite->name, suite->summary, machine,
            thread_count());
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
