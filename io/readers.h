// SPDX-License-Identifier: MIT
// What readers share: input files, the paths that a file may name, what reading may cost, and the
// readers behind pelt_load(), each of which takes a whole file in memory.
#ifndef PELTI_READERS_H
#define PELTI_READERS_H

#include "pelt/io.h"

// ---------------------------------------------------------------------------------------------
// Input files: input_file.c

/// A file in memory.
typedef struct pelti_blob
{
    uint8_t* data;
    size_t size;
} pelti_blob;

/// Read a whole file. Folders, pipes and devices are refused.
pelt_result pelti_blob_read(pelti_blob* out, const char* path, pelt_error* error);
void pelti_blob_release(pelti_blob* blob);

/// pelt_source_read() for any kind of file, including the standard input.
pelt_result pelti_source_read_any(pelt_source* out, const char* path, pelt_error* error);

/// The same source with a path for messages. A source without a path has no folder; its files are
/// not looked up in the current folder.
pelt_source pelti_source_named(const pelt_source* source);

typedef enum pelti_input_kind
{
    PELTI_INPUT_REGULAR, ///< regular files only: for paths inside files
    PELTI_INPUT_ANY,     ///< also pipes and "-", the standard input: for paths from the user
} pelti_input_kind;

/// A file that is being read.
typedef struct pelti_input
{
    pelti_input_kind kind;
    const char* name; ///< for messages
    bool is_standard; ///< the standard input
    int descriptor;
    size_t size;             ///< of the whole file; SIZE_MAX: unknown
    uint64_t device, number; ///< equal for two names of one file
    pelti_blob blob;         ///< the bytes read so far, followed by a zero
    size_t capacity;
    bool is_complete; ///< the whole file has been read
} pelti_input;

pelt_result pelti_input_open(pelti_input* out, const char* path, pelti_input_kind kind,
                             pelt_error* error);

/// Read until there are `size` bytes, or until the end of the file.
pelt_result pelti_input_read(pelti_input* inout, size_t size, pelt_error* error);

/// Also releases the bytes. A caller that keeps them sets input->blob to {0} before.
void pelti_input_close(pelti_input* input);

/// Find a file by name in source->files.
/// @param out   a copy; free with pelti_blob_release()
/// @param name  as written in a file, with URI escapes resolved
/// @return PELT_OK; PELT_ERROR_DATA: the name leads out of the folder; PELT_ERROR_READ: there is no
///         such file; or PELT_ERROR_MEMORY
pelt_result pelti_files_read(pelti_blob* out, const pelt_source* source, const char* name,
                             pelt_error* error);

// ---------------------------------------------------------------------------------------------
// Paths: input_file.c

/// The length of the folder part of a path, including the last '/'. 0: the current folder.
size_t pelti_path_folder(const char* path);

/// Whether a name is relative and has no "..".
bool pelti_path_is_relative(const char* name);

/// The same as PELT_OK, or PELT_ERROR_DATA with a message.
pelt_result pelti_path_check_relative(const char* name, pelt_error* error);

/// Whether two files are in one folder, with all links resolved. Neither needs to exist; the
/// standard output, "-", is in none.
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_path_is_same_folder(bool* out, const char* a, const char* b);

/// Whether a path that a file names may be opened: the name is relative and has no "..", and the
/// regular file that it resolves to is below the folder.
/// @param path           a folder followed by the name, as it will be opened
/// @param folder_length  see pelti_path_folder()
/// @return PELT_OK; PELT_ERROR_READ: there is no such file; PELT_ERROR_DATA: it is elsewhere; or
///         PELT_ERROR_MEMORY. Messages spell the file as `path` does.
pelt_result pelti_path_below(const char* path, size_t folder_length, pelt_error* error);

/// Replace %XX by its byte, in place. A percent sign that starts no escape is kept.
void pelti_uri_unescape(char* text);

// ---------------------------------------------------------------------------------------------
// Limits and progress: load.c

/// What reading one file may still cost.
typedef struct pelti_load_budget
{
    pelt_load_options options; ///< of the caller
    size_t file_size;          ///< of the file, and of those it names that have been read
    pelt_load_limits limits;   ///< for that size
    pelt_budget memory;        ///< for arenas, see pelt_arena_limit(), and other large arrays
    uint64_t elements;         ///< that may still be processed
    uint64_t until_report;     ///< elements before the next progress report
    float part;                ///< done, as last reported
} pelti_load_budget;

/// @param options  NULL: defaults
void pelti_load_start(pelti_load_budget* out, const pelt_load_options* options, size_t file_size);

/// Raise the limits by the share of a file that the first one names.
void pelti_load_grow(pelti_load_budget* inout, size_t file_size);

/// Charge work that a file could make disproportionately slow. Reports progress at intervals.
/// @param path  of the file, for the message
/// @return PELT_OK; PELT_ERROR_DATA: too much; or PELT_ERROR_CANCELED
pelt_result pelti_load_charge(pelti_load_budget* inout, uint64_t elements, const char* path,
                              pelt_error* error);

/// Report the part that is done, 0 to 1. @return PELT_OK or PELT_ERROR_CANCELED
pelt_result pelti_load_progress(pelti_load_budget* inout, float part, const char* path,
                                pelt_error* error);

/// The result of a reader. Exceeding the memory limit is an error in the file, PELT_ERROR_DATA.
pelt_result pelti_load_finish(const pelti_load_budget* budget, pelt_result result, const char* path,
                              pelt_error* error);

/// The error for a file that takes more memory than its limit.
pelt_result pelti_load_fail_memory(const pelti_load_budget* budget, const char* path,
                                   pelt_error* error);

// ---------------------------------------------------------------------------------------------
// Formats

/// Whether bytes are FBX, binary or text.
bool pelti_fbx_is_binary(const pelti_blob* blob);
bool pelti_fbx_is_text(const pelti_blob* blob);

/// Whether a file is in a format that pelt reads by assimp, by its first bytes or its name.
/// @return PELT_OK, PELT_ERROR_DATA, or PELT_ERROR_UNSUPPORTED in a build without assimp
pelt_result pelti_assimp_check(const pelti_blob* head, const char* path, pelt_error* error);

/// pelt_image_type() of an image that glTF files are written with: PNG, JPEG or WebP.
/// @return NULL: it is none of them
const char* pelti_gltf_image_type(const void* bytes, size_t size);

/// Each reads a whole file whose path is not NULL. The caller validates the scene.
pelt_result pelti_read_gltf(pelt_scene** out, const pelt_source* source,
                            const pelt_load_options* options, pelt_error* error);
pelt_result pelti_read_fbx(pelt_scene** out, const pelt_source* source,
                           const pelt_load_options* options, pelt_error* error);
pelt_result pelti_read_assimp(pelt_scene** out, const pelt_source* source,
                              const pelt_load_options* options, pelt_error* error);

/// pelti_read_assimp() with all importers of assimp, for tests of features that no allowed format
/// has.
pelt_result pelti_assimp_read(pelt_scene** out, const pelt_source* source,
                              const pelt_load_options* options, pelt_error* error);

/// pelti_read_assimp() in a child process, within limits.
pelt_result pelti_read_isolated(pelt_scene** out, const pelt_source* source,
                                const pelt_load_options* options, pelt_error* error);

/// In a child process that reads a file: raise its limits for a file that this one names.
/// Elsewhere it does nothing.
void pelti_child_add_file(const pelti_input* input);

#endif
