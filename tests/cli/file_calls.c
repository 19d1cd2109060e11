// SPDX-License-Identifier: MIT
// For LD_PRELOAD: a process that ends at a chosen step of replacing files, and file systems and
// random numbers that are not as usual.
//
//     PELT_END_AT=N      raise a signal before the N-th call of rename, link or unlink
//     PELT_END_BY=S      that signal; default: 9, SIGKILL
//     PELT_NO_LINK=1     the file system has no hard links
//     PELT_NO_LOCK=1     nor locks
//     PELT_SAME_RANDOM=1 random numbers are 1, 2, 3 ... and the process id is 7 in every process
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static bool is_set(const char* name)
{
    return getenv(name) != NULL;
}

static void count_call(void)
{
    static long calls;
    const char *at = getenv("PELT_END_AT"), *by = getenv("PELT_END_BY");
    if (at != NULL && ++calls == atol(at))
    {
        raise(by != NULL ? atoi(by) : SIGKILL);
    }
}

int rename(const char* from, const char* to)
{
    int (*next)(const char*, const char*) =
        (int (*)(const char*, const char*))dlsym(RTLD_NEXT, "rename");
    count_call();
    return next(from, to);
}

int link(const char* from, const char* to)
{
    int (*next)(const char*, const char*) =
        (int (*)(const char*, const char*))dlsym(RTLD_NEXT, "link");
    count_call();
    if (is_set("PELT_NO_LINK"))
    {
        errno = EPERM;
        return -1;
    }
    return next(from, to);
}

int unlink(const char* path)
{
    int (*next)(const char*) = (int (*)(const char*))dlsym(RTLD_NEXT, "unlink");
    count_call();
    return next(path);
}

int flock(int descriptor, int operation)
{
    int (*next)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "flock");
    if (is_set("PELT_NO_LOCK"))
    {
        errno = ENOLCK;
        return -1;
    }
    return next(descriptor, operation);
}

// Nothing here has to survive a power failure, and waiting for a disk takes longer than all else.
int fsync(int descriptor)
{
    (void)descriptor;
    return 0;
}

int getentropy(void* out, size_t size)
{
    static unsigned char number;
    int (*next)(void*, size_t) = (int (*)(void*, size_t))dlsym(RTLD_NEXT, "getentropy");
    if (is_set("PELT_SAME_RANDOM"))
    {
        memset(out, 0, size);
        *(unsigned char*)out = ++number;
        return 0;
    }
    return next(out, size);
}

pid_t getpid(void)
{
    pid_t (*next)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "getpid");
    return is_set("PELT_SAME_RANDOM") ? 7 : next();
}
