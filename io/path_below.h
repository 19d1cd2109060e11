// SPDX-License-Identifier: MIT
// Files that another file names: which of them may be opened.
#ifndef PELT_PATH_BELOW_H
#define PELT_PATH_BELOW_H

#include "pelt/pelt.h"

/// How many characters of a path name its folder, the last '/' included. 0: the current folder.
size_t pelti_path_folder(const char* path);

/// Whether a name is relative and never leads up, not even by the way.
bool pelti_path_is_relative(const char* name);

/// The same as PELT_OK, or PELT_ERROR_DATA with a sentence.
pelt_result pelti_path_check_relative(const char* name, pelt_error* error);

/// Whether two files lie in one folder, all links followed. Neither needs to exist; the standard
/// output, "-", is in none.
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_path_is_same_folder(bool* out, const char* a, const char* b);

/// Whether a path may be opened because a file names it: the name is relative, never leads up, and
/// the regular file that it stands for, all links followed, lies below the folder.
/// @param path           a folder followed by the name, as it will be opened
/// @param folder_length  how many characters of it are the folder, see pelti_path_folder()
/// @return PELT_OK; PELT_ERROR_READ: there is no such file; PELT_ERROR_DATA: it lies elsewhere; or
///         PELT_ERROR_MEMORY. Sentences name the file as `path` does.
pelt_result pelti_path_below(const char* path, size_t folder_length, pelt_error* error);

#endif
