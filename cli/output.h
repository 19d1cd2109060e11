// SPDX-License-Identifier: MIT
// Data for the standard output or a file: aligned tables, or JSON.
#ifndef PELT_OUTPUT_H
#define PELT_OUTPUT_H

#include "pelt/pelt.h"

#include <jansson.h>
#include <stdio.h>

// ---------------------------------------------------------------------------------------------
// Text

/// Text put together in memory, so that a file of it appears whole. Write to `stream`.
typedef struct output
{
    FILE* stream;
    const char* path; ///< NULL or "-": standard output
    char* text;
    size_t size;
} output;

int output_open(output* out, const char* path);

/// Deliver the text. @return the exit code
int output_close(output* out);

/// Forget the text.
void output_discard(output* out);

// ---------------------------------------------------------------------------------------------
// Tables

enum
{
    TABLE_COLUMN_MAX = 16,
};

/// Cells in reading order; columns become as wide as their widest cell.
typedef struct table
{
    const char* alignment; ///< one letter per column: 'l' or 'r'
    uint32_t column_count;
    uint32_t cell_count, cell_capacity;
    char** cells;
    bool is_out_of_memory;
} table;

/// @param headers  one per letter of alignment
void table_begin(table* out, const char* alignment, const char* const* headers);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void table_cell(table* out, const char* format, ...);

/// Print, two spaces in front of each line, and free.
/// @return false when memory ran out
bool table_end(table* out, FILE* stream);

// ---------------------------------------------------------------------------------------------
// JSON

/// Print or save a value, which is released. NULL is out of memory. @return the exit code
int output_json(json_t* value, const char* path);

json_t* output_real(double value);       ///< null when not finite
json_t* output_float(float value);       ///< with no more digits than the float has
json_t* output_string(const char* text); ///< NULL: null; bytes that are not UTF-8 become '?'
json_t* output_vec3(pelt_vec3 v);
json_t* output_bounds(const pelt_bounds* bounds);

#endif
