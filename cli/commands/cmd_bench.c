// SPDX-License-Identifier: MIT
// pelt bench: run a suite of benchmarks and print its table.
#define _POSIX_C_SOURCE 200809L

#include "bench.h"
#include "commands.h"
#include "output.h"
#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

static const arg_option options[] = {
    {.name = "quick", .kind = ARG_FLAG, .help = "shorter runs, within 10 seconds in all"},
    {.name = "plot",
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "draw the results as SVG (suites cor and bake)"},
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

static int print_json(const bench_suite* suite, const bench_report* report, bool is_quick,
                      const char* path)
{
    char machine[128];
    machine_name(machine, sizeof machine);
    json_t* out = json_pack("{s:o, s:b, s:o, s:i, s:s}", "suite", output_string(suite->name),
                            "quick", is_quick, "machine", output_string(machine), "threads",
                            (int)thread_count(), "version", PELT_VERSION_STRING);
    for (uint32_t i = 0; out != NULL && i < report->table_count; ++i)
    {
        json_object_set_new(out, report->tables[i].key, describe_rows(&report->tables[i]));
    }
    return output_json(out, path);
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

static int print_text(const bench_suite* suite, const bench_report* report, const char* path)
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
    bool is_whole = true;
    for (uint32_t i = 0; i < report->table_count; ++i)
    {
        fputs(i > 0 ? "\n" : "", out.stream);
        is_whole = print_rows(out.stream, &report->tables[i]) && is_whole;
    }
    return is_whole ? output_close(&out) : output_fail(&out);
}

// ---------------------------------------------------------------------------------------------
// Running

// A folder that is missing, or a folder in place of a file, is said before minutes are spent.
static int check_plot_path(const char* path)
{
    char folder[4096];
    struct stat status;
    const char* slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
             slash != NULL ? path : ".");
    pelt_error error = {0};
    if (stat(folder, &status) != 0)
    {
        return message_error(
            pelt_error_set(&error, PELT_ERROR_WRITE, "cannot write %s: %s", path, strerror(errno)),
            &error);
    }
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
    {
        return message_error(
            pelt_error_set(&error, PELT_ERROR_WRITE, "cannot write %s: it is a folder", path),
            &error);
    }
    return EXIT_DONE;
}

static int check(const bench_suite* suite, const bench_options* how, const args* arguments)
{
    const char* plot_path = args_text(arguments, "plot", NULL);
    if (how->input_count > suite->max_inputs)
    {
        return suite->max_inputs == 0
                   ? message_usage("suite %s takes no file; it measures built-in rigs", suite->name)
                   : message_usage("suite %s takes one file, not %u", suite->name,
                                   how->input_count);
    }
    if (plot_path == NULL)
    {
        return EXIT_DONE;
    }
    if (!suite->has_plot)
    {
        return message_usage("suite %s has no plot; cor and bake have", suite->name);
    }
    if (strcmp(plot_path, args_text(arguments, "output", "-")) == 0)
    {
        return message_usage("results and plot cannot both go to %s", plot_path);
    }
    return strcmp(plot_path, "-") != 0 ? check_plot_path(plot_path) : EXIT_DONE;
}

static void show_progress(const char* label)
{
    progress_end();
    if (label != NULL)
    {
        progress_begin(label);
    }
}

// The results first: a plot that cannot be written must not take them along.
static int deliver(const bench_suite* suite, const bench_report* report, const args* arguments)
{
    const char* path = args_text(arguments, "output", NULL);
    const char* plot_path = args_text(arguments, "plot", NULL);
    int code = args_is_set(arguments, "json")
                   ? print_json(suite, report, args_is_set(arguments, "quick"), path)
                   : print_text(suite, report, path);
    if (code == EXIT_DONE && plot_path != NULL)
    {
        pelt_error error = {0};
        code = message_error(plot_save(plot_path, &report->plot, &error), &error);
    }
    return code;
}

static int run_suite(const bench_suite* suite, const args* arguments)
{
    static bench_report report;
    pelt_error error = {0};
    bench_options how = {
        .is_quick = args_is_set(arguments, "quick"),
        .input_count = arguments->operand_count > 1 ? arguments->operand_count - 1 : 0,
        .inputs = arguments->operands + 1,
        .progress = show_progress,
    };
    int code = check(suite, &how, arguments);
    if (code != EXIT_DONE)
    {
        return code;
    }
    pelt_result result = suite->run(&report, &how, &error);
    bool is_whole = bench_report_is_whole(&report);
    code = result != PELT_OK ? message_error(result, &error)
           : is_whole        ? deliver(suite, &report, arguments)
                             : message_memory();
    bench_report_destroy(&report);
    return code;
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
    return message_usage("unknown suite \"%s\"; the suites are %s", name, list);
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
    .summary = "measure speed and accuracy",
    .operands = "[SUITE [FILE...]]",
    .description =
        "Suites:\n"
        "deform (default): every method on one thread, positions and normals, in nanoseconds per\n"
        "vertex, relative to lbs, and relative to copying the same number of bytes.\n"
        "load: reading built-in rigs written as GLB, or FILE: time relative to reading the bytes\n"
        "and computing a checksum, and peak memory relative to file and scene together.\n"
        "cor: the solvers of centers of rotation, on all threads, on built-in rigs of the sizes\n"
        "in papers or on the skins of FILE, with triangles whole and bisected: seconds, ratios,\n"
        "the largest error relative to the model's size, bytes per vertex and triangle, updates\n"
        "after a brush stroke, and the growth of time. ~ marks what is extrapolated from a\n"
        "sample of the vertices. Takes minutes without --quick.\n"
        "normals: degrees between the normals of each rule and those of the deformed triangles,\n"
        "mean and maximum where weights vary, for every clip of built-in rigs or of the FILEs,\n"
        "and over all clips of each.\n"
        "bake: animation textures of built-in rigs and of the FILEs, in each encoding and for\n"
        "budgets: bytes, the largest error at keys and everywhere as median and maximum over\n"
        "clips, in millimeters per meter of height, degrees of normals, and times relative to\n"
        "sampling the source; then the sizes that a thesis reports, beside those of pelt.",
    .example = "pelt bench cor --quick --plot cor.svg",
    .max_operands = ARGS_OPERAND_MAX,
    .tables = {options, args_output_file, args_common},
    .run = run,
};
