// SPDX-License-Identifier: MIT
// Tables of results, and the files of a folder that they are written to.
#define _POSIX_C_SOURCE 200809L

#include "bench.h"
#include "pelt/io.h"
#include "text_stream.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void bench_tell(const bench_options* options, const char* label)
{
    if (options->progress != NULL)
    {
        options->progress(label);
    }
}

const char* bench_file_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// ---------------------------------------------------------------------------------------------
// Files

enum
{
    FILE_MAX = BENCH_TABLE_MAX + 2,
    PATH_SIZE = 4096,
};

// Files to write.
typedef struct folder_files
{
    uint32_t count;
    char paths[FILE_MAX][PATH_SIZE];
    pelt_file files[FILE_MAX];
    text_stream texts[BENCH_TABLE_MAX + 1];
    uint32_t text_count;
} folder_files;

pelt_result bench_folder_check(const char* folder, pelt_error* error)
{
    char parent[PATH_SIZE];
    struct stat status;
    size_t length = strlen(folder);
    if (length == 0)
    {
        return pelt_error_set(error, PELT_ERROR_WRITE, "cannot write to a folder without a name");
    }
    while (length > 1 && folder[length - 1] == '/')
    {
        --length;
    }
    snprintf(parent, sizeof parent, "%.*s", (int)length, folder);
    bool is_there = stat(parent, &status) == 0;
    if (is_there && S_ISDIR(status.st_mode))
    {
        return PELT_OK;
    }
    char* slash = strrchr(parent, '/');
    snprintf(slash != NULL ? slash + 1 : parent, 2, "%s", slash != NULL ? "" : ".");
    const char* reason = is_there ? "it is no folder" : NULL;
    if (!is_there && stat(parent, &status) != 0)
    {
        reason = strerror(errno);
    }
    return reason == NULL
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_WRITE, "cannot write to %s: %s", folder, reason);
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

static void put_csv_text(FILE* out, const char* text)
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
        put_csv_text(out, cell->text);
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
        put_csv_text(out, in->columns[c].key);
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

// @param rows  a table; NULL: the plot
static pelt_result add_text(folder_files* out, const char* folder, const char* name,
                            const bench_table* rows, const plot* picture, pelt_error* error)
{
    text_stream* text = &out->texts[out->text_count++];
    if (!text_stream_open(text))
    {
        return pelt_error_memory(error);
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
    return is_whole ? PELT_OK : pelt_error_memory(error);
}

static pelt_result prepare(folder_files* out, const char* folder, const bench_suite* suite,
                           const bench_report* report, const char* json, size_t size,
                           pelt_error* error)
{
    char name[128];
    snprintf(name, sizeof name, "%s.json", suite->name);
    if (!add_file(out, folder, name, json, size))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "the name of the folder is too long");
    }
    for (uint32_t i = 0; i < report->table_count; ++i)
    {
        snprintf(name, sizeof name, "%s_%s.csv", suite->name, report->tables[i].key);
        PELT_TRY(add_text(out, folder, name, &report->tables[i], NULL, error));
    }
    if (suite->has_plot)
    {
        snprintf(name, sizeof name, "%s.svg", suite->name);
        PELT_TRY(add_text(out, folder, name, NULL, &report->plot, error));
    }
    return PELT_OK;
}

static pelt_result make_folder(bool* is_new, const char* path, pelt_error* error)
{
    struct stat status;
    *is_new = mkdir(path, 0777) == 0;
    bool is_there =
        *is_new || (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode));
    return is_there ? PELT_OK
                    : pelt_error_set(error, PELT_ERROR_WRITE, "cannot create folder %s: %s", path,
                                     strerror(errno));
}

static pelt_result save(const char* folder, const folder_files* files, pelt_error* error)
{
    bool is_new;
    PELT_TRY(make_folder(&is_new, folder, error));
    pelt_result result = pelt_save_files(files->files, files->count, error);
    if (result != PELT_OK && is_new)
    {
        rmdir(folder); // has no effect on a folder with files
    }
    return result;
}

pelt_result bench_folder_save(const char* folder, const bench_suite* suite,
                              const bench_report* report, const char* json, size_t size,
                              pelt_error* error)
{
    folder_files* files = calloc(1, sizeof *files);
    if (files == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = prepare(files, folder, suite, report, json, size, error);
    result = result == PELT_OK ? save(folder, files, error) : result;
    for (uint32_t i = 0; i < files->text_count; ++i)
    {
        text_stream_free(&files->texts[i]);
    }
    free(files);
    return result;
}
