// SPDX-License-Identifier: MIT
// The content of a folder, for a file browser: folders first, then files of some types.
#ifndef PELT_FILE_LIST_H
#define PELT_FILE_LIST_H

#include "pelt/base.h"

#include <stdbool.h>

enum
{
    FILE_LIST_PATH_BYTES = 1024,
    FILE_LIST_MAX = 8192, ///< entries; more are left out
};

typedef struct file_entry
{
    char* name;
    bool is_folder;
    bool is_chosen;
} file_entry;

typedef struct file_list
{
    char folder[FILE_LIST_PATH_BYTES]; ///< absolute, without a slash at its end but for "/"
    file_entry* entries;               ///< without hidden ones
    uint32_t count;
} file_list;

/// Whether a name ends in one of the extensions.
/// @param extensions  ended by NULL; NULL: all files
bool file_list_has_type(const char* name, const char* const* extensions);

/// Read a folder, in place of the one before, which stays after a failure.
/// @param folder  "": the current one
/// @return PELT_OK, PELT_ERROR_READ or PELT_ERROR_MEMORY
pelt_result file_list_read(file_list* inout, const char* folder, const char* const* extensions,
                           pelt_error* error);
void file_list_destroy(file_list* in); ///< {0} is allowed, and remains

/// A path with another ending, and a number before it where there is such a file already.
/// @return false: it does not fit
bool file_free_path(char out[FILE_LIST_PATH_BYTES], const char* wanted, const char* ending);

/// The path of an entry; ".." for the folder above. @return false: it does not fit
bool file_list_path(char out[FILE_LIST_PATH_BYTES], const file_list* in, const char* name);

#endif
