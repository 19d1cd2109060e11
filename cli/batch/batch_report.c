// SPDX-License-Identifier: MIT
// The report of a batch as JSON and as a page, and joining those of shards. Both say the same for
// any number of shards, threads and runs: the work that a run could leave out is not in them.
#define _XOPEN_SOURCE 700

#include "batch.h"
#include "compare/html.h"
#include "output.h"
#include "terminal.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_FORMAT "pelt-batch"
#define REPORT_VERSION 1

// ---------------------------------------------------------------------------------------------
// JSON

// Paths of outputs and pictures are relative to the folder of the report.
static const char* below_folder(const batch* in, const char* path)
{
    size_t length = strlen(in->folder);
    path += strncmp(path, in->folder, length) == 0 ? length : 0;
    return path + (path[0] == '/');
}

static json_t* job_as_json(const batch* in, const batch_job* job)
{
    bool has_failed = !job->is_done || job->exit_code != EXIT_DONE;
    const char* picture = pelt_arena_format(in->arena, "%s.png", below_folder(in, job->record));
    json_t* row = json_object();
    json_object_set_new(row, "index", json_integer(job->index));
    json_object_set_new(row, "input", output_string(job->input));
    json_object_set_new(row, "name", output_string(job->name));
    json_object_set_new(row, "output",
                        job->is_done ? output_string(below_folder(in, job->output)) : json_null());
    json_object_set_new(row, "picture",
                        in->has_pictures && job->is_done ? output_string(picture) : json_null());
    json_object_set_new(row, "failed", json_boolean(has_failed));
    json_object_set_new(row, "exit_code", json_integer(job->exit_code));
    json_object_set_new(row, "message", output_string(job->message));
    json_object_set(row, "figures", job->figures != NULL ? job->figures : json_null());
    return row;
}

static json_t* shard_as_json(const batch* in)
{
    return in->shard_count == 0
               ? json_null()
               : json_pack("{s:i, s:i}", "index", (int)in->shard, "count", (int)in->shard_count);
}

static json_t* report_as_json(const batch* in)
{
    json_t* words = json_array();
    json_array_append_new(words, json_string(in->command->name));
    for (uint32_t i = 0; i < in->word_count; ++i)
    {
        json_array_append_new(words, output_string(in->words[i]));
    }
    json_t* jobs = json_array();
    for (uint32_t i = 0; i < in->job_count; ++i)
    {
        json_array_append_new(jobs, job_as_json(in, &in->jobs[i]));
    }
    json_t* report = json_object();
    json_object_set_new(report, "format", json_string(REPORT_FORMAT));
    json_object_set_new(report, "version", json_integer(REPORT_VERSION));
    json_object_set_new(report, "pelt", json_string(PELT_VERSION_STRING));
    json_object_set_new(report, "command", words);
    json_object_set_new(report, "inputs", json_integer(in->input_count));
    json_object_set_new(report, "shard", shard_as_json(in));
    json_object_set_new(report, "jobs", jobs);
    return report;
}

