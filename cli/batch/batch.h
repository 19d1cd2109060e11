// SPDX-License-Identifier: MIT
// One run of `pelt batch`: a command, the inputs it is run on, and what came of each.
#ifndef PELT_BATCH_H
#define PELT_BATCH_H

#include "args.h"
#include "pelt/io.h"

#include <jansson.h>

/// Where the result of a command goes.
typedef enum batch_output_kind
{
    BATCH_OUTPUT_FILE, ///< -o FILE
    BATCH_OUTPUT_DIR,  ///< -o DIR
    BATCH_OUTPUT_JSON, ///< standard output, saved as a JSON file
} batch_output_kind;

/// A number of the JSON report of a command that the report of the batch repeats.
typedef struct batch_figure
{
    const char* name;    ///< in JSON
    const char* heading; ///< of its column
    const char* unit;    ///< NULL: none
    const char* path;    ///< in the report of the command: "error.max_per_meter"
    double scale;        ///< from there to the unit
} batch_figure;

enum
{
    BATCH_FIGURE_MAX = 4,
    BATCH_WORD_MAX = 128,
};

/// A command that can be run on many inputs.
typedef struct batch_command
{
    const char* name;
    batch_output_kind output;
    const char* extension; ///< of BATCH_OUTPUT_FILE
    /// The first one orders the report, largest first.
    batch_figure figures[BATCH_FIGURE_MAX + 1];
} batch_command;

/// NULL: no such command, or one that cannot be run in a batch.
const batch_command* batch_command_find(const char* name);
/// The names of all, separated by ", ".
const char* batch_command_names(void);

typedef struct batch_job
{
    uint32_t index;     ///< in the list of all inputs
    const char* input;  ///< path, or rig:NAME
    const char* name;   ///< relative path that its output and record are named after
    const char* output; ///< path
    const char* record; ///< path without extension of its record, dependencies and picture
    uint64_t size;      ///< of the input in bytes

    bool is_done;       ///< it has a result, of this run or of an earlier one
    bool is_up_to_date; ///< of an earlier one
    int exit_code;
    const char* message; ///< the last line on stderr where it failed; NULL: none
    json_t* figures;     ///< object; NULL: none
} batch_job;

typedef struct batch
{
    pelt_arena* arena;
    const batch_command* command;
    const char* const* words; ///< options of the command
    uint32_t word_count;
    const char* extension;       ///< of output files; NULL: that of the command
    const char* folder;          ///< of outputs
    uint32_t shard, shard_count; ///< 0 of 0: all inputs; else from 1
    uint32_t input_count;        ///< of all shards
    uint32_t thread_count;
    uint64_t max_memory; ///< bytes that jobs at a time may take together, by estimate
    bool has_pictures;

    batch_job* jobs; ///< of this shard, in the order of the list
    uint32_t job_count;
} batch;

// ---------------------------------------------------------------------------------------------
// Steps

/// List the inputs: files below a folder, or the lines of a text file.
int batch_list(batch* inout, const char* source);

/// Whether a job has a record of the same files, options and version; if so, its result is that of
/// the record.
int batch_record_check(bool* is_up_to_date, const batch* in, batch_job* inout);

/// Save the result of a job that has run.
int batch_record_save(const batch* in, const batch_job* job);

/// Run what is not up to date.
int batch_run(batch* inout);

/// Write report.json and report.html; those of a shard have its number in their names.
/// @param out  the JSON report, of which the caller owns one reference
int batch_report_save(json_t** out, const batch* in);

/// Join the reports of all shards in a folder.
int batch_report_merge(json_t** out, const char* folder);

/// Jobs of a report that have failed.
uint32_t batch_report_failures(const json_t* report);

/// Figures of the JSON that a command printed; NULL: it is not JSON, or memory ran out.
json_t* batch_figures_read(const batch_command* command, const char* text, size_t size);

/// "FOLDER/NAME", in the arena; NULL when out of memory.
const char* batch_path(pelt_arena* arena, const char* folder, const char* name);

#endif
