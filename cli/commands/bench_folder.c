// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "bench_folder.h"

#include "bench_output.h"
#include "pelt/io.h"
#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    FILE_MAX = BENCH_TABLE_MAX + 2,
    PATH_SIZE = 4096,
};

// The files on their way.
typedef struct folder_files
{
    uint32_t count;
    char paths[FILE_MAX][PATH_SIZE];
    pelt_file files[FILE_MAX];
    text_stream texts[BENCH_TABLE_MAX + 1];
    uint32_t text_count;
    output json;
} folder_files;

int bench_folder_check(const char* folder)
{
    char parent[PATH_SIZE];
    struct stat status;
    pelt_error error = {0};
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
    {
        --length;
    }
    snprintf(parent, sizeof parent, "%.*s", (int)length, folder);
    bool is_there = stat(parent, &status) == 0;
    if (is_there && S_ISDIR(status.st_mode))
    {
        return EXIT_DONE;
    }
    char* slash = strrchr(parent, '/');
    snprintf(slash != NULL ? slash + 1 : parent, 2, "%s", slash != NULL ? "" : ".");
    const char* reason = is_there ? "it is no folder" : NULL;
    if (!is_there && stat(parent, &status) != 0)
    {
        reason = strerror(errno);
    }
    return reason == NULL ? EXIT_DONE
                          : message_error(pelt_error_set(&error, PELT_ERROR_WRITE,
                                                         "cannot write to %s: %s", folder, reason),
                                          &error);
}

static bool add_file(folder_files* out, const char* folder, const char* name, const char* bytes,
                     size_t size)
{
    uint32_t i = out->count++;
    const char* between = folder[strlen(folder) - 1] == '/' ? "" : "/";
    int length = snprintf(out->paths[i], PATH_SIZE, "%s%s%s", folder, between, name);
    out->files[i] = (pelt_file){.path = out->paths[i], .bytes = bytes, .size = size};
    return length < PATH_SIZE;
}

// ---------------------------------------------------------------------------------------------
// CSV

static void put_text(FILE* out, const char* text)
{
    bool is_plain = strpbrk(text, ",\"\r\n") == NULL;
    fputs(is_plain ? "" : "\"", out);
    for (const char* c = text; *c != '\0'; ++c)
    {
        fputs(*c == '"' ? "\"" : "", out);
        fputc(*c, out);
    }
    fputs(is_plain ? "" : "\"", out);
}

static void put_cell(FILE* out, const bench_column* column, const bench_cell* cell)
{
    if (column->decimals == BENCH_TEXT)
    {
        put_text(out, cell->text);
    }
    else if (isfinite(cell->number))
    {
        fprintf(out, "%.*g", 9, cell->number);
    }
}

static void put_table(FILE* out, const bench_table* in)
{
    for (uint32_t c = 0; c < in->column_count; ++c)
    {
        fputs(c > 0 ? "," : "", out);
        put_text(out, in->columns[c].key);
    }
    fputs("\n", out);
    for (uint32_t i = 0; i < in->row_count; ++i)
    {
        for (uint32_t c = 0; c < in->column_count; ++c)
        {
            fputs(c > 0 ? "," : "", out);
            put_cell(out, &in->columns[c], &in->cells[i][c]);
        }
        fputs("\n", out);
    }
}

// ---------------------------------------------------------------------------------------------
// All files

// A table, or the plot where there is none.
static int add_text(folder_files* out, const char* folder, const char* name,
                    const bench_table* rows, const plot* picture)
{
    text_stream* text = &out->texts[out->text_count++];
    if (!text_stream_open(text))
    {
        return message_memory();
    }
    if (rows != NULL)
    {
        put_table(text->stream, rows);
    }
    else
    {
        plot_draw(text->stream, picture);
    }
    bool is_whole = text_stream_close(text) && add_file(out, folder, name, text->text, text->size);
    return is_whole ? EXIT_DONE : message_memory();
}

static int prepare(folder_files* out, const char* folder, const bench_suite* suite,
                   const bench_report* report, bool is_quick)
{
    char name[128];
    snprintf(name, sizeof name, "%s.json", suite->name);
    int code = output_json_prepare(&out->json, bench_output_json(suite, report, is_quick), NULL);
    if (code == EXIT_DONE &&
        !add_file(out, folder, name, out->json.content.text, out->json.content.size))
    {
        code = message_usage("the name of the folder is too long");
    }
    for (uint32_t i = 0; code == EXIT_DONE && i < report->table_count; ++i)
    {
        snprintf(name, sizeof name, "%s_%s.csv", suite->name, report->tables[i].key);
        code = add_text(out, folder, name, &report->tables[i], NULL);
    }
    if (code == EXIT_DONE && suite->has_plot)
    {
        snprintf(name, sizeof name, "%s.svg", suite->name);
        code = add_text(out, folder, name, NULL, &report->plot);
    }
    return code;
}

int bench_folder_save(const char* folder, const bench_suite* suite, const bench_report* report,
                      bool is_quick)
{
    folder_files* files = calloc(1, sizeof *files);
    if (files == NULL)
    {
        return message_memory();
    }
    int code = prepare(files, folder, suite, report, is_quick);
    output_folder made;
    if (code == EXIT_DONE)
    {
        code = output_folder_make(&made, folder);
    }
    if (code == EXIT_DONE)
    {
        pelt_error error = {0};
        code = message_error(pelt_save_files(files->files, files->count, &error), &error);
        if (code != EXIT_DONE)
        {
            output_folder_unmake(&made);
        }
    }
    for (uint32_t i = 0; i < files->text_count; ++i)
    {
        text_stream_free(&files->texts[i]);
    }
    output_discard(&files->json);
    free(files);
    return code;
}
