// SPDX-License-Identifier: MIT
// Output of commands: text, aligned tables and JSON, to the standard output, files or folders.
#define _POSIX_C_SOURCE 200809L

#include "output.h"

#include "bench_json.h"
#include "pelt/io.h"
#include "terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------
// Text

int output_open(output* out, const char* path)
{
    *out = (output){.path = path};
    bool is_open = text_stream_open(&out->content);
    out->stream = out->content.stream;
    return is_open ? EXIT_DONE : message_memory();
}

int output_close(output* out)
{
    return text_stream_close(&out->content) ? output_deliver(out) : output_fail(out);
}

int output_fail(output* out)
{
    output_discard(out);
    return message_memory();
}

int output_deliver(output* out)
{
    pelt_error error = {0};
    pelt_result result = PELT_OK;
    if (out->content.text != NULL)
    {
        const char* path = out->path != NULL ? out->path : "-";
        result = pelt_save_bytes(path, out->content.text, out->content.size, &error);
    }
    output_discard(out);
    return message_error(result, &error);
}

void output_discard(output* out)
{
    text_stream_free(&out->content);
    *out = (output){0};
}

int output_discard_on(output* out, int code)
{
    if (code != EXIT_DONE)
    {
        output_discard(out);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Files and folders

bool output_is_same_file(const char* a, const char* b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

static int folder_error(const char* path, int code)
{
    message_note("cannot create folder %s: %s", path, strerror(code));
    return EXIT_WRITE;
}

// Whether files can be created in a folder; errno says why not.
static bool is_writable_folder(const char* path)
{
    struct stat status;
    if (stat(path, &status) != 0)
    {
        return false;
    }
    errno = S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    return errno == 0 && access(path, W_OK | X_OK) == 0;
}

int output_folder_check(const char* path)
{
    struct stat status;
    if (stat(path, &status) == 0)
    {
        // A folder without write permission is reported with the file that cannot be written.
        return S_ISDIR(status.st_mode) ? EXIT_DONE : folder_error(path, EEXIST);
    }
    if (errno != ENOENT)
    {
        return folder_error(path, errno);
    }
    // Creating the folder and removing it again could remove it under another program that writes
    // into it.
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
    {
        --length;
    }
    while (length > 0 && path[length - 1] != '/')
    {
        --length;
    }
    char* parent = malloc(length + 2);
    if (parent == NULL)
    {
        return message_memory();
    }
    snprintf(parent, length + 2, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
    int code = is_writable_folder(parent) ? EXIT_DONE : folder_error(path, errno);
    free(parent);
    return code;
}

int output_folder_make(output_folder* out, const char* path)
{
    *out = (output_folder){.path = path, .is_new = mkdir(path, 0777) == 0};
    struct stat status;
    bool is_there =
        out->is_new || (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode));
    return is_there ? EXIT_DONE : folder_error(path, errno);
}

void output_folder_unmake(const output_folder* in)
{
    if (in->is_new)
    {
        rmdir(in->path); // refuses when there is something in it
    }
}

// ---------------------------------------------------------------------------------------------
// Tables

static bool grow(table* out)
{
    if (out->cell_count < out->cell_capacity)
    {
        return true;
    }
    uint32_t capacity = out->cell_capacity == 0 ? 64 : 2 * out->cell_capacity;
    char** cells = realloc(out->cells, capacity * sizeof *cells);
    if (cells == NULL)
    {
        return false;
    }
    out->cells = cells;
    out->cell_capacity = capacity;
    return true;
}

void table_cell(table* out, const char* format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    terminal_text_clean(text);

    char* cell = grow(out) ? strdup(text) : NULL;
    if (cell == NULL)
    {
        out->is_out_of_memory = true;
        return;
    }
    out->cells[out->cell_count++] = cell;
}

void table_begin(table* out, const char* alignment, const char* const* headers)
{
    *out = (table){.alignment = alignment, .column_count = (uint32_t)strlen(alignment)};
    PELT_ASSERT(out->column_count <= TABLE_COLUMN_MAX);
    for (uint32_t i = 0; i < out->column_count; ++i)
    {
        table_cell(out, "%s", headers[i]);
    }
}

// Letters of UTF-8, not bytes.
static uint32_t letter_count(const char* text)
{
    uint32_t count = 0;
    for (; *text != '\0'; ++text)
    {
        count += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return count;
}

static void print_row(const table* in, uint32_t first, const uint32_t* widths, FILE* stream)
{
    for (uint32_t column = 0; column < in->column_count; ++column)
    {
        const char* cell = in->cells[first + column];
        int padding = (int)(widths[column] - letter_count(cell));
        bool is_right = in->alignment[column] == 'r';
        bool is_last = column + 1 == in->column_count;
        fprintf(stream, "  %*s%s%*s", is_right ? padding : 0, "", cell,
                is_right || is_last ? 0 : padding, "");
    }
    fputc('\n', stream);
}

bool table_end(table* out, FILE* stream)
{
    bool is_whole = !out->is_out_of_memory;
    uint32_t widths[TABLE_COLUMN_MAX] = {0};
    for (uint32_t i = 0; is_whole && i < out->cell_count; ++i)
    {
        uint32_t* width = &widths[i % out->column_count];
        uint32_t letters = letter_count(out->cells[i]);
        *width = letters > *width ? letters : *width;
    }
    for (uint32_t i = 0; is_whole && i + out->column_count <= out->cell_count;
         i += out->column_count)
    {
        print_row(out, i, widths, stream);
    }
    for (uint32_t i = 0; i < out->cell_count; ++i)
    {
        free(out->cells[i]);
    }
    free(out->cells);
    *out = (table){0};
    return is_whole;
}

// ---------------------------------------------------------------------------------------------
// JSON
//
// The library answers a failed allocation with a value that is missing, or is not what was meant,
// in hundreds of calls. After one failure the whole document is incomplete and discarded.

static atomic_bool has_json_failed;

static void* allocate_json(size_t size)
{
    void* memory = malloc(size);
    if (memory == NULL)
    {
        atomic_store(&has_json_failed, true);
    }
    return memory;
}

void output_json_watch(void)
{
    json_set_alloc_funcs(allocate_json, free);
}

// Free with free(); NULL: out of memory.
static char* json_text(json_t* value, size_t flags)
{
    // Nine digits reproduce every float exactly.
    flags |= JSON_REAL_PRECISION(9);
    char* text = value != NULL ? json_dumps(value, flags) : NULL;
    if (text != NULL && !terminal_text_is_clean(text))
    {
        // The same names, without characters that control a terminal.
        free(text);
        text = json_dumps(value, flags | JSON_ENSURE_ASCII);
    }
    json_decref(value);
    if (!atomic_load(&has_json_failed))
    {
        return text;
    }
    free(text);
    return NULL;
}

int output_json_prepare(output* out, json_t* value, const char* path)
{
    *out = (output){.path = path, .content.text = json_text(value, JSON_INDENT(2))};
    char* text = out->content.text;
    if (text == NULL)
    {
        return message_memory();
    }
    size_t size = strlen(text);
    text[size] = '\n'; // in place of the final zero: the size says where the text ends
    out->content.size = size + 1;
    return EXIT_DONE;
}

int output_json(json_t* value, const char* path)
{
    output out;
    TRY(output_json_prepare(&out, value, path));
    return output_deliver(&out);
}

json_t* output_real(double value)
{
    return json_value_real(value);
}

json_t* output_float(float value)
{
    // 1.2f is 1.2000000477 in double precision: print fewer digits.
    for (int digits = 6; digits < 9; ++digits)
    {
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
        {
            return output_real(strtod(text, NULL));
        }
    }
    return output_real((double)value);
}

json_t* output_string(const char* text)
{
    return json_value_string(text);
}

json_t* output_vec3(pelt_vec3 v)
{
    return json_pack("[o, o, o]", output_float(v.x), output_float(v.y), output_float(v.z));
}

json_t* output_bounds(const pelt_bounds* bounds)
{
    if (bounds->min.x > bounds->max.x)
    {
        return json_null();
    }
    return json_pack("{s:o, s:o}", "min", output_vec3(bounds->min), "max",
                     output_vec3(bounds->max));
}
