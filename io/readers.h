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

/// Read a whole file. Folders and devices are refused.
pelt_result pelti_blob_read(pelti_blob* out, const char* path, pelt_error* error);
void pelti_blob_release(pelti_blob* blob);

/// Replace %XX by its byte, in place. A percent sign that starts no code stays.
void pelti_uri_unescape(char* text);

/// @param path  of the file, for messages and for what it names
pelt_result pelti_read_gltf(pelt_scene** out, const pelti_blob* file, const char* path,
                            const pelt_load_options* options, pelt_error* error);
pelt_result pelti_read_fbx(pelt_scene** out, const pelti_blob* file, const char* path,
                           const pelt_load_options* options, pelt_error* error);
pelt_result pelti_read_assimp(pelt_scene** out, const pelti_blob* file, const char* path,
                              const pelt_load_options* options, pelt_error* error);

#endif
