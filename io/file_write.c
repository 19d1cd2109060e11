// SPDX-License-Identifier: MIT
// Output files appear whole or not at all.
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE // flock() and getentropy()

#include "writers.h"

#include "readers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

// ---------------------------------------------------------------------------------------------
// Temporaries that exist now
//
// A signal handler may neither lock nor allocate, so the paths are in a fixed table. A file that
// finds no free row is written all the same, but a signal leaves it behind. A row becomes active
// after this process has created its file: no file of another program is ever removed.

enum
{
    SLOT_COUNT = 64,
    SLOT_NONE = SLOT_COUNT,
    NAME_TRIES = 100,      // until a random name is free
    LOCK_SECONDS = 10,     // until another writer counts as stuck
    LOCK_PAUSE = 2000000,  // nanoseconds
    COPY_SIZE = 64 * 1024, // bytes at a time
};

#define TEMPORARY_PREFIX ".pelt.tmp-"
#define LOCK_NAME ".pelt.lock"

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

// Reserve a row for a path. The file is not removed before slot_activate().
static uint32_t slot_claim(const char* path)
{
    for (uint32_t i = 0; i < SLOT_COUNT && strlen(path) < PATH_MAX; ++i)
    {
        int expected = SLOT_FREE;
        if (atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_CLAIMED))
        {
            strcpy(slots[i].path, path);
            return i;
        }
    }
    return SLOT_NONE;
}

static void slot_activate(uint32_t slot)
{
    if (slot != SLOT_NONE)
    {
        atomic_store(&slots[slot].state, SLOT_READY);
    }
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

void pelti_random_tag(char out[PELTI_TAG_SIZE])
{
    static atomic_uint serial;

    uint64_t bits = 0;
    if (getentropy(&bits, sizeof bits) != 0)
    {
        // An old kernel. Names need not be secret: O_EXCL decides who owns a file.
        struct timespec now = {0};
        clock_gettime(CLOCK_REALTIME, &now);
        bits = ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) ^
               (uint64_t)getpid() << 40 ^ (uint64_t)atomic_fetch_add(&serial, 1) << 32;
    }
    snprintf(out, PELTI_TAG_SIZE, "%016llx", (unsigned long long)bits);
}

// ".pelt.tmp-TAG" in the folder of the target: short enough for any file system, however long the
// name of the target is.
static char* temporary_name(const char* target)
{
    size_t folder_length = pelti_path_folder(target);
    size_t size = folder_length + sizeof TEMPORARY_PREFIX + PELTI_TAG_SIZE;
    char* name = pelt_allocate(size, 1);
    if (name != NULL)
    {
        char tag[PELTI_TAG_SIZE];
        pelti_random_tag(tag);
        snprintf(name, size, "%.*s%s%s", (int)folder_length, target, TEMPORARY_PREFIX, tag);
    }
    return name;
}

static pelt_result open_in_place(pelti_file* out, const char* path, pelt_error* error)
{
    out->stream = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
    return out->stream != NULL ? PELT_OK : write_error(error, path, errno);
}

// Create a file that was not there before, and list it for the signal handler.
// @return NULL: errno tells why
static FILE* create_listed(const char* path, uint32_t* slot)
{
    // Before the file exists: a signal that arrives right after open() has to find the name. That
    // the name is another program's, for the moment until open() says so, would take 64 random bits
    // that agree.
    *slot = slot_claim(path);
    slot_activate(*slot);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE* stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (stream == NULL)
    {
        int code = errno;
        if (descriptor >= 0)
        {
            close(descriptor);
            unlink(path);
        }
        slot_release(*slot);
        *slot = SLOT_NONE;
        errno = code;
    }
    return stream;
}

