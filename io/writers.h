// SPDX-License-Identifier: MIT
// What writers share: files that appear whole or not at all, and one function per mesh format.
#ifndef PELTI_WRITERS_H
#define PELTI_WRITERS_H

#include "pelt/io.h"

#include <stdio.h>

// ---------------------------------------------------------------------------------------------
// Output files: file_write.c
//
// A file is written to a temporary in the folder of the target, then renamed. Sets of files that
// refer to each other also need a second name and a lock.

enum
{
    PELTI_TAG_SIZE = 17, ///< 16 hexadecimal digits and a zero
};

/// 64 random bits for the name of a file.
void pelti_random_tag(char out[PELTI_TAG_SIZE]);

/// An output file that is being written. Write to `stream`, then call exactly one of commit and
/// discard, or finish and then one of rename and discard.
typedef struct pelti_file
{
    FILE* stream;
    const char* path; ///< from the caller, for messages; must outlive the file
    char* target;     ///< the file to replace, with links resolved; NULL: written directly
    char* temporary;  ///< in the folder of the target; NULL: written directly
    uint32_t slot;    ///< of the temporary, in the table of the signal handler
} pelti_file;

/// Start a file. The standard output, "-", devices and pipes are written directly, because renaming
/// a file to them would replace them. An existing file keeps its permissions. The temporary has a
/// random name and is created by this call: files of other programs are never touched.
pelt_result pelti_file_open(pelti_file* out, const char* path, pelt_error* error);

/// Replace the target by the file. On failure the target is unchanged and nothing is left behind.
pelt_result pelti_file_commit(pelti_file* file, pelt_error* error);

/// The two halves of commit, for several files: write the content to the disk, which may be full,
/// and rename. Neither allocates.
pelt_result pelti_file_finish(pelti_file* file, pelt_error* error);
pelt_result pelti_file_rename(pelti_file* file, pelt_error* error);

/// Cancel a file: the target is unchanged and nothing is left behind. Files that are {0} or have
/// failed are allowed.
void pelti_file_discard(pelti_file* file);

/// A second name of a finished file. {0} is none.
typedef struct pelti_alias
{
    const char* path; ///< must outlive the alias
    bool is_present;
    uint32_t slot; ///< in the table of the signal handler
} pelti_alias;

/// Give a finished file, before it is renamed, a second name: a hard link, or a copy if the file
/// system has none. A signal removes it like a temporary, until pelti_alias_keep().
/// @param file  not written directly
/// @param path  must not exist
pelt_result pelti_alias_create(pelti_alias* out, const pelti_file* file, const char* path,
                               pelt_error* error);

/// From now on a signal does not remove it, because another file refers to it.
void pelti_alias_keep(pelti_alias* inout);

void pelti_alias_remove(pelti_alias* inout);

/// One writer at a time in a folder, among threads and processes: flock() of ".pelt.lock", which
/// exists while the lock is held. The lock file of a killed process does not block.
typedef struct pelti_lock
{
    char* path;
    int descriptor; ///< -1: not locked
    uint32_t slot;  ///< of the lock file, in the table of the signal handler
} pelti_lock;

/// Lock the folder of a file. On a file system without locks this succeeds without one.
/// @return PELT_OK; PELT_ERROR_WRITE: another writer has held it for ten seconds; or
///         PELT_ERROR_MEMORY
pelt_result pelti_lock_folder(pelti_lock* out, const char* path, pelt_error* error);

/// After a failed pelti_lock_folder() this does nothing.
void pelti_lock_release(pelti_lock* inout);

// ---------------------------------------------------------------------------------------------
// Mesh formats
//
// Each writes what pelt_save_surfaces() promises. Failed writes set the error flag of the stream,
// which pelti_file_commit() checks; the result is about everything else.

pelt_result pelti_write_obj(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                            pelt_error* error);
pelt_result pelti_write_ply(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                            pelt_error* error);
pelt_result pelti_write_glb(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                            pelt_error* error);
pelt_result pelti_write_gltf(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                             pelt_error* error);

#endif
