// SPDX-License-Identifier: MIT
// A folder for the files of one test. Names are UTF-8 on every system.
#ifndef PELT_SCRATCH_H
#define PELT_SCRATCH_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SCRATCH_PATH = 128,
};

#ifdef _WIN32

#include <direct.h>
#include <windows.h>

static inline const wchar_t* scratch_wide(const char* text)
{
    static wchar_t wide[2 * SCRATCH_PATH];
    return MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, 2 * SCRATCH_PATH) > 0 ? wide : L"";
}

static inline bool scratch_make(char folder[SCRATCH_PATH])
{
    strcpy(folder, "pelt_test_XXXXXX");
    return _mktemp(folder) != NULL && _mkdir(folder) == 0;
}

static inline FILE* scratch_open(const char* path)
{
    return _wfopen(scratch_wide(path), L"wb");
}

/// A file, or an empty folder.
static inline bool scratch_remove(const char* path)
{
    return DeleteFileW(scratch_wide(path)) || RemoveDirectoryW(scratch_wide(path));
}

#else

static inline bool scratch_make(char folder[SCRATCH_PATH])
{
    strcpy(folder, "/tmp/pelt_test_XXXXXX");
    return mkdtemp(folder) != NULL;
}

static inline FILE* scratch_open(const char* path)
{
    return fopen(path, "wb");
}

/// A file, or an empty folder.
static inline bool scratch_remove(const char* path)
{
    return remove(path) == 0;
}

#endif

static inline bool scratch_write(const char* folder, const char* name, const void* data,
                                 size_t size)
{
    char path[2 * SCRATCH_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = scratch_open(path);
    bool is_written = file != NULL && fwrite(data, 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && is_written;
}

#endif