// Create the temporary file. A name that is taken belongs to another program: try the next.
static bool create_temporary(pelti_file* inout)
{
    for (int i = 0; i < NAME_TRIES; ++i)
    {
        inout->temporary = temporary_name(inout->target);
        if (inout->temporary == NULL)
        {
            errno = ENOMEM;
            return false;
        }
        inout->stream = create_listed(inout->temporary, &inout->slot);
        if (inout->stream != NULL)
        {
            return true;
        }
        int code = errno;
        pelt_release(inout->temporary);
        inout->temporary = NULL;
        errno = code;
        if (code != EEXIST)
        {
            break;
        }
    }
    return false;
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
    if (out->target == NULL || !create_temporary(out))
    {
        const char* path = out->path;
        int code = out->target == NULL ? ENOMEM : errno;
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

pelt_result pelti_file_rename(pelti_file* file, pelt_error* error)
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
    PELT_TRY(pelti_file_finish(file, error));
    return pelti_file_rename(file, error);
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

// ---------------------------------------------------------------------------------------------
// A second name

static bool copy_bytes(int from, int to)
{
    char bytes[COPY_SIZE];
    for (;;)
    {
        ssize_t size = read(from, bytes, sizeof bytes);
        for (ssize_t done = 0; done < size;)
        {
            ssize_t step = write(to, bytes + done, (size_t)(size - done));
            if (step < 0 && errno != EINTR)
            {
                return false;
            }
            done += step > 0 ? step : 0;
        }
        if (size == 0 || (size < 0 && errno != EINTR))
        {
            return size == 0 && fsync(to) == 0;
        }
    }
}

// For file systems without hard links.
static bool copy_file(const char* from, const char* to)
{
    int source = open(from, O_RDONLY | O_CLOEXEC);
    int copy = source >= 0 ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    bool is_done = copy >= 0 && copy_bytes(source, copy);
    int code = errno;
    if (copy >= 0)
    {
        is_done = close(copy) == 0 && is_done;
        if (!is_done)
        {
            unlink(to);
        }
    }
    if (source >= 0)
    {
        close(source);
    }
    errno = code;
    return is_done;
}

pelt_result pelti_alias_create(pelti_alias* out, const pelti_file* file, const char* path,
                               pelt_error* error)
{
    PELT_ASSERT(file->stream == NULL && file->temporary != NULL);
    *out = (pelti_alias){.path = path, .slot = slot_claim(path)};
    slot_activate(out->slot); // as in create_listed()
    out->is_present =
        link(file->temporary, path) == 0 || (errno != EEXIST && copy_file(file->temporary, path));
    if (!out->is_present)
    {
        int code = errno;
        slot_release(out->slot);
        *out = (pelti_alias){.slot = SLOT_NONE};
        return write_error(error, path, code);
    }
    return PELT_OK;
}

void pelti_alias_keep(pelti_alias* inout)
{
    slot_release(inout->is_present ? inout->slot : SLOT_NONE);
    inout->slot = SLOT_NONE;
}

void pelti_alias_remove(pelti_alias* inout)
{
    if (inout->is_present)
    {
        unlink(inout->path);
    }
    pelti_alias_keep(inout);
    *inout = (pelti_alias){.slot = SLOT_NONE};
}

// ---------------------------------------------------------------------------------------------
// Locks

// Open the lock file of a folder and try to get the lock.
// @return whether there is another holder, and waiting makes sense
static bool try_lock(pelti_lock* inout)
{
    inout->descriptor = open(inout->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (inout->descriptor < 0 && errno == EACCES) // of another user
    {
        inout->descriptor = open(inout->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    }
    if (inout->descriptor < 0)
    {
        return false;
    }
    bool has_lock = flock(inout->descriptor, LOCK_EX | LOCK_NB) == 0;
    bool is_waiting = !has_lock && (errno == EWOULDBLOCK || errno == EINTR);
    if (has_lock)
    {
        // A holder removes the file before it releases the lock: this may be the removed one.
        struct stat own, there;
        is_waiting = fstat(inout->descriptor, &own) != 0 || stat(inout->path, &there) != 0 ||
                     own.st_ino != there.st_ino || own.st_dev != there.st_dev;
        has_lock = !is_waiting;
    }
    if (!has_lock)
    {
        close(inout->descriptor);
        inout->descriptor = -1;
    }
    return is_waiting;
}

pelt_result pelti_lock_folder(pelti_lock* out, const char* path, pelt_error* error)
{
    *out = (pelti_lock){.descriptor = -1, .slot = SLOT_NONE};
    size_t folder_length = pelti_path_folder(path);
    size_t size = folder_length + sizeof LOCK_NAME;
    out->path = pelt_allocate(size, 1);
    if (out->path == NULL)
    {
        return pelt_error_memory(error);
    }
    snprintf(out->path, size, "%.*s%s", (int)folder_length, path, LOCK_NAME);

    struct timespec start, now, pause = {.tv_nsec = LOCK_PAUSE};
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (try_lock(out))
    {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > LOCK_SECONDS)
        {
            pelt_error_set(error, PELT_ERROR_WRITE,
                           "cannot write %s: another program has held %s for more than %d s; end "
                           "it or wait",
                           path, out->path, LOCK_SECONDS);
            pelti_lock_release(out);
            return PELT_ERROR_WRITE;
        }
        nanosleep(&pause, NULL);
    }
    if (out->descriptor >= 0)
    {
        out->slot = slot_claim(out->path);
        slot_activate(out->slot);
    }
    return PELT_OK;
}

void pelti_lock_release(pelti_lock* inout)
{
    if (inout->path != NULL && inout->descriptor >= 0)
    {
        unlink(inout->path);
        slot_release(inout->slot);
        close(inout->descriptor);
    }
    pelt_release(inout->path);
    *inout = (pelti_lock){.descriptor = -1, .slot = SLOT_NONE};
}
