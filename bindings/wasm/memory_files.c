// SPDX-License-Identifier: MIT
// Takes the place of io/file_write.c where there is no disk: output files are kept in memory, from
// where web_file_take() hands them to the caller.
#define _XOPEN_SOURCE 700

#include "memory_files.h"

#include "../../io/writers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// The files that writers have finished. A writer makes three at most.
enum
{
    FILE_MAX = 8,
};

typedef struct memory_file
{
    char* name; ///< NULL: a free row
    char* bytes;
    size_t size;
} memory_file;

// Row `slot` is written by the stream of the pelti_file with that slot.
static memory_file written[FILE_MAX];

static memory_file kept[FILE_MAX];

static memory_file* find(memory_file* files, const char* name)
{
    for (uint32_t i = 0; i < FILE_MAX; ++i)
    {
        bool is_same = name == NULL ? files[i].name == NULL
                                    : files[i].name != NULL && strcmp(files[i].name, name) == 0;
        if (is_same)
        {
            return &files[i];
        }
    }
    return NULL;
}

static void release(memory_file* file)
{
    free(file->name);
    free(file->bytes);
    *file = (memory_file){0};
}

void web_files_clear(void)
{
    for (uint32_t i = 0; i < FILE_MAX; ++i)
    {
        release(&kept[i]);
    }
}

bool web_file_take(const char* name, void** bytes, size_t* size)
{
    memory_file* file = find(kept, name);
    if (file == NULL)
    {
        return false;
    }
    *bytes = file->bytes;
    *size = file->size;
    file->bytes = NULL;
    release(file);
    return true;
}

// ---------------------------------------------------------------------------------------------
// writers.h

static pelt_result write_error(const pelti_file* file, int code, pelt_error* error)
{
    return code == ENOMEM ? pelt_error_memory(error)
                          : pelt_error_set(error, PELT_ERROR_WRITE, "cannot write %s: %s",
                                           file->path, strerror(code));
}

void pelti_random_tag(char out[PELTI_TAG_SIZE])
{
    // Unique within one call is enough: no other process sees these files.
    static unsigned serial;
    snprintf(out, PELTI_TAG_SIZE, "%016x", ++serial);
}

pelt_result pelti_file_open(pelti_file* out, const char* path, pelt_error* error)
{
    *out = (pelti_file){.path = path, .slot = FILE_MAX};
    memory_file* row = find(written, NULL);
    if (row == NULL)
    {
        return write_error(out, EMFILE, error);
    }
    row->name = strdup(path);
    out->stream = row->name != NULL ? open_memstream(&row->bytes, &row->size) : NULL;
    if (out->stream == NULL)
    {
        release(row);
        return pelt_error_memory(error);
    }
    out->slot = (uint32_t)(row - written);
    out->target = out->temporary = row->name;
    return PELT_OK;
}

pelt_result pelti_file_finish(pelti_file* file, pelt_error* error)
{
    bool has_failed = ferror(file->stream) != 0;
    has_failed = fclose(file->stream) != 0 || has_failed;
    file->stream = NULL;
    if (has_failed)
    {
        pelti_file_discard(file);
        // Running out of memory is the only failure of a stream in memory.
        return pelt_error_memory(error);
    }
    return PELT_OK;
}

pelt_result pelti_file_rename(pelti_file* file, pelt_error* error)
{
    memory_file* row = &written[file->slot];
    memory_file* target = find(kept, row->name);
    target = target != NULL ? target : find(kept, NULL);
    if (target == NULL)
    {
        pelti_file_discard(file);
        return write_error(file, EMFILE, error);
    }
    release(target);
    *target = *row;
    *row = (memory_file){0};
    *file = (pelti_file){.slot = FILE_MAX};
    return PELT_OK;
}

pelt_result pelti_file_commit(pelti_file* file, pelt_error* error)
{
    PELT_TRY(pelti_file_finish(file, error));
    return pelti_file_rename(file, error);
}

void pelti_file_discard(pelti_file* file)
{
    if (file->stream != NULL)
    {
        fclose(file->stream);
    }
    if (file->temporary != NULL)
    {
        release(&written[file->slot]);
    }
    *file = (pelti_file){.path = file->path, .slot = FILE_MAX};
}

pelt_result pelti_alias_create(pelti_alias* out, const pelti_file* file, const char* path,
                               pelt_error* error)
{
    // A second name keeps a set of files whole when a process is killed; nothing is left of these.
    (void)file, (void)error;
    *out = (pelti_alias){.path = path};
    return PELT_OK;
}

void pelti_alias_keep(pelti_alias* inout)
{
    (void)inout;
}

void pelti_alias_remove(pelti_alias* inout)
{
    *inout = (pelti_alias){0};
}

pelt_result pelti_lock_folder(pelti_lock* out, const char* path, pelt_error* error)
{
    (void)path, (void)error;
    *out = (pelti_lock){.descriptor = -1};
    return PELT_OK;
}

void pelti_lock_release(pelti_lock* inout)
{
    (void)inout;
}

void pelt_save_abort(void)
{
}
