// SPDX-License-Identifier: MIT
// pelt bench: run a suite of benchmarks and print its table.
#define _POSIX_C_SOURCE 200809L

#include "bench.h"
#include "bench_json.h"
#include "bench_output.h"
#include "commands.h"
#include "terminal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const arg_option options[] = {
    {.name = "quick", .kind = ARG_FLAG, .help = "shorter runs, within 10 seconds in all"},
    {.name = "plot",
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "draw the results as SVG (suites deform, cor, helpers, bake and crowd)"},
    {.name = "methods",
     .kind = ARG_TEXT,
     .value = "LIST",
     .help = "suite deform: of lbs, dqs, mix, crs, with commas, or all"},
    {.name = "vertices",
     .kind = ARG_TEXT,
     .value = "LIST",
     .help = "suite deform: sizes of the character, 2000 to 4000000, or all"},
    {.name = "influences",
     .kind = ARG_TEXT,
     .value = "LIST",
     .help = "suite deform: joints of every vertex, 1 to 8, own (its weights) or all"},
    {.name = "isa",
     .kind = ARG_TEXT,
     .value = "LIST",
     .help = "suite deform: instruction sets, of base, avx2, avx512, or all"},
    {.name = "normals",
     .kind = ARG_TEXT,
     .value = "LIST",
     .help = "suite deform: rules of normals, of standard, accurate, or all"},
    {.name = "order",
     .kind = ARG_TEXT,
     .value = "LIST",
     .help = "suite deform: orders of vertices, of sorted, kept, or all"},
    {.name = "rig",
     .kind = ARG_TEXT,
     .value = "NAME",
     .help = "suite crowd: a built-in rig, or a file (default: box)"},
    {.name = "techniques",
     .kind = ARG_TEXT,
     .value = "LIST",
     .help = "suite crowd: those to measure, with commas (default: all)"},
    {.name = "seconds",
     .kind = ARG_NUMBER,
     .value = "N",
     .minimum = 0.1,
     .maximum = 3600.0,
     .help = "suite crowd: about how long for each technique (default: 10)"},
    {.name = "merged",
     .kind = ARG_FLAG,
     .help = "suite crowd: vertices at one position merged, skeletons computed once"},
    {0},
};

// ---------------------------------------------------------------------------------------------
// Running

// Report a missing folder, or a folder instead of a file, before minutes are spent.
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

// Options of single suites.
static int check_owner(const bench_suite* suite, const args* arguments)
{
    static const char* const owners[][2] = {
        {"methods", "deform"}, {"vertices", "deform"},  {"influences", "deform"},
        {"isa", "deform"},     {"normals", "deform"},   {"order", "deform"},
        {"rig", "crowd"},      {"techniques", "crowd"}, {"seconds", "crowd"},
        {"merged", "crowd"},
    };
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; ++i)
    {
        if (args_is_set(arguments, owners[i][0]) && strcmp(suite->name, owners[i][1]) != 0)
        {
            return message_usage("suite %s has no --%s; %s has", suite->name, owners[i][0],
                                 owners[i][1]);
        }
    }
    return EXIT_DONE;
}

static int check(const bench_suite* suite, const bench_options* how, const args* arguments)
{
    const char* plot_path = args_text(arguments, "plot", NULL);
    int code = check_owner(suite, arguments);
    if (code != EXIT_DONE)
    {
        return code;
    }
    if (args_is_set(arguments, "rig") && arguments->operand_count > 1)
    {
        return message_usage("give --rig or a file, not both");
    }
    if (how->input_count > suite->max_inputs)
    {
        return suite->max_inputs == 0
                   ? message_usage("suite %s takes no file; it measures built-in rigs", suite->name)
                   : message_usage("suite %s takes one file, not %u", suite->name,
                                   how->input_count);
    }
    const char* path = args_text(arguments, "output", NULL);
    if (suite->has_folder && path != NULL)
    {
        pelt_error error = {0};
        code = strcmp(path, "-") != 0 ? message_error(bench_folder_check(path, &error), &error)
                                      : message_usage("-o of suite %s is a folder", suite->name);
    }
    if (plot_path == NULL || code != EXIT_DONE)
    {
        return code;
    }
    if (!suite->has_plot)
    {
        return message_usage("suite %s has no plot; deform, cor, helpers, bake and crowd have",
                             suite->name);
    }
    if (strcmp(plot_path, args_text(arguments, "output", "-")) == 0)
    {
        return message_usage("results and plot cannot both go to %s", plot_path);
    }
    return strcmp(plot_path, "-") != 0 ? check_plot_path(plot_path) : EXIT_DONE;
}

