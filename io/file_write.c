// SPDX-License-Identifier: MIT
// Output files appear whole or not at all.
#define _XOPEN_SOURCE 700

#include "file_write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

// ---------------------------------------------------------------------------------------------
// Temporaries that exist now
//
// A signal handler may neither lock nor allocate, so the paths wait in a fixed table. When more
// threads write at once than it has rows, the rest are written without this net.

enum
{
    SLOT_COUNT = 64,
    SLOT_NONE = SLOT_COUNT,
};

enum
{
    SLOT_FREE,
    SLOT_CLAIMED,
    SLOT_READY,
};

static struct
{
    atomic_int state;
    char path[PATH_MAX];
} slots[SLOT_COUNT];

static uint32_t slot_register(const char* path)
{
    if (strlen(path) >= PATH_MAX)
    {
        return SLOT_NONE;
    }
    for (uint32_t i = 0; i < SLOT_COUNT; ++i)
    {
        int expected = SLOT_FREE;
        if (atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_CLAIMED))
        {
            strcpy(slots[i].path, path);
            atomic_store(&slots[i].state, SLOT_READY);
            return i;
        }
    }
    return SLOT_NONE;
}

static void slot_release(uint32_t slot)
{
    if (slot != SLOT_NONE)
    {
        atomic_store(&slots[slot].state, SLOT_FREE);
    }
}

void pelt_save_abort(void)
{
    for (uint32_t i = 0; i < SLOT_COUNT; ++i)
    {
        if (atomic_load(&slots[i].state) == SLOT_READY)
        {
            unlink(slots[i].path);
        }
    }
}

// ---------------------------------------------------------------------------------------------

static pelt_result write_error(pelt_error* error, const char* path, int code)
{
    if (code == ENOMEM) // of the stream: the disk has done nothing wrong
    {
        return pelt_error_memory(error);
    }
    return pelt_error_set(error, PELT_ERROR_WRITE, "cannot write %s: %s",
                          strcmp(path, "-") == 0 ? "to the standard output" : path, strerror(code));
}

static void release_names(pelti_file* file)
{
    slot_release(file->temporary != NULL ? file->slot : SLOT_NONE);
    pelt_release(file->target);
    pelt_release(file->temporary);
    *file = (pelti_file){.slot = SLOT_NONE};
}

static char* copy_string(const char* text)
{
    char* copy = pelt_allocate(strlen(text) + 1, 1);
    if (copy != NULL)
    {
        strcpy(copy, text);
    }
    return copy;
}

// ".pelt.tmp-PID-N" in the folder of the target: unique among threads and programs, and short
// enough for any file system, however long the name of the target is.
static char* temporary_name(const char* target)
{
    static atomic_uint serial;

    const char* slash = strrchr(target, '/');
    int folder_length = slash != NULL ? (int)(slash - target + 1) : 0;
    size_t size = (size_t)folder_length + 48;
    char* name = pelt_allocate(size, 1);
    if (name != NULL)
    {
        snprintf(name, size, "%.*s.pelt.tmp-%ld-%u", folder_length, target, (long)getpid(),
                 atomic_fetch_add(&serial, 1));
    }
    return name;
}

static pelt_result open_in_place(pelti_file* out, const char* path, pelt_error* error)
{
    out->stream = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
    return out->stream != NULL ? PELT_OK : write_error(error, path, errno);
}

static FILE* open_exclusive(const char* path, mode_t mode)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor < 0 && errno == EEXIST)
    {
        // Left by a program of the same number that was killed outright.
        unlink(path);
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    if (descriptor < 0)
    {
        return NULL;
    }
    FILE* stream = fdopen(descriptor, "wb");
    if (stream == NULL)
    {
        int code = errno;
        close(descriptor);
        unlink(path);
        errno = code;
    }
    return stream;
}

