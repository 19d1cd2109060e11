// SPDX-License-Identifier: MIT
// pelt batch: runs a command on many characters.
#define _XOPEN_SOURCE 700

#include "batch/batch.h"
#include "commands.h"
#include "output.h"
#include "terminal.h"

#include <string.h>
#include <unistd.h>

enum
{
    SHARD_MAX = 65535,
    MEMORY_MAX = 1 << 24, // MB
};

static const arg_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "DIR",
     .help = "folder of all outputs and of the report; made if needed"},
    {.name = "extension",
     .kind = ARG_TEXT,
     .value = "EXT",
     .help = "of output files, such as .gltf; default .glb, of render .png"},
    {.name = "pictures", .kind = ARG_FLAG, .help = "draw each character for the report"},
    {.name = "shard",
     .kind = ARG_TEXT,
     .value = "I/N",
     .help = "only part I of N, from 1: for array jobs on several machines"},
    {.name = "merge", .kind = ARG_FLAG, .help = "only join the reports of all shards in --output"},
    {.name = "max-memory",
     .kind = ARG_COUNT,
     .value = "MB",
     .minimum = 1,
     .maximum = MEMORY_MAX,
     .help = "of all jobs at a time, by estimate; default 3/4 of the machine"},
    {0},
};

// ---------------------------------------------------------------------------------------------
// Options

static int read_shard(batch* out, const args* arguments)
{
    const char* text = args_text(arguments, "shard", NULL);
    if (text == NULL)
    {
        return EXIT_DONE;
    }
    int end = 0;
    bool is_read = sscanf(text, "%5u/%5u%n", &out->shard, &out->shard_count, &end) == 2 &&
                   text[end] == '\0' && text[0] >= '0' && text[0] <= '9';
    return is_read && out->shard >= 1 && out->shard <= out->shard_count &&
                   out->shard_count <= SHARD_MAX
               ? EXIT_DONE
               : message_usage("--shard %s: give the number of the part and that of all parts, as "
                               "in --shard 1/4",
                               text);
}

static uint64_t read_memory(const args* arguments)
{
    uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    uint64_t machine = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return args_is_set(arguments, "max-memory")
               ? (uint64_t)args_number(arguments, "max-memory", 0.0f) << 20
               : machine / 4 * 3;
}

static bool is_option(const char* word, const char* name, const char* letter)
{
    size_t length = strlen(name);
    return strcmp(word, letter) == 0 ||
           (strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == '='));
}

// The words of the command are checked once, as if for the first input: a mistake in them would
// otherwise be one of every input.
static int check_words(const batch* in)
{
    const char* words[BATCH_WORD_MAX + 4];
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->word_count; ++i)
    {
        const char* word = in->words[i];
        if (is_option(word, "--output", "-o") || is_option(word, "--depfile", "--depfile") ||
            is_option(word, "--sarif", "--sarif"))
        {
            return message_usage("pelt batch gives %s itself for each input; leave it out", word);
        }
        words[count++] = word;
    }
    if (in->command->output != BATCH_OUTPUT_JSON)
    {
        words[count++] = "-o";
        words[count++] = in->folder;
    }
    words[count++] = "--";
    words[count++] = "input";
    args arguments;
    return args_parse(&arguments, command_find(in->command->name), (int)count,
                      (char**)(uintptr_t)words);
}

static int read_command(batch* out, const args* arguments)
{
    if (arguments->operand_count < 2)
    {
        return message_usage("batch needs a command after --, as in pelt batch models -o out -- "
                             "enhance --cor");
    }
    const char* name = arguments->operands[1];
    out->command = batch_command_find(name);
    if (out->command == NULL)
    {
        return message_usage("batch cannot run \"%s\"; it runs %s", name, batch_command_names());
    }
    out->words = arguments->operands + 2;
    out->word_count = arguments->operand_count - 2;
    if (out->word_count > BATCH_WORD_MAX)
    {
        return message_usage("batch takes up to %d words after the command", BATCH_WORD_MAX);
    }
    const char* extension = args_text(arguments, "extension", NULL);
    if (extension != NULL && out->command->output != BATCH_OUTPUT_FILE)
    {
        return message_usage("--extension: %s writes %s", name,
                             out->command->output == BATCH_OUTPUT_DIR ? "folders" : ".json files");
    }
    if (extension != NULL && (strchr(extension, '/') != NULL || extension[0] == '\0'))
    {
        return message_usage("--extension %s: give the end of a file name, such as .gltf",
                             extension);
    }
    bool has_dot = extension != NULL && extension[0] == '.';
    out->extension = extension == NULL ? out->command->extension
                     : has_dot         ? extension
                                       : pelt_arena_format(out->arena, ".%s", extension);
    return check_words(out);
}

