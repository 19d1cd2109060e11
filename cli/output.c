// SPDX-License-Identifier: MIT
// Data for the standard output or a file: aligned tables, or JSON.
#define _POSIX_C_SOURCE 200809L

#include "output.h"

#include "message.h"
#include "pelt/io.h"
#include "terminal_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int deliver(const char* path, const char* text, size_t size)
{
    pelt_error error = {0};
    return message_error(pelt_save_bytes(path != NULL ? path : "-", text, size, &error), &error);
}

int output_open(output* out, const char* path)
{
    *out = (output){.path = path};
    out->stream = open_memstream(&out->text, &out->size);
    return out->stream != NULL ? EXIT_DONE : message_memory();
}

int output_close(output* out)
{
    bool is_whole = fflush(out->stream) == 0 && ferror(out->stream) == 0;
    is_whole = fclose(out->stream) == 0 && is_whole;
    int code = is_whole ? deliver(out->path, out->text, out->size) : message_memory();
    free(out->text);
    *out = (output){0};
    return code;
}

void output_discard(output* out)
{
    fclose(out->stream);
    free(out->text);
    *out = (output){0};
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

// Letters, not bytes, of UTF-8.
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

int output_json(json_t* value, const char* path)
{
    // Nine digits bring every float back to the last bit.
    size_t style = JSON_INDENT(2) | JSON_REAL_PRECISION(9) | JSON_PRESERVE_ORDER;
    char* text = value != NULL ? json_dumps(value, style) : NULL;
    if (text != NULL && !terminal_text_is_clean(text))
    {
        // The same names, spelt so that a terminal does not act on them.
        free(text);
        text = json_dumps(value, style | JSON_ENSURE_ASCII);
    }
    json_decref(value);
    if (text == NULL)
    {
        return message_memory();
    }
    size_t size = strlen(text);
    text[size] = '\n'; // in place of the final zero: the size says where the text ends
    int code = deliver(path, text, size + 1);
    free(text);
    return code;
}

json_t* output_real(double value)
{
    return value - value == 0.0 ? json_real(value) : json_null();
}

json_t* output_float(float value)
{
    // 1.2f is 1.2000000477 in double precision, which nobody wants to read.
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
