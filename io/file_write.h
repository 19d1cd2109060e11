// SPDX-License-Identifier: MIT
// Files that appear whole or not at all: written to a temporary in the folder of the target, then
// renamed. Sets of files that refer to each other also need a second name and a lock.
#ifndef PELT_FILE_WRITE_H
#define PELT_FILE_WRITE_H

#include "pelt/io.h"

#include <stdio.h>

enum
{
    PELTI_TAG_SIZE = 17, ///< 16 hexadecimal digits and a zero
};

/// 64 random bits for the name of a file.
void pelti_random_tag(char out[PELTI_TAG_SIZE]);

/// An output file that is being written. Write to `stream`, then call exactly one of commit and
/// discard, or finish and then one of place and discard.
typedef struct pelti_file
{
    FILE* stream;
    const char* path; ///< as the caller gave it, for messages; must outlive the file
    char* target;     ///< what is renamed over, links followed; NULL: written in place
    char* temporary;  ///< in the folder of the target; NULL: written in place
    uint32_t slot;    ///< where the signal handler finds the temporary
} pelti_file;

/// Start a file. "-" is the standard output; that, a device or a pipe is written in place, because
/// renaming over one would replace it. An existing file keeps its permissions. The temporary has a
/// random name and is created by this call: a file of another program is never touched.
pelt_result pelti_file_open(pelti_file* out, const char* path, pelt_error* error);

/// Replace the target by the file. On failure the target is unchanged and nothing is left behind.
pelt_result pelti_file_commit(pelti_file* file, pelt_error* error);

/// The two halves of commit, for several files: write the content to the disk, which may be full,
/// and rename. Neither allocates.
pelt_result pelti_file_finish(pelti_file* file, pelt_error* error);
pelt_result pelti_file_place(pelti_file* file, pelt_error* error);

/// Give up: the target is unchanged and nothing is left behind. {0} is allowed: after a failure
/// there is nothing left to give up.
void pelti_file_discard(pelti_file* file);

/// A second name of a finished file. {0} is none.
typedef struct pelti_alias
{
    const char* path; ///< must outlive the alias
    bool is_present;
    uint32_t slot; ///< where the signal handler finds it
} pelti_alias;

/// Give a finished file, before it is placed, a second name: a hard link, or a copy where the file
/// system has none. A signal removes it as it removes temporaries, until pelti_alias_keep().
/// @param file  not written in place
/// @param path  must not exist
pelt_result pelti_alias_create(pelti_alias* out, const pelti_file* file, const char* path,
                               pelt_error* error);

/// From now on a signal leaves it, because another file refers to it.
void pelti_alias_keep(pelti_alias* inout);

void pelti_alias_remove(pelti_alias* inout);

/// One writer at a time in a folder, among threads and processes: flock() of ".pelt.lock", which
/// exists as long as the lock is held. What a killed process leaves of it does not block.
typedef struct pelti_lock
{
    char* path;
    int descriptor; ///< -1: not locked
    uint32_t slot;  ///< where the signal handler finds the file
} pelti_lock;

/// Lock the folder of a file. Where the file system has no locks this succeeds without one.
/// @return PELT_OK, PELT_ERROR_WRITE: another writer has held it for ten seconds, or
///         PELT_ERROR_MEMORY
pelt_result pelti_lock_folder(pelti_lock* out, const char* path, pelt_error* error);

/// After a failed pelti_lock_folder() nothing happens.
void pelti_lock_release(pelti_lock* inout);

#endif
