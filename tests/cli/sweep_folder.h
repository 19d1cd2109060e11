// SPDX-License-Identifier: MIT
// Bytes, files, and everything below a folder as one value to compare.
#ifndef PELT_SWEEP_FOLDER_H
#define PELT_SWEEP_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct blob
{
    char* bytes;
    size_t size;
} blob;

void blob_free(blob* inout);
bool blob_is_same(blob a, blob b);

/// Where the line that starts at `start` ends, its '\n' included.
size_t blob_line_end(blob text, size_t start);

/// Whether a word is in bytes[start] up to bytes[end].
bool blob_has(blob text, size_t start, size_t end, const char* word);

// All of these end the program with a sentence when the machine does not play along.

blob folder_read(const char* path);
void folder_write(const char* path, const void* bytes, size_t size);

/// Names and contents of all files and folders below a path, in the order of names.
blob folder_snapshot(const char* path);
void folder_clear(const char* path); ///< remove all below it

/// Make "in" and "run" below the folder, and go into "run".
void folder_enter(const char* root);
void folder_leave(const char* root); ///< and remove it

#endif
