// SPDX-License-Identifier: MIT
// Output of commands: text, aligned tables and JSON, to the standard output, files or folders.
#ifndef PELT_OUTPUT_H
#define PELT_OUTPUT_H

#include "pelt/pelt.h"
#include "text_stream.h"

#include <jansson.h>
#include <stdio.h>

// ---------------------------------------------------------------------------------------------
// Text

/// Text put together in memory, so that it appears whole or not at all. {0} holds nothing; it must
/// not be moved while it is open.
typedef struct output
{
    FILE* stream;     ///< write here
    const char* path; ///< NULL or "-": standard output
    text_stream content;
} output;

int output_open(output* out, const char* path);

/// Deliver the text. @return the exit code
int output_close(output* out);

/// Discard the text, after an allocation for the same output has failed.
/// @return the exit code
int output_fail(output* out);

/// Print or save a text that is complete, and release it; {0} does nothing. Needs no memory where
/// it goes to the standard output: what a command has to say about a file that it writes is
/// prepared before, and delivered after the file is moved to its path.
/// @return the exit code
int output_deliver(output* out);
void output_discard(output* out); ///< {0} is allowed, and remains

/// Discard it unless the code of the work is EXIT_DONE. @return the code
int output_discard_on(output* out, int code);

// ---------------------------------------------------------------------------------------------
// Files and folders that commands write

/// Whether two paths lead to one file, by links or another spelling. False where one does not
/// exist.
bool output_is_same_file(const char* a, const char* b);

typedef struct output_folder
{
    const char* path;
    bool is_new; ///< it was not there before
} output_folder;

/// Whether output_folder_make() can be expected to succeed. Creates nothing: call it before long
/// work.
/// @return EXIT_DONE, or EXIT_WRITE after a sentence on stderr
int output_folder_check(const char* path);

/// Make a folder, unless there is one. Its parent must exist.
/// @return EXIT_DONE, or EXIT_WRITE after a sentence on stderr
int output_folder_make(output_folder* out, const char* path);

/// After a failure: remove the folder if it is new and nothing was written into it.
void output_folder_unmake(const output_folder* in);

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

/// Let the JSON library remember whether it ever ran out of memory. Once, at the start.
void output_json_watch(void);

/// A value as text, to be delivered later. The value is released; NULL is out of memory, and so is
/// one of which parts are missing because the library had no memory for them.
/// @return the exit code
int output_json_prepare(output* out, json_t* value, const char* path);

/// Prepare and deliver. @return the exit code
int output_json(json_t* value, const char* path);

json_t* output_real(double value);       ///< null when not finite
json_t* output_float(float value);       ///< with no more digits than the float has
json_t* output_string(const char* text); ///< NULL: null; bytes that are not UTF-8 become '?'
json_t* output_vec3(pelt_vec3 v);
json_t* output_bounds(const pelt_bounds* bounds);

#endif
