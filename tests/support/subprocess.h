// SPDX-License-Identifier: MIT
// Work on files in a child process, so that a crash inside a library is caught and named.
#ifndef PELT_CHILD_H
#define PELT_CHILD_H

#include "test.h"

enum
{
    CHILD_GOOD = 0,
    CHILD_BAD = 1,     ///< a fact does not hold
    CHILD_REFUSED = 2, ///< the file was refused as it should be
    CHILD_CRASHED = 3, ///< ended by a signal, or too slow
};

typedef int (*child_work)(const char* path);

int child_run(child_work work, const char* path);

/// Write a file into a temporary folder, let a child work on it, remove it.
int child_with_file(const char* name, const void* bytes, size_t size, child_work work);
int child_with_text(const char* name, const char* text, child_work work);

/// The temporary folder, made when first asked for; child_remove_folder() when done.
const char* child_folder(void);
void child_remove_folder(void);

/// Load a file, check the scene and deform it by all methods; CHILD_REFUSED when refused with one
/// sentence that names it.
int child_load_and_deform(const char* path);

/// One line that names the file, or one beside it, and says something about it.
bool child_is_sentence(const pelt_error* error, const char* path);

#endif
