// SPDX-License-Identifier: MIT
// A file that appears whole or not at all: written beside its target, then renamed.
#ifndef PELT_FILE_WRITE_H
#define PELT_FILE_WRITE_H

#include "pelt/io.h"

#include <stdio.h>

/// An output on its way. Write to `stream`, then call exactly one of commit and discard, or finish
/// and then one of place and discard.
typedef struct pelti_file
{
    FILE* stream;
    const char* path; ///< as the caller gave it, for messages; must outlive the file
    char* target;     ///< what is renamed over, links followed; NULL: written in place
    char* temporary;  ///< beside the target; NULL: written in place
    uint32_t slot;    ///< where the signal handler finds the temporary
} pelti_file;

/// Start a file. "-" is the standard output; that, a device or a pipe is written in place, because
/// renaming over one would replace it. An existing file keeps its permissions.
pelt_result pelti_file_open(pelti_file* out, const char* path, pelt_error* error);

/// Put the file in its place. On failure the target is as it was and nothing is left behind.
pelt_result pelti_file_commit(pelti_file* file, pelt_error* error);

/// The two halves of commit, for several files that shall appear together: bring the content to the
/// disk, which may be full, and put it in its place. Neither allocates.
pelt_result pelti_file_finish(pelti_file* file, pelt_error* error);
pelt_result pelti_file_place(pelti_file* file, pelt_error* error);

/// Give up: the target is as it was and nothing is left behind. {0} is allowed: after a failure
/// there is nothing left to give up.
void pelti_file_discard(pelti_file* file);

#endif