static pelt_result open_beside(pelti_file* out, const struct stat* existing, pelt_error* error)
{
    // A link is followed, so that the file it names is replaced and not the link.
    char resolved[PATH_MAX];
    errno = 0;
    bool is_resolved = existing != NULL && realpath(out->path, resolved) != NULL;
    if (errno == ENOMEM)
    {
        return pelt_error_memory(error);
    }

    out->target = copy_string(is_resolved ? resolved : out->path);
    out->temporary = out->target != NULL ? temporary_name(out->target) : NULL;
    if (out->temporary == NULL)
    {
        release_names(out);
        return pelt_error_memory(error);
    }

    const char* path = out->path;
    out->slot = slot_register(out->temporary);
    out->stream = open_exclusive(out->temporary, 0666);
    if (out->stream == NULL)
    {
        int code = errno;
        release_names(out);
        return write_error(error, path, code);
    }
    if (existing != NULL)
    {
        // A refusal leaves the usual permissions, which is no reason to lose the file.
        (void)!fchmod(fileno(out->stream), existing->st_mode & 07777);
    }
    return PELT_OK;
}

static pelt_result open_file(pelti_file* out, const char* path, pelt_error* error)
{
    *out = (pelti_file){.path = path, .slot = SLOT_NONE};
    if (strcmp(path, "-") == 0)
    {
        return open_in_place(out, path, error);
    }

    struct stat existing;
    if (stat(path, &existing) != 0)
    {
        return errno == ENOENT ? open_beside(out, NULL, error) : write_error(error, path, errno);
    }
    if (S_ISDIR(existing.st_mode))
    {
        return write_error(error, path, EISDIR);
    }
    if (!S_ISREG(existing.st_mode))
    {
        return open_in_place(out, path, error);
    }
    return open_beside(out, &existing, error);
}

pelt_result pelti_file_open(pelti_file* out, const char* path, pelt_error* error)
{
    pelt_result result = open_file(out, path, error);
    // From here on it tells why a write failed.
    errno = 0;
    return result;
}

// Close and report the first error of the whole life of the stream.
static int close_stream(pelti_file* file)
{
    bool is_stdout = file->stream == stdout;
    bool has_failed = ferror(file->stream) != 0;
    // The stream remembers that a write failed, but not why; mostly nothing has happened since.
    int earlier = has_failed ? errno : 0;
    errno = 0;
    has_failed = fflush(file->stream) != 0 || has_failed;
    if (!has_failed && file->temporary != NULL)
    {
        has_failed = fsync(fileno(file->stream)) != 0;
    }
    int code = has_failed ? errno : 0;

    if (!is_stdout && fclose(file->stream) != 0 && !has_failed)
    {
        has_failed = true;
        code = errno;
    }
    file->stream = NULL;
    return !has_failed || code != 0 ? code : earlier != 0 ? earlier : EIO;
}

// Remove what is left, and say why.
static pelt_result give_up(pelti_file* file, int code, pelt_error* error)
{
    const char* path = file->path;
    pelti_file_discard(file);
    return write_error(error, path, code);
}

pelt_result pelti_file_finish(pelti_file* file, pelt_error* error)
{
    int code = close_stream(file);
    return code == 0 ? PELT_OK : give_up(file, code, error);
}

pelt_result pelti_file_place(pelti_file* file, pelt_error* error)
{
    if (file->temporary != NULL && rename(file->temporary, file->target) != 0)
    {
        return give_up(file, errno, error);
    }
    release_names(file);
    return PELT_OK;
}

pelt_result pelti_file_commit(pelti_file* file, pelt_error* error)
{
    pelt_result result = pelti_file_finish(file, error);
    return result == PELT_OK ? pelti_file_place(file, error) : result;
}

void pelti_file_discard(pelti_file* file)
{
    if (file->stream != NULL && file->stream != stdout)
    {
        fclose(file->stream);
    }
    if (file->temporary != NULL)
    {
        unlink(file->temporary);
    }
    release_names(file);
}