// The results first: they must not be lost if the plot cannot be written.
static int deliver(const bench_suite* suite, const bench_report* report, const args* arguments)
{
    const char* path = args_text(arguments, "output", NULL);
    const char* plot_path = args_text(arguments, "plot", NULL);
    bool is_folder = suite->has_folder && path != NULL, is_json = args_is_set(arguments, "json");
    output json = {0};
    pelt_error error = {0};
    int code = EXIT_DONE;
    if (is_folder || is_json)
    {
        bool is_quick = args_is_set(arguments, "quick");
        TRY(output_json_prepare(&json, bench_json(suite, report, is_quick),
                                is_folder ? NULL : path));
    }
    if (is_folder)
    {
        const text_stream* text = &json.content;
        code = message_error(bench_folder_save(path, suite, report, text->text, text->size, &error),
                             &error);
    }
    if (code == EXIT_DONE)
    {
        code = is_json ? output_deliver(&json)
                       : bench_output_text(suite, report, is_folder ? NULL : path);
    }
    if (code == EXIT_DONE && plot_path != NULL)
    {
        code = message_error(plot_save(plot_path, &report->plot, &error), &error);
    }
    output_discard(&json);
    return code;
}

// "box" means the rig, as "rig:box" does; "box.glb" is a file.
static const char* find_rig(char* out, size_t size, const args* arguments)
{
    const char* name = args_text(arguments, "rig", NULL);
    if (name == NULL)
    {
        return NULL;
    }
    bool is_bare = strpbrk(name, "./:") == NULL;
    snprintf(out, size, "%s%s", is_bare ? "rig:" : "", name);
    return out;
}

static int run_suite(const bench_suite* suite, const args* arguments)
{
    static bench_report report;
    pelt_error error = {0};
    char rig[4096];
    const char* rig_input = find_rig(rig, sizeof rig, arguments);
    bool has_rig = rig_input != NULL;
    bench_options how = {
        .is_quick = args_is_set(arguments, "quick"),
        .input_count = has_rig                        ? 1
                       : arguments->operand_count > 1 ? arguments->operand_count - 1
                                                      : 0,
        .inputs = has_rig ? &rig_input : arguments->operands + 1,
        .techniques = args_text(arguments, "techniques", NULL),
        .seconds = (double)args_number(arguments, "seconds", 0.0f),
        .is_merged = args_is_set(arguments, "merged"),
        .methods = args_text(arguments, "methods", NULL),
        .vertices = args_text(arguments, "vertices", NULL),
        .influences = args_text(arguments, "influences", NULL),
        .isa = args_text(arguments, "isa", NULL),
        .normals = args_text(arguments, "normals", NULL),
        .order = args_text(arguments, "order", NULL),
        .progress = progress_next,
    };
    TRY(check(suite, &how, arguments));
    pelt_result result = suite->run(&report, &how, &error);
    bool is_whole = bench_report_is_whole(&report);
    int code = result != PELT_OK ? message_error(result, &error)
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
        "deform (default): deformers of the human, positions and normals, at several sizes, on "
        "one\n"
        "and on all threads; at 25000 vertices also by each instruction set, rule of normals and\n"
        "number of joints: nanoseconds per vertex, times the speed of the reference on one "
        "thread,\n"
        "per cent of the speed of memory. Then the reference methods.\n"
        "With lists of values every combination of them is measured instead.\n"
        "pose: a clip of built-in rigs or of the FILEs, played at 60 Hz: nanoseconds per node of\n"
        "sampling, of a player, of the products down the hierarchy, of joint matrices and of "
        "their\n"
        "split into motion and stretch; per node in all with a player, and how many times faster\n"
        "that is; the largest difference of a rotation.\n"
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
        "sampling the source; then the sizes in the animation texture thesis (2021), next to those "
        "of pelt.\n"
        "gpu: the frame of one character, the human or FILE, drawn by OpenGL without a window: "
        "each\n"
        "method, rule of normals and number of influences relative to lbs, the ratios that papers\n"
        "report, and bytes for each vertex and joint.\n"
        "crowd: frames of growing crowds by fourteen techniques: control, cpu-matrix, gpu-matrix,\n"
        "gpu-dq, gpu-crs, matrix-texture, dq-texture, qt-texture, vertex-texture, matrix-posed,\n"
        "qt-posed, and with textures as a thesis lays them out thesis-matrix-texture,\n"
        "thesis-dq-texture and thesis-vertex-texture: rating (frames per second times instances),\n"
        "instances at 120, 60 and 30 frames per second, also in per cent of control, t-tests\n"
        "between techniques, and what parts of a frame cost. --merged is the second benchmark of\n"
        "that thesis, and leaves those parts out. Takes minutes without --quick. -o names a\n"
        "folder, which gets crowd.json, crowd.svg and one CSV file for each table.",
    .example = "pelt bench cor --quick --plot cor.svg",
    .max_operands = ARGS_OPERAND_MAX,
    .tables = {options, args_output_file, args_common},
    .run = run,
};
