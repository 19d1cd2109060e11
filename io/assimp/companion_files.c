// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700

#include "companion_files.h"

#include "../readers.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

static bool is_companion(const char* name)
{
    static const char* const extensions[] = {".mtl", ".md5anim", ".md5camera",
                                             ".smd", ".txt",     ".mdl"};
    const char* dot = strrchr(name, '.');
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0] && dot != NULL; ++i)
    {
        if (strcasecmp(dot, extensions[i]) == 0)
        {
            return true;
        }
    }
    return false;
}

size_t pelti_companion_size(const char* path)
{
    char folder[PATH_MAX] = "./";
    size_t length = pelti_path_folder(path), sum = 0;
    if (length >= sizeof folder)
    {
        return 0;
    }
    memcpy(folder, path, length);
    folder[length > 0 ? length : 2] = '\0';
    DIR* list = opendir(folder);
    for (struct dirent* entry = list != NULL ? readdir(list) : NULL; entry != NULL;
         entry = readdir(list))
    {
        struct stat status;
        bool is_file = is_companion(entry->d_name) &&
                       fstatat(dirfd(list), entry->d_name, &status, 0) == 0 &&
                       S_ISREG(status.st_mode);
        size_t size = is_file ? (size_t)status.st_size : 0;
        sum = size < SIZE_MAX - sum ? sum + size : SIZE_MAX;
    }
    if (list != NULL)
    {
        closedir(list);
    }
    return sum;
}
