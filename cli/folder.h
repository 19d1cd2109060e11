// SPDX-License-Identifier: MIT
// Folders that commands write into.
#ifndef PELT_FOLDER_H
#define PELT_FOLDER_H

#include <stdbool.h>

/// Make a folder, unless there is one. Its parent must exist.
/// @return EXIT_DONE, or EXIT_WRITE after a sentence on stderr
int folder_make(const char* path);

bool folder_is_there(const char* path);

/// Remove a folder that was made for what has then failed. One that is not empty stays.
void folder_remove(const char* path);

#endif
