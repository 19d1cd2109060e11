// SPDX-License-Identifier: MIT
// Reading files by the system's own calls. Names are UTF-8 on every system; failures leave their
// reason in errno. On POSIX, _XOPEN_SOURCE is 700 before this.
#ifndef PELTI_SYSTEM_H
#define PELTI_SYSTEM_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>

#ifdef _WIN32

typedef struct _stat64 pelti_status;

#ifndef S_ISSOCK
#define S_ISSOCK(mode) false
#endif

/// Open a file for reading.
/// @param path        NULL: the standard input, as bytes
/// @param is_waiting  whether opening a pipe may wait for its writer
/// @return a descriptor, or -1
int pelti_system_open(const char* path, bool is_waiting);
void pelti_system_close(int descriptor);

/// @return bytes read, 0 at the end, or -1
ptrdiff_t pelti_system_read(int descriptor, void* out, size_t size);

/// @return 0, or -1
int pelti_system_status(pelti_status* out, int descriptor);
int pelti_system_status_of(pelti_status* out, const char* path);

/// The one name of a file or folder, all links followed, with '/' between folders. free() it.
char* pelti_system_resolve(const char* path);

#elif defined(__wasi__)

// A web page has no files: all data of a character are in memory, see pelt_load_memory().
#include <errno.h>

typedef struct stat pelti_status;

static inline int pelti_system_open(const char* path, bool is_waiting)
{
    (void)path, (void)is_waiting;
    errno = ENOENT;
    return -1;
}

static inline void pelti_system_close(int descriptor)
{
    (void)descriptor;
}

static inline ptrdiff_t pelti_system_read(int descriptor, void* out, size_t size)
{
    (void)descriptor, (void)out, (void)size;
    errno = EBADF;
    return -1;
}

static inline int pelti_system_status(pelti_status* out, int descriptor)
{
    (void)out, (void)descriptor;
    errno = EBADF;
    return -1;
}

static inline int pelti_system_status_of(pelti_status* out, const char* path)
{
    (void)out, (void)path;
    errno = ENOENT;
    return -1;
}

static inline char* pelti_system_resolve(const char* path)
{
    (void)path;
    errno = ENOENT;
    return NULL;
}

#else

#include <unistd.h>

typedef struct stat pelti_status;

static inline int pelti_system_open(const char* path, bool is_waiting)
{
    int waiting = is_waiting ? 0 : O_NONBLOCK;
    return path == NULL ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | waiting);
}

static inline void pelti_system_close(int descriptor)
{
    close(descriptor);
}

static inline ptrdiff_t pelti_system_read(int descriptor, void* out, size_t size)
{
    return read(descriptor, out, size);
}

static inline int pelti_system_status(pelti_status* out, int descriptor)
{
    return fstat(descriptor, out);
}

static inline int pelti_system_status_of(pelti_status* out, const char* path)
{
    return stat(path, out);
}

static inline char* pelti_system_resolve(const char* path)
{
    return realpath(path, NULL);
}

#endif

#endif
