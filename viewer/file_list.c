// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700

#include "file_list.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_list_has_type(const char* name, const char* const* extensions)
{
    const char* dot = strrchr(name, '.');
    bool has_any = extensions == NULL;
    for (size_t i = 0; !has_any && dot != NULL && extensions[i] != NULL; ++i)
    {
        has_any = strcasecmp(dot + 1, extensions[i]) == 0;
    }
    return has_any;
}

bool file_list_path(char out[FILE_LIST_PATH_BYTES], const file_list* in, const char* name)
{
    if (strcmp(name, "..") == 0)
    {
        memcpy(out, in->folder, FILE_LIST_PATH_BYTES);
        char* slash = strrchr(out, '/');
        if (slash != NULL)
        {
            slash[slash == out ? 1 : 0] = '\0';
        }
        return slash != NULL;
    }
    const char* between = strcmp(in->folder, "/") == 0 ? "" : "/";
    int length = snprintf(out, FILE_LIST_PATH_BYTES, "%s%s%s", in->folder, between, name);
    return length > 0 && length < FILE_LIST_PATH_BYTES;
}

bool file_free_path(char out[FILE_LIST_PATH_BYTES], const char* wanted, const char* ending)
{
    const char* dot = strrchr(wanted, '.');
    bool has_ending = dot != NULL && dot > wanted && strchr(dot, '/') == NULL;
    int stem = (int)(has_ending ? (size_t)(dot - wanted) : strlen(wanted));
    for (int i = 1; i < 10000; ++i)
    {
        char number[16] = "";
        if (i > 1)
        {
            snprintf(number, sizeof number, "-%d", i);
        }
        int length = snprintf(out, FILE_LIST_PATH_BYTES, "%.*s%s%s", stem, wanted, number, ending);
        if (length < 0 || length >= FILE_LIST_PATH_BYTES)
        {
            return false;
        }
        if (access(out, F_OK) != 0)
        {
            return true;
        }
    }
    return false;
}

static int compare(const void* a, const void* b)
{
    const file_entry *x = a, *y = b;
    int order = (int)y->is_folder - (int)x->is_folder;
    order = order != 0 ? order : strcasecmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->name, y->name);
}

static bool add_entry(file_list* inout, uint32_t* capacity, const char* name,
                      const char* const* extensions)
{
    char path[FILE_LIST_PATH_BYTES];
    struct stat about;
    if (name[0] == '.' || !file_list_path(path, inout, name) || stat(path, &about) != 0)
    {
        return true;
    }
    bool is_folder = S_ISDIR(about.st_mode);
    if (!is_folder && (!S_ISREG(about.st_mode) || !file_list_has_type(name, extensions)))
    {
        return true;
    }
    if (inout->count == *capacity)
    {
        uint32_t more = *capacity > 0 ? 2 * *capacity : 64;
        file_entry* entries = realloc(inout->entries, more * sizeof *entries);
        if (entries == NULL)
        {
            return false;
        }
        inout->entries = entries;
        *capacity = more;
    }
    char* copy = strdup(name);
    if (copy != NULL)
    {
        inout->entries[inout->count++] = (file_entry){.name = copy, .is_folder = is_folder};
    }
    return copy != NULL;
}

pelt_result file_list_read(file_list* inout, const char* folder, const char* const* extensions,
                           pelt_error* error)
{
    file_list out = {0};
    char real[PATH_MAX];
    if (realpath(folder[0] != '\0' ? folder : ".", real) == NULL ||
        strlen(real) >= sizeof out.folder)
    {
        return pelt_error_set(error, PELT_ERROR_READ, "%.200s: %s; choose another folder", folder,
                              strerror(errno));
    }
    memcpy(out.folder, real, strlen(real) + 1);
    DIR* directory = opendir(out.folder);
    if (directory == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_READ, "%.200s: %s; choose another folder",
                              out.folder, strerror(errno));
    }
    uint32_t capacity = 0;
    bool has_memory = true;
    const struct dirent* found;
    while (has_memory && out.count < FILE_LIST_MAX && (found = readdir(directory)) != NULL)
    {
        has_memory = add_entry(&out, &capacity, found->d_name, extensions);
    }
    closedir(directory);
    if (!has_memory)
    {
        file_list_destroy(&out);
        return pelt_error_memory(error);
    }
    if (out.count > 0)
    {
        qsort(out.entries, out.count, sizeof *out.entries, compare);
    }
    file_list_destroy(inout);
    *inout = out;
    return PELT_OK;
}

void file_list_destroy(file_list* in)
{
    for (uint32_t i = 0; i < in->count; ++i)
    {
        free(in->entries[i].name);
    }
    free(in->entries);
    *in = (file_list){0};
}
