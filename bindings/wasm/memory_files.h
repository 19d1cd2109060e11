// SPDX-License-Identifier: MIT
// The files that writers have made where there is no disk.
#ifndef PELT_MEMORY_FILES_H
#define PELT_MEMORY_FILES_H

#include <stdbool.h>
#include <stddef.h>

/// Take a file by the path that its writer was given.
/// @param bytes  free() them
/// @return false: there is no such file
bool web_file_take(const char* name, void** bytes, size_t* size);

/// Drop all files that were not taken.
void web_files_clear(void);

#endif
