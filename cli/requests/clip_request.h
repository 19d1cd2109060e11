// SPDX-License-Identifier: MIT
// --clips and --retarget-rest: clips of other files on the skeleton of the input.
#ifndef PELT_CLIP_REQUEST_H
#define PELT_CLIP_REQUEST_H

#include "args.h"
#include "pelt/pelt.h"

#include <jansson.h>

extern const arg_option clip_request_options[]; ///< --clips, --retarget-rest

/// What the files have added.
typedef struct clip_report
{
    uint32_t file_count;
    struct
    {
        const char* path;
        pelt_add_clips_report added;
        pelt_rest_difference rest;
    } files[ARGS_REPEAT_MAX];
} clip_report;

/// Whether --clips is given.
bool clip_request_is_set(const args* arguments);

/// Read the files of --clips and add their clips, with a note for each on stderr.
/// @param out    may be NULL
/// @param inout  what the first operand was read to; its arena gets the clips
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int clip_request_add(clip_report* out, pelt_scene* inout, const args* arguments);

/// One object for each file: a list for a JSON report.
json_t* clip_report_describe(const clip_report* in, const pelt_scene* scene);

#endif
