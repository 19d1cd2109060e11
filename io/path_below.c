// SPDX-License-Identifier: MIT
// One rule for every file that a file names. Text alone cannot decide: a link below the folder may
// lead out of it.
#define _XOPEN_SOURCE 700

#include "path_below.h"

#include "system.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t pelti_path_folder(const char* path)
{
#ifdef _WIN32
    const char* const marks = "/\\:"; // "C:file" is in the current folder of C:
#else
    const char* const marks = "/";
#endif
    size_t length = strlen(path);
    while (length > 0 && strchr(marks, path[length - 1]) == NULL)
    {
        --length;
    }
    return length;
}

// "http:" and the like, and drives of Windows.
static bool has_scheme(const char* name)
{
    if (!isalpha((unsigned char)name[0]))
    {
        return false;
    }
    while (isalnum((unsigned char)*name) || *name == '+' || *name == '-' || *name == '.')
    {
        ++name;
    }
    return *name == ':';
}

static bool has_step_up(const char* name)
{
    for (const char* part = name; part != NULL;)
    {
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
        {
            return true;
        }
        part = strchr(part, '/');
        part = part != NULL ? part + 1 : NULL;
    }
    return false;
}

bool pelti_path_is_relative(const char* name)
{
    return name[0] != '\0' && name[0] != '/' && strchr(name, '\\') == NULL && !has_scheme(name) &&
           !has_step_up(name);
}

pelt_result pelti_path_check_relative(const char* name, pelt_error* error)
{
    return pelti_path_is_relative(name)
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_DATA,
                                "\"%.200s\" is not a file below the folder of the file that names "
                                "it; pelt reads no other",
                                name);
}

static pelt_result fail_system(const char* path, pelt_error* error)
{
    int code = errno;
    return code == ENOMEM
               ? pelt_error_memory(error)
               : pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: %s", path, strerror(code));
}

// The folder without links; free() it. NULL: errno says why.
static char* resolve_folder(const char* path, size_t length)
{
    if (length == 0)
    {
        return pelti_system_resolve(".");
    }
    char* folder = malloc(length + 1);
    if (folder == NULL)
    {
        errno = ENOMEM;
        return NULL;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    char* resolved = pelti_system_resolve(folder);
    free(folder);
    return resolved;
}

pelt_result pelti_path_is_same_folder(bool* out, const char* a, const char* b)
{
    *out = false;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
    {
        return PELT_OK;
    }
    errno = 0;
    char* folder_a = resolve_folder(a, pelti_path_folder(a));
    char* folder_b = folder_a != NULL ? resolve_folder(b, pelti_path_folder(b)) : NULL;
    pelt_result result = folder_b == NULL && errno == ENOMEM ? PELT_ERROR_MEMORY : PELT_OK;
    *out = folder_b != NULL && strcmp(folder_a, folder_b) == 0;
    free(folder_a);
    free(folder_b);
    return result;
}

static pelt_result check_file(const char* resolved, const char* folder, const char* path,
                              pelt_error* error)
{
    pelti_status status;
    size_t length = strlen(folder);
    // The root is the one folder whose name ends in a slash.
    length -= length > 0 && folder[length - 1] == '/';
    if (strncmp(resolved, folder, length) != 0 || resolved[length] != '/')
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "\"%.200s\" is a link to a file that is not below the folder of the "
                              "file that names it; put a copy in its place",
                              path);
    }
    if (pelti_system_status_of(&status, resolved) != 0)
    {
        return fail_system(path, error);
    }
    if (!S_ISREG(status.st_mode))
    {
        return pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: it is %s", path,
                              S_ISDIR(status.st_mode) ? "a folder" : "not a regular file");
    }
    return PELT_OK;
}

pelt_result pelti_path_below(const char* path, size_t folder_length, pelt_error* error)
{
    PELT_ASSERT(path != NULL && folder_length <= strlen(path));

    const char* name = path + folder_length;
    pelt_result relative = pelti_path_check_relative(name, error);
    if (relative != PELT_OK)
    {
        return relative;
    }
    char* folder = resolve_folder(path, folder_length);
    char* resolved = folder != NULL ? pelti_system_resolve(path) : NULL;
    pelt_result result =
        resolved != NULL ? check_file(resolved, folder, path, error) : fail_system(path, error);
    free(resolved);
    free(folder);
    return result;
}
