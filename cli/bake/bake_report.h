// SPDX-License-Identifier: MIT
// The report of a bake: a table as text, and JSON.
#ifndef PELT_BAKE_REPORT_H
#define PELT_BAKE_REPORT_H

#include "bake_job.h"
#include "output.h"

/// A row per clip and the totals.
/// @return false when memory ran out
bool bake_report_print(FILE* stream, const bake_job* in);

/// Note on stderr which encoding and rates a search chose, and why.
void bake_report_note_choice(const bake_job* in);

/// Warn on stderr if samples are so far apart that it is visible.
void bake_report_note_chords(const bake_job* in);

/// Everything.
json_t* bake_report_describe(const bake_job* in);

#endif
