// SPDX-License-Identifier: MIT
// The readers behind pelt_load(). Each takes a whole file in memory.
#ifndef PELT_READERS_H
#define PELT_READERS_H

#include "pelt/io.h"

/// A file in memory.
typedef struct pelti_blob
{
    uint8_t* data;
    size_t size;
} pelti_blob;

/// Read a whole file. Folders, pipes and devices are refused.
pelt_result pelti_blob_read(pelti_blob* out, const char* path, pelt_error* error);
void pelti_blob_release(pelti_blob* blob);

/// pelt_source_read() of whatever kind of file, the standard input too.
pelt_result pelti_source_read_any(pelt_source* out, const char* path, pelt_error* error);

/// The same source with a path that sentences can name. One without has no folder, and is not taken
/// for one in the current folder.
pelt_source pelti_source_named(const pelt_source* source);

typedef enum pelti_input_kind
{
    PELTI_INPUT_REGULAR, ///< files: for what a file names
    PELTI_INPUT_ANY, ///< pipes and the like too, and "-", the standard input: for what a user names
} pelti_input_kind;

/// A file on its way into memory.
typedef struct pelti_input
{
    pelti_input_kind kind;
    const char* name; ///< in sentences
    bool is_standard; ///< the standard input
    int descriptor;
    size_t size;             ///< of the whole file; SIZE_MAX: nobody knows
    uint64_t device, number; ///< the same for two names of one file
    pelti_blob blob;         ///< what has been read, with a zero after it
    size_t capacity;
    bool is_complete; ///< all has been read
} pelti_input;

pelt_result pelti_input_open(pelti_input* out, const char* path, pelti_input_kind kind,
                             pelt_error* error);

/// Read on until there are `wanted` bytes, or all that there are.
pelt_result pelti_input_read(pelti_input* inout, size_t wanted, pelt_error* error);

/// Also releases the bytes; whoever keeps them sets input->blob to {0} before.
void pelti_input_close(pelti_input* input);

/// Replace %XX by its byte, in place. A percent sign that starts no code stays.
void pelti_uri_unescape(char* text);

/// Whether bytes are FBX, binary or text.
bool pelti_fbx_is_binary(const pelti_blob* blob);
bool pelti_fbx_is_text(const pelti_blob* blob);

/// Whether a file is in a format that pelt reads by assimp, by its first bytes or its name.
/// @return PELT_OK, PELT_ERROR_DATA, or PELT_ERROR_UNSUPPORTED in a build without assimp
pelt_result pelti_assimp_check(const pelti_blob* head, const char* path, pelt_error* error);

/// Each reads a whole file whose path is not NULL. pelt_scene_validate() has to follow.
pelt_result pelti_read_gltf(pelt_scene** out, const pelt_source* source,
                            const pelt_load_options* options, pelt_error* error);
pelt_result pelti_read_fbx(pelt_scene** out, const pelt_source* source,
                           const pelt_load_options* options, pelt_error* error);
pelt_result pelti_read_assimp(pelt_scene** out, const pelt_source* source,
                              const pelt_load_options* options, pelt_error* error);

/// pelti_read_assimp() by any importer that assimp has. For tests of what no allowed format has.
pelt_result pelti_assimp_read(pelt_scene** out, const pelt_source* source,
                              const pelt_load_options* options, pelt_error* error);

/// In a child that reads a file, one that this names: it adds to the limits. Elsewhere nothing.
void pelti_child_add_file(const pelti_input* input);

/// pelti_read_assimp() in a child process, within limits.
pelt_result pelti_read_isolated(pelt_scene** out, const pelt_source* source,
                                const pelt_load_options* options, pelt_error* error);

/// Bytes that source->files knows under a name which a file in it gives, or that of a URI.
/// @param out  free with pelti_blob_release(): a copy
/// @return PELT_OK, PELT_ERROR_DATA: the name leads elsewhere, PELT_ERROR_READ: there is no such
///         file, or PELT_ERROR_MEMORY
pelt_result pelti_files_read(pelti_blob* out, const pelt_source* source, const char* name,
                             pelt_error* error);

#endif
