// SPDX-License-Identifier: MIT
// Results of a suite of benchmarks as JSON.
#define _POSIX_C_SOURCE 200809L

#include "bench_json.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

void bench_machine_write(char* out, size_t size)
{
    struct utsname system;
    snprintf(out, size, "%s", uname(&system) == 0 ? system.machine : "unknown");

    // Without stdio, which allocates.
    char text[4096];
    int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    text[length > 0 ? length : 0] = '\0';
    const char* name = strstr(text, "model name");
    const char* colon = name != NULL ? strchr(name, ':') : NULL;
    if (colon != NULL)
    {
        colon += 1 + strspn(colon + 1, " ");
        snprintf(out, size, "%.*s", (int)strcspn(colon, "\n"), colon);
    }
    if (file >= 0)
    {
        close(file);
    }
}

uint32_t bench_thread_count(void)
{
    return pelt_pool_thread_count(pelt_hooks_get().run_user);
}

json_t* json_value_real(double value)
{
    return value - value == 0.0 ? json_real(value) : json_null();
}

json_t* json_value_string(const char* text)
{
    json_t* value = text != NULL ? json_string(text) : json_null();
    char* plain = value == NULL ? strdup(text) : NULL;
    for (char* c = plain; c != NULL && *c != '\0'; ++c)
    {
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    }
    if (plain != NULL)
    {
        value = json_string(plain);
        free(plain);
    }
    return value;
}

// ---------------------------------------------------------------------------------------------

static json_t* describe_cell(const bench_column* column, const bench_cell* cell)
{
    if (column->decimals == BENCH_TEXT)
    {
        return json_value_string(cell->text[0] != '\0' ? cell->text : NULL);
    }
    bool is_whole = column->decimals == 0 && isfinite(cell->number);
    return is_whole ? json_integer((json_int_t)round(cell->number)) : json_value_real(cell->number);
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
            json_array_append_new(estimates, json_value_string(in->columns[c].key));
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
        json_object_set_new(out, key, json_value_string(text));
    }
}

json_t* bench_json(const bench_suite* suite, const bench_report* report, bool is_quick)
{
    char machine[128];
    bench_machine_write(machine, sizeof machine);
    json_t* out = json_pack("{s:o, s:b, s:o, s:i, s:s}", "suite", json_value_string(suite->name),
                            "quick", is_quick, "machine", json_value_string(machine), "threads",
                            (int)bench_thread_count(), "version", PELT_VERSION_STRING);
    describe_text(out, "subject", report->subject);
    describe_text(out, "renderer", report->renderer);
    for (uint32_t i = 0; out != NULL && i < report->table_count; ++i)
    {
        json_object_set_new(out, report->tables[i].key, describe_rows(&report->tables[i]));
    }
    return out;
}