uint32_t batch_report_failures(const json_t* report)
{
    uint32_t count = 0;
    size_t i = 0;
    json_t* job = NULL;
    json_array_foreach(json_object_get(report, "jobs"), i, job)
    {
        count += json_is_true(json_object_get(job, "failed"));
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Page

/// Columns that only some tables have.
typedef struct page_columns
{
    bool has_pictures, has_messages;
} page_columns;

/// A row of the table and what it is sorted by.
typedef struct page_row
{
    const json_t* job;
    bool has_failed;
    double values[BATCH_FIGURE_MAX]; ///< figures; very small where there is none
    uint32_t index;
} page_row;

// Failures first, then the largest first figure, among equal ones the largest second figure ...
static int by_badness(const void* a, const void* b)
{
    const page_row *x = a, *y = b;
    if (x->has_failed != y->has_failed)
    {
        return x->has_failed ? -1 : 1;
    }
    for (uint32_t i = 0; i < BATCH_FIGURE_MAX; ++i)
    {
        if (x->values[i] != y->values[i])
        {
            return x->values[i] > y->values[i] ? -1 : 1;
        }
    }
    return x->index < y->index ? -1 : 1;
}

static const char* text_of(const json_t* object, const char* name)
{
    const char* text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

static page_row* sort_rows(const json_t* jobs, const batch_command* command)
{
    size_t count = json_array_size(jobs);
    page_row* rows = malloc((count + 1) * sizeof *rows);
    for (size_t i = 0; i < count && rows != NULL; ++i)
    {
        const json_t* job = json_array_get(jobs, i);
        const json_t* figures = json_object_get(job, "figures");
        rows[i] = (page_row){.job = job,
                             .has_failed = json_is_true(json_object_get(job, "failed")),
                             .index = (uint32_t)i};
        for (uint32_t f = 0; f < BATCH_FIGURE_MAX && command->figures[f].name != NULL; ++f)
        {
            const json_t* value = json_object_get(figures, command->figures[f].name);
            rows[i].values[f] = json_is_number(value) ? json_number_value(value) : -1e300;
        }
    }
    if (rows != NULL)
    {
        qsort(rows, count, sizeof *rows, by_badness);
    }
    return rows;
}

static void put_picture(FILE* out, const char* folder, const char* name)
{
    pelt_arena* arena = pelt_arena_create();
    const char* path = arena != NULL ? batch_path(arena, folder, name) : NULL;
    pelt_source file = {0};
    pelt_error error;
    fputs("<td class=\"picture\">", out);
    if (path != NULL && name[0] != '\0' && pelt_source_read(&file, path, &error) == PELT_OK)
    {
        fputs("<img alt=\"\" width=\"96\" height=\"96\" src=\"", out);
        html_data_uri(out, file.bytes, file.size);
        fputs("\">", out);
        pelt_source_release(&file);
    }
    fputs("</td>", out);
    pelt_arena_destroy(arena);
}

static void put_figure(FILE* out, const batch_figure* figure, const json_t* figures)
{
    const json_t* value = json_object_get(figures, figure->name);
    char text[32];
    double number = json_is_number(value) ? json_number_value(value) : NAN;
    bool is_whole = json_is_integer(value);
    snprintf(text, sizeof text, is_whole || fabs(number) >= 1000.0 ? "%.0f" : "%.3g", number);
    html_table_number(out, (html_number){.value = number, .text = text});
}

static void put_row(FILE* out, const page_row* row, const batch_command* command,
                    const char* folder, page_columns columns)
{
    html_table_row(out, false);
    html_table_name(out, text_of(row->job, "name"), text_of(row->job, "input"));
    if (columns.has_pictures)
    {
        put_picture(out, folder, text_of(row->job, "picture"));
    }
    const json_t* figures = json_object_get(row->job, "figures");
    bool has_findings = row->has_failed && json_is_object(figures);
    html_table_text(out, !row->has_failed ? "done" : has_findings ? "findings" : "failed");
    for (const batch_figure* f = command->figures; f->name != NULL; ++f)
    {
        put_figure(out, f, figures);
    }
    if (columns.has_messages)
    {
        html_table_text(out, text_of(row->job, "message"));
    }
}

static bool has_any(const json_t* jobs, const char* name)
{
    size_t i = 0;
    json_t* job = NULL;
    json_array_foreach(jobs, i, job)
    {
        if (json_is_string(json_object_get(job, name)))
        {
            return true;
        }
    }
    return false;
}

static void put_command(FILE* out, const json_t* words)
{
    size_t i = 0;
    json_t* word = NULL;
    fputs("<p class=\"file\"><b>pelt", out);
    json_array_foreach(words, i, word)
    {
        fputs(" ", out);
        html_text(out, json_string_value(word));
    }
    fputs("</b></p>\n", out);
}

static void put_headline(FILE* out, const json_t* report)
{
    uint32_t count = (uint32_t)json_array_size(json_object_get(report, "jobs"));
    uint32_t failed = batch_report_failures(report);
    put_command(out, json_object_get(report, "command"));
    fprintf(out, "<h1>%u %s, ", count, message_plural(count, "character", "characters"));
    if (failed > 0)
    {
        fprintf(out, "%u failed</h1>\n", failed);
    }
    else
    {
        fputs("all done</h1>\n", out);
    }
}

static void put_table(FILE* out, const json_t* report, const batch_command* command,
                      const page_row* rows, const char* folder)
{
    const json_t* jobs = json_object_get(report, "jobs");
    page_columns columns = {has_any(jobs, "picture"), has_any(jobs, "message")};
    html_table_begin(out, "The worst first. A heading sorts by its column.");
    html_table_heading(out, "Character", NULL, false);
    if (columns.has_pictures)
    {
        html_table_heading(out, "Picture", NULL, false);
    }
    html_table_heading(out, "Result", NULL, false);
    for (const batch_figure* f = command->figures; f->name != NULL; ++f)
    {
        html_table_heading(out, f->heading, f->unit, true);
    }
    if (columns.has_messages)
    {
        html_table_heading(out, "Message", NULL, false);
    }
    html_table_body(out);
    for (size_t i = 0; i < json_array_size(jobs); ++i)
    {
        put_row(out, &rows[i], command, folder, columns);
    }
    html_table_end(out);
}

static int save_page(const json_t* report, const batch_command* command, const char* folder,
                     const char* path)
{
    page_row* rows = sort_rows(json_object_get(report, "jobs"), command);
    output page = {0};
    int code = rows != NULL ? output_open(&page, path) : message_memory();
    if (code == EXIT_DONE)
    {
        html_page_begin(page.stream, "pelt batch: ", command->name);
        fputs(
            "td,tbody th{vertical-align:middle}.picture{padding:4px}.picture img{display:block}\n",
            page.stream);
        html_page_body(page.stream);
        put_headline(page.stream, report);
        put_table(page.stream, report, command, rows, folder);
        html_page_end(page.stream, "pelt batch");
        code = output_close(&page);
    }
    free(rows);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Files

// Save report NAME.json and NAME.html in a folder.
static int save_both(json_t* report, const batch_command* command, const char* folder,
                     const char* name)
{
    pelt_arena* arena = pelt_arena_create();
    const char* base = arena != NULL ? batch_path(arena, folder, name) : NULL;
    const char* page = base != NULL ? pelt_arena_format(arena, "%s.html", base) : NULL;
    const char* data = base != NULL ? pelt_arena_format(arena, "%s.json", base) : NULL;
    int code =
        page != NULL && data != NULL ? save_page(report, command, folder, page) : message_memory();
    if (code == EXIT_DONE)
    {
        code = output_json(json_incref(report), data);
    }
    pelt_arena_destroy(arena);
    return code;
}

int batch_report_save(json_t** out, const batch* in)
{
    char name[64] = "report";
    if (in->shard_count > 0)
    {
        snprintf(name, sizeof name, "report-%u-of-%u", in->shard, in->shard_count);
    }
    *out = report_as_json(in);
    return *out != NULL ? save_both(*out, in->command, in->folder, name) : message_memory();
}

// ---------------------------------------------------------------------------------------------
// Shards

// The number of shards by the names of their reports; 0: there is none.
static uint32_t find_shard_count(const char* folder)
{
    DIR* entries = opendir(folder);
    unsigned count = 0;
    const struct dirent* entry = NULL;
    while (entries != NULL && (entry = readdir(entries)) != NULL)
    {
        unsigned shard = 0, all = 0;
        int end = 0;
        if (sscanf(entry->d_name, "report-%5u-of-%5u.json%n", &shard, &all, &end) == 2 && end > 0 &&
            entry->d_name[end] == '\0')
        {
            count = all > count ? all : count;
        }
    }
    if (entries != NULL)
    {
        closedir(entries);
    }
    return count;
}

static int read_shard(json_t** out, const char* folder, uint32_t shard, uint32_t count)
{
    char name[64];
    snprintf(name, sizeof name, "/report-%u-of-%u.json", shard, count);
    size_t size = strlen(folder) + sizeof name;
    char* path = malloc(size);
    if (path == NULL)
    {
        return message_memory();
    }
    snprintf(path, size, "%s%s", folder, name);
    *out = json_load_file(path, 0, NULL);
    bool is_report = strcmp(text_of(*out, "format"), REPORT_FORMAT) == 0;
    int code = is_report ? EXIT_DONE : EXIT_INPUT;
    if (!is_report)
    {
        message_note("%s is missing or is not a report of pelt batch; run the batch with "
                     "--shard %u/%u first",
                     path, shard, count);
    }
    free(path);
    return code;
}

static int by_index(const void* a, const void* b)
{
    json_int_t x = json_integer_value(json_object_get(*(json_t* const*)a, "index"));
    json_int_t y = json_integer_value(json_object_get(*(json_t* const*)b, "index"));
    return x < y ? -1 : x > y;
}

// The jobs of all shards in the order of the list.
static json_t* join_jobs(json_t* const* shards, uint32_t shard_count)
{
    size_t count = 0;
    for (uint32_t i = 0; i < shard_count; ++i)
    {
        count += json_array_size(json_object_get(shards[i], "jobs"));
    }
    json_t** rows = malloc((count + 1) * sizeof *rows);
    json_t* joined = rows != NULL ? json_array() : NULL;
    size_t next = 0;
    for (uint32_t i = 0; i < shard_count && joined != NULL; ++i)
    {
        const json_t* jobs = json_object_get(shards[i], "jobs");
        for (size_t j = 0; j < json_array_size(jobs); ++j)
        {
            rows[next++] = json_array_get(jobs, j);
        }
    }
    if (joined != NULL)
    {
        qsort(rows, next, sizeof *rows, by_index);
    }
    for (size_t i = 0; i < next; ++i)
    {
        json_array_append(joined, rows[i]);
    }
    free(rows);
    return joined;
}

static int check_shards(json_t* const* shards, uint32_t count, const char* folder)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const json_t *a = shards[0], *b = shards[i];
        if (!json_equal(json_object_get(a, "command"), json_object_get(b, "command")) ||
            !json_equal(json_object_get(a, "inputs"), json_object_get(b, "inputs")))
        {
            message_note("the reports of shards 1 and %u in %s are of other commands or lists; run "
                         "all shards with the same arguments",
                         i + 1, folder);
            return EXIT_INPUT;
        }
    }
    return EXIT_DONE;
}

static int join(json_t** out, json_t* const* shards, uint32_t count, const char* folder)
{
    TRY(check_shards(shards, count, folder));
    json_t* jobs = join_jobs(shards, count);
    json_t* report = jobs != NULL ? json_copy(shards[0]) : NULL;
    if (report == NULL || json_object_set_new(report, "shard", json_null()) != 0 ||
        json_object_set(report, "jobs", jobs) != 0)
    {
        json_decref(report);
        json_decref(jobs);
        return message_memory();
    }
    json_decref(jobs);
    *out = report;
    const json_t* words = json_object_get(report, "command");
    const char* name = json_string_value(json_array_get(words, 0));
    const batch_command* command = name != NULL ? batch_command_find(name) : NULL;
    if (command == NULL)
    {
        message_note("the reports in %s are of a command that this version of pelt does not have",
                     folder);
        return EXIT_INPUT;
    }
    return save_both(report, command, folder, "report");
}

int batch_report_merge(json_t** out, const char* folder)
{
    uint32_t count = find_shard_count(folder);
    if (count == 0)
    {
        message_note("%s has no report of a shard; run pelt batch with --shard first", folder);
        return EXIT_INPUT;
    }
    json_t** shards = calloc(count, sizeof *shards);
    int code = shards != NULL ? EXIT_DONE : message_memory();
    for (uint32_t i = 0; i < count && code == EXIT_DONE; ++i)
    {
        code = read_shard(&shards[i], folder, i + 1, count);
    }
    code = code == EXIT_DONE ? join(out, shards, count, folder) : code;
    for (uint32_t i = 0; i < count && shards != NULL; ++i)
    {
        json_decref(shards[i]);
    }
    free(shards);
    return code;
}
