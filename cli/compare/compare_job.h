// SPDX-License-Identifier: MIT
// A whole comparison: measured, judged, drawn and written.
#ifndef PELT_COMPARE_JOB_H
#define PELT_COMPARE_JOB_H

#include "comparison.h"

typedef enum compare_words
{
    COMPARE_TEXT = 0, ///< a table on the standard output
    COMPARE_JSON,     ///< report.json there as well
    COMPARE_SILENT,   ///< nothing there
} compare_words;

typedef struct compare_job
{
    comparison_request request;
    const char* folder;    ///< made if missing
    uint32_t figure_count; ///< moments to show
    bool is_plain;         ///< without pictures
    bool is_untimed;       ///< without times, so that a second run writes the same bytes
    compare_words words;
} compare_job;

/// Write report.html and report.json into the folder, and say so on stderr.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int compare_job_run(const compare_job* job);

#endif
