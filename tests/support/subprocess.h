// SPDX-License-Identifier: MIT
// Work on files in a child process, so that a crash inside a library is caught and named.
#ifndef PELT_SUBPROCESS_H
#define PELT_SUBPROCESS_H

#include "test.h"

enum
{
    SUBPROCESS_GOOD = 0,
    SUBPROCESS_BAD = 1,     ///< a fact does not hold
    SUBPROCESS_REFUSED = 2, ///< the file was refused as it should be
    SUBPROCESS_CRASHED = 3, ///< ended by a signal, or too slow
};

typedef int (*subprocess_work)(const char* path);

int subprocess_run(subprocess_work work, const char* path);

/// Write a file into a temporary folder, let a child work on it, remove it.
int subprocess_with_file(const char* name, const void* bytes, size_t size, subprocess_work work);
int subprocess_with_text(const char* name, const char* text, subprocess_work work);

/// The temporary folder, made when first asked for; subprocess_remove_folder() when done.
const char* subprocess_folder(void);
/// A file in that folder. The text is valid until the eighth call after this one.
const char* subprocess_path(const char* name);
void subprocess_remove_folder(void);

/// Load a file, check the scene and deform it by all methods; SUBPROCESS_REFUSED when refused with
/// one sentence that names it.
int subprocess_load_and_deform(const char* path);

/// Whether the message is one line that names the file, or one in the same folder, and says more.
bool subprocess_is_sentence(const pelt_error* error, const char* path);

#endif