static int read_options(batch* out, const args* arguments)
{
    out->folder = args_text(arguments, "output", NULL);
    if (out->folder == NULL)
    {
        return message_usage("batch needs -o DIR, the folder of its outputs");
    }
    out->has_pictures = args_is_set(arguments, "pictures");
    out->max_memory = read_memory(arguments);
    float threads = args_number(arguments, "threads", 0.0f);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    out->thread_count = threads >= 1.0f ? (uint32_t)threads : cores > 0 ? (uint32_t)cores : 1;
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// Report

static void print_summary(const batch* in, const json_t* report)
{
    uint32_t count = (uint32_t)json_array_size(json_object_get(report, "jobs"));
    uint32_t up_to_date = 0;
    for (uint32_t i = 0; i < in->job_count; ++i)
    {
        up_to_date += in->jobs[i].is_up_to_date;
    }
    char name[64] = "report";
    if (in->shard_count > 0)
    {
        snprintf(name, sizeof name, "report-%u-of-%u", in->shard, in->shard_count);
    }
    message_note("%u %s: %u up to date, %u failed; see %s/%s.html", count,
                 message_plural(count, "character", "characters"), up_to_date,
                 batch_report_failures(report), in->folder, name);
}

static int deliver(const batch* in, json_t* report, const args* arguments)
{
    print_summary(in, report);
    uint32_t failed = batch_report_failures(report);
    TRY(args_is_set(arguments, "json") ? output_json(json_incref(report), NULL) : EXIT_DONE);
    return failed > 0 ? EXIT_INPUT : EXIT_DONE;
}

static int run_all(batch* inout, const args* arguments)
{
    TRY(read_shard(inout, arguments));
    TRY(read_command(inout, arguments));
    TRY(output_folder_check(inout->folder));
    TRY(batch_list(inout, arguments->operands[0]));
    output_folder folder;
    TRY(output_folder_make(&folder, inout->folder));
    json_t* report = NULL;
    int code = batch_run(inout);
    code = code == EXIT_DONE ? batch_report_save(&report, inout) : code;
    code = code == EXIT_DONE ? deliver(inout, report, arguments) : code;
    json_decref(report);
    for (uint32_t i = 0; i < inout->job_count; ++i)
    {
        json_decref(inout->jobs[i].figures);
    }
    return code;
}

static int merge(batch* inout, const args* arguments)
{
    if (arguments->operand_count > 0 || args_is_set(arguments, "shard"))
    {
        return message_usage("--merge takes only -o DIR: it joins the reports that are there");
    }
    json_t* report = NULL;
    int code = batch_report_merge(&report, inout->folder);
    code = code == EXIT_DONE ? deliver(inout, report, arguments) : code;
    json_decref(report);
    return code;
}

static int run(const args* arguments)
{
    batch state = {.arena = pelt_arena_create()};
    int code = state.arena != NULL ? read_options(&state, arguments) : message_memory();
    if (code == EXIT_DONE)
    {
        bool is_merge = args_is_set(arguments, "merge");
        code = is_merge ? merge(&state, arguments) : run_all(&state, arguments);
    }
    pelt_arena_destroy(state.arena);
    return code;
}

const args_command cmd_batch = {
    .name = "batch",
    .summary = "run a command on many characters",
    .operands = "LIST|DIR -- COMMAND [OPTION...]",
    .description =
        "Runs info, doctor, enhance, deform, render, compare, convert or bake on all characters\n"
        "below a folder, or on those of a text file with one path in each line (- is the standard\n"
        "input). Each runs in a process of its own, with one thread, on as many cores as "
        "--threads\n"
        "says. A failure does not stop the others. What is up to date is left out: the content of\n"
        "all files read, options and version are compared, so that an interrupted batch goes on\n"
        "where it was. Outputs have the names of the inputs; report.json and report.html have a\n"
        "row for each. Exits with 2 if any has failed.",
    .example = "pelt batch characters -o better -- enhance --cor --normals",
    .min_operands = 0,
    .max_operands = BATCH_WORD_MAX + 2,
    .tables = {options, args_common},
    .run = run,
};
