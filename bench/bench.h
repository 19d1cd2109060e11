// SPDX-License-Identifier: MIT
// Benchmarks: a suite is one file with one function, and one row in bench.c.
#ifndef PELT_BENCH_H
#define PELT_BENCH_H

#include "clock.h"
#include "pelt/pelt.h"
#include "plot.h"

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

enum
{
    BENCH_COLUMN_MAX = 16,
    BENCH_TABLE_MAX = 6,

    // Instead of a number of decimals:
    BENCH_TEXT = -1,
    BENCH_DIGITS = -2, ///< three significant digits
};

typedef struct bench_column
{
    const char* key;   ///< member name in JSON
    const char* title; ///< head of the column in text
    int decimals;      ///< of a number; or BENCH_TEXT, BENCH_DIGITS
} bench_column;

typedef struct bench_cell
{
    double number;    ///< not finite: missing
    bool is_estimate; ///< scaled up from a sample: "~" in text, listed under `estimates` in JSON
    char text[64];
} bench_cell;

/// Results of a suite. A table with times also has a ratio within the same run.
typedef struct bench_table
{
    const char* key; ///< of the array of rows in JSON
    const bench_column* columns;
    uint32_t column_count;
    bool is_detail; ///< too long for a terminal: in JSON and files only
    uint32_t row_count, row_capacity;
    bench_cell (*cells)[BENCH_COLUMN_MAX];
    bench_cell spare[BENCH_COLUMN_MAX]; ///< the row that is returned when out of memory
    bool is_out_of_memory;
} bench_table;

typedef struct bench_report
{
    uint32_t table_count;
    bench_table tables[BENCH_TABLE_MAX];
    plot plot;          ///< of suites that have one
    char subject[160];  ///< what was measured, if no table says so; "": none
    char renderer[128]; ///< of suites that draw: the name of the OpenGL renderer
} bench_report;

typedef struct bench_options
{
    bool is_quick; ///< within 10 s instead of a minute or more
    uint32_t input_count;
    const char* const* inputs; ///< files to measure with; none: what the suite chooses
    const char* techniques;    ///< of `crowd`, with commas; NULL: all
    double seconds;            ///< of `crowd`, for each technique; 0: what the suite chooses
    bool is_merged;            ///< of `crowd`: vertices at one position merged, skeletons kept

    /// Of `deform`, with commas, or "all": every combination is measured. NULL: the default value;
    /// if all are NULL, the suite chooses.
    const char *methods, *vertices, *influences, *isa, *normals, *order;

    /// Called with a label of the current measurement, and with NULL at the end. The label is valid
    /// until the next call.
    void (*progress)(const char* label);
} bench_options;

typedef struct bench_suite
{
    const char* name;
    const char* summary;
    pelt_result (*run)(bench_report* out, const bench_options* options, pelt_error* error);
    uint32_t max_inputs; ///< number of bench_options.inputs that it uses
    bool has_plot;       ///< whether it fills bench_report.plot
    bool has_folder;     ///< its results are several files in a folder
} bench_suite;

/// @return number of suites; *out points to static data
uint32_t bench_suite_list(const bench_suite** out);

pelt_result bench_deform(bench_report* out, const bench_options* options, pelt_error* error);
pelt_result bench_pose(bench_report* out, const bench_options* options, pelt_error* error);
pelt_result bench_load(bench_report* out, const bench_options* options, pelt_error* error);
pelt_result bench_cor(bench_report* out, const bench_options* options, pelt_error* error);
pelt_result bench_normals(bench_report* out, const bench_options* options, pelt_error* error);
pelt_result bench_helpers(bench_report* out, const bench_options* options, pelt_error* error);
pelt_result bench_bake(bench_report* out, const bench_options* options, pelt_error* error);

pelt_result bench_gpu(bench_report* out, const bench_options* options, pelt_error* error);
pelt_result bench_crowd(bench_report* out, const bench_options* options, pelt_error* error);

/// Call options->progress, if there is one.
void bench_tell(const bench_options* options, const char* label);

/// Free its tables.
void bench_report_destroy(bench_report* report);

/// Whether there was memory for all rows.
bool bench_report_is_whole(const bench_report* report);

/// The name of a file without its folders.
const char* bench_file_name(const char* path);

/// Read a file, or build a rig when the input is "rig:NAME".
/// @param out  free with pelt_scene_destroy()
pelt_result bench_scene_load(pelt_scene** out, const char* input, pelt_error* error);

/// Add an empty table; key and columns are static data of the suite.
bench_table* bench_table_add(bench_report* report, const char* key, const bench_column* columns,
                             uint32_t column_count);

/// Add a row. All numbers are missing and all texts empty at first. Valid until the next row is
/// added.
bench_cell* bench_row_add(bench_table* table);

void bench_cell_set(bench_cell* out, const char* text); ///< truncates a long text

// ---------------------------------------------------------------------------------------------
// Results as files of a folder: JSON, a CSV file for each table, SVG

/// Check that a folder can be written to, before minutes are spent.
pelt_result bench_folder_check(const char* folder, pelt_error* error);

/// Write all files, or none. The folder is created if it does not exist.
/// @param json  the text of bench_json()
pelt_result bench_folder_save(const char* folder, const bench_suite* suite,
                              const bench_report* report, const char* json, size_t size,
                              pelt_error* error);

#endif
