// SPDX-License-Identifier: MIT
// pelt bench: run a suite of benchmarks and print its table.
#define _POSIX_C_SOURCE 200809L

#include "bench.h"
#include "commands.h"
#include "message.h"
#include "output.h"

#include <string.h>
#include <sys/utsname.h>

static const arg_option options[] = {
    {.name = "quick", .kind = ARG_FLAG, .help = "shorter runs: within 10 seconds"},
    {0},
};

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

static json_t* describe_rows(const bench_table* results)
{
    json_t* rows = json_array();
    for (uint32_t i = 0; i < results->row_count; ++i)
    {
        json_t* row = json_object();
        for (uint32_t c = 0; c < results->column_count; ++c)
        {
            const bench_column* column = &results->columns[c];
            const bench_cell* cell = &results->cells[i][c];
            json_t* value = column->decimals < 0    ? output_string(cell->text)
                            : column->decimals == 0 ? json_integer((json_int_t)cell->number)
                                                    : output_real(cell->number);
            json_object_set_new(row, column->key, value);
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static int print_json(const bench_suite* suite, const bench_table* results, bool is_quick,
                      const char* path)
{
    char machine[128];
    machine_name(machine, sizeof machine);
    return output_json(json_pack("{s:o, s:b, s:o, s:s, s:o}", "suite", output_string(suite->name),
                                 "quick", is_quick, "machine", output_string(machine), "version",
                                 PELT_VERSION_STRING, "rows", describe_rows(results)),
                       path);
}

static bool print_rows(FILE* stream, const bench_table* results)
{
    char alignment[BENCH_COLUMN_MAX + 1] = "";
    const char* headers[BENCH_COLUMN_MAX];
    for (uint32_t c = 0; c < results->column_count; ++c)
    {
        alignment[c] = results->columns[c].decimals < 0 ? 'l' : 'r';
        headers[c] = results->columns[c].title;
    }
    table list;
    table_begin(&list, alignment, headers);
    for (uint32_t i = 0; i < results->row_count; ++i)
    {
        for (uint32_t c = 0; c < results->column_count; ++c)
        {
            const bench_cell* cell = &results->cells[i][c];
            int decimals = results->columns[c].decimals;
            decimals < 0 ? table_cell(&list, "%s", cell->text)
                         : table_cell(&list, "%.*f", decimals, cell->number);
        }
    }
    return table_end(&list, stream);
}

static int print_text(const bench_suite* suite, const bench_table* results, const char* path)
{
    output out;
    int code = output_open(&out, path);
    if (code != EXIT_DONE)
    {
        return code;
    }
    char machine[128];
    machine_name(machine, sizeof machine);
    fprintf(out.stream, "%s: %s\nmachine: %s\n", suite->name, suite->summary, machine);
    bool is_whole = print_rows(out.stream, results);
    code = output_close(&out);
    return is_whole ? code : message_memory();
}

static int run_suite(const bench_suite* suite, const args* arguments)
{
    static bench_table results;
    pelt_error error = {0};
    bench_options how = {
        .is_quick = args_is_set(arguments, "quick"),
        .input = arguments->operand_count > 1 ? arguments->operands[1] : NULL,
    };
    if (how.input != NULL && !suite->takes_input)
    {
        return message_usage("suite %s takes no file: it measures built-in rigs", suite->name);
    }
    pelt_result result = suite->run(&results, &how, &error);
    if (result != PELT_OK)
    {
        return message_error(result, &error);
    }
    const char* path = args_text(arguments, "output", NULL);
    return args_is_set(arguments, "json") ? print_json(suite, &results, how.is_quick, path)
                                          : print_text(suite, &results, path);
}

static int unknown_suite(const char* name, const bench_suite* suites, uint32_t count)
{
    char list[256] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < count && used < sizeof list; ++i)
    {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                                 suites[i].name);
    }
    return message_usage("there is no suite \"%s\"; valid are %s", name, list);
}

static int run(const args* arguments)
{
    const bench_suite* suites;
    uint32_t count = bench_suite_list(&suites);
    const char* name = arguments->operand_count > 0 ? arguments->operands[0] : suites[0].name;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (strcmp(suites[i].name, name) == 0)
        {
            return run_suite(&suites[i], arguments);
        }
    }
    return unknown_suite(name, suites, count);
}

const args_command cmd_bench = {
    .name = "bench",
    .summary = "measure speed, as ratios within one run",
    .operands = "[SUITE [FILE]]",
    .description =
        "Suites:\n"
        "deform, the default: every method on one thread, positions and normals, in nanoseconds\n"
        "per vertex, as a multiple of lbs, and as a multiple of the time that copying the same\n"
        "number of bytes takes.\n"
        "load: reading built-in rigs written as GLB, or FILE, as a multiple of the time to read\n"
        "the bytes and form a checksum, and the most memory in use meanwhile, as a multiple of\n"
        "file and scene together.",
    .example = "pelt bench deform --quick",
    .max_operands = 2,
    .tables = {options, args_output_file, args_common},
    .run = run,
};
