// SPDX-License-Identifier: MIT
// What there is to say about a bake: a table for people, JSON for programs.
#ifndef PELT_BAKE_REPORT_H
#define PELT_BAKE_REPORT_H

#include "bake_job.h"
#include "output.h"

/// A row per clip and the totals.
/// @return false when memory ran out
bool bake_report_print(FILE* stream, const bake_job* in);

/// Say on stderr which encoding and rates a search chose, and why.
void bake_report_note_choice(const bake_job* in);

/// Say on stderr where samples are so far apart that it shows, if they are anywhere.
void bake_report_note_chords(const bake_job* in);

/// Everything.
json_t* bake_report_describe(const bake_job* in);

#endif
