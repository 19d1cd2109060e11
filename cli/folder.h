// SPDX-License-Identifier: MIT
// Folders that commands write into.
#ifndef PELT_FOLDER_H
#define PELT_FOLDER_H

/// Make a folder, unless there is one. Its parent must exist.
/// @return EXIT_DONE, or EXIT_WRITE after a sentence on stderr
int folder_make(const char* path);

#endif
