// SPDX-License-Identifier: MIT
// Replaces one bake by another so that its JSON file names whole files of one bake at any time.
#ifndef PELT_BAKED_COMMIT_H
#define PELT_BAKED_COMMIT_H

#include "../writers.h"
#include "baked_file.h"

enum
{
    PELTI_BAKED_TEXTURE,
    PELTI_BAKED_MESH,
    PELTI_BAKED_VAT, ///< of OpenVAT, and what belongs to it
    PELTI_BAKED_REMAP,
    PELTI_BAKED_COMPANION, ///< what the caller adds
    PELTI_BAKED_JSON,      ///< last: it names texture and mesh
    PELTI_BAKED_FILE_COUNT,
};

/// A bake whose files are on the disk, under temporary names.
typedef struct pelti_baked_output
{
    const pelt_baked* baked;
    const pelt_scene* scene; ///< NULL: no mesh
    pelt_texture_format format;
    char* paths[PELTI_BAKED_FILE_COUNT]; ///< NULL: no such file
    pelti_file files[PELTI_BAKED_FILE_COUNT];
} pelti_baked_output;

/// Rename the files to their paths. If there is a JSON file already, this takes two steps, because
/// no system call renames several files at once:
///
/// 1. Texture and mesh get a second name with a random tag, "hero-0123456789abcdef.ktx2". A JSON
///    file that refers to these names replaces the old one: from here on the new bake is in place.
/// 2. Texture and mesh replace those of the old bake, to which no JSON file refers any more; then
///    the JSON file with the usual names replaces that of step 1. The tagged names are removed.
///
/// A process that is killed in between leaves the old bake or the new one, which may keep its
/// tagged names until the next bake. Writers in one folder take turns, see pelti_lock_folder().
pelt_result pelti_baked_commit(pelti_baked_output* inout, pelt_error* error);

#endif
