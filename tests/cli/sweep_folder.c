// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700

#include "sweep_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void stop(const char* what)
{
    perror(what);
    exit(1);
}

void blob_free(blob* inout)
{
    free(inout->bytes);
    *inout = (blob){0};
}

bool blob_is_same(blob a, blob b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

size_t blob_line_end(blob text, size_t start)
{
    const char* end = memchr(text.bytes + start, '\n', text.size - start);
    return end != NULL ? (size_t)(end - text.bytes) + 1 : text.size;
}

bool blob_has(blob text, size_t start, size_t end, const char* word)
{
    size_t length = strlen(word);
    for (size_t i = start; i + length <= end; ++i)
    {
        if (memcmp(text.bytes + i, word, length) == 0)
        {
            return true;
        }
    }
    return false;
}

static void append(blob* inout, const void* bytes, size_t size)
{
    // One more byte, so that nothing is no special case.
    char* wider = realloc(inout->bytes, inout->size + size + 1);
    if (wider == NULL)
    {
        stop("allocation_sweep");
    }
    memcpy(wider + inout->size, bytes, size);
    inout->bytes = wider;
    inout->size += size;
}

// ---------------------------------------------------------------------------------------------

blob folder_read(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        stop(path);
    }
    blob out = {0};
    char part[65536];
    size_t size;
    do
    {
        size = fread(part, 1, sizeof part, file);
        append(&out, part, size);
    } while (size > 0);
    fclose(file);
    return out;
}

void folder_write(const char* path, const void* bytes, size_t size)
{
    FILE* file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
    {
        stop(path);
    }
}

typedef void (*visitor)(void* context, const char* path, bool is_folder);

static int is_inner(const struct dirent* entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

// Whatever is below the folder, each folder after its contents.
static void visit(const char* folder, visitor tell, void* context)
{
    struct dirent** entries;
    int count = scandir(folder, &entries, is_inner, alphasort);
    if (count < 0)
    {
        stop(folder);
    }
    for (int i = 0; i < count; ++i)
    {
        char path[1024];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (lstat(path, &status) != 0)
        {
            stop(path);
        }
        if (S_ISDIR(status.st_mode))
        {
            visit(path, tell, context);
        }
        tell(context, path, S_ISDIR(status.st_mode));
        free(entries[i]);
    }
    free(entries);
}

static void remember(void* context, const char* path, bool is_folder)
{
    blob* snapshot = context;
    append(snapshot, path, strlen(path) + 1);
    if (!is_folder)
    {
        blob content = folder_read(path);
        append(snapshot, &content.size, sizeof content.size);
        append(snapshot, content.bytes, content.size);
        blob_free(&content);
    }
}

static void erase(void* context, const char* path, bool is_folder)
{
    (void)context;
    (void)is_folder;
    if (remove(path) != 0)
    {
        stop(path);
    }
}

blob folder_snapshot(const char* path)
{
    blob out = {0};
    visit(path, remember, &out);
    return out;
}

void folder_clear(const char* path)
{
    visit(path, erase, NULL);
}

void folder_enter(const char* root)
{
    if (chdir(root) != 0 || mkdir("in", 0700) != 0 || mkdir("run", 0700) != 0 || chdir("run") != 0)
    {
        stop(root);
    }
}

void folder_leave(const char* root)
{
    folder_clear(root);
    if (chdir("/") != 0 || rmdir(root) != 0)
    {
        stop(root);
    }
}
