// SPDX-License-Identifier: MIT
// Folders that commands write into.
#ifndef PELT_FOLDER_H
#define PELT_FOLDER_H

#include <stdbool.h>

typedef struct folder
{
    const char* path;
    bool is_new; ///< it was not there before
} folder;

/// Make a folder, unless there is one. Its parent must exist.
/// @return EXIT_DONE, or EXIT_WRITE after a sentence on stderr
int folder_make(folder* out, const char* path);

/// After a failure: remove the folder if it is new and nothing was written into it.
void folder_unmake(const folder* in);

#endif
