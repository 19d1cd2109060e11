// SPDX-License-Identifier: MIT
// For LD_PRELOAD: the memory of a whole process, libraries included, in which one allocation fails.
//
//     PELT_FAIL_AT=N      the N-th allocation fails, and only it
//     PELT_FAIL_FROM=N    the N-th fails, and all after it
//     PELT_FAIL_LIBC=0    allocations inside the C library are not counted
//     PELT_FAIL_REPORT=FD  where to say that an allocation failed, and who asked for it
//     PELT_FAIL_SERVE=1   the program runs again and again, as failing_malloc.h says
//
// A process that exits while blocks which the program or its own libraries allocated are not
// released ends with FAIL_EXIT_LEAK.
//
// Counted is what the program itself, its direct libraries and the C library ask for. A driver of
// OpenGL asks hundreds of thousands of times, and what it does about a failure is its own business.
#define _GNU_SOURCE

#include "failing_malloc.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// The functions that those below replace.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);

enum
{
    RANGE_MAX = 64,
    LIVE_MAX = 1 << 20, // a power of two
};

static struct
{
    const char* object;
    bool is_own; // part of pelt, not of a library by others
    uintptr_t base, begin, end;
} ranges[RANGE_MAX];
static size_t range_count;
static unsigned long fail_at, fail_from;
static atomic_ulong asked;
static int report = -1;
static _Thread_local bool is_paused;

// Blocks that are not released yet: a hash table with linear probing.
static struct
{
    void* memory;
    const void* caller;
} live[LIVE_MAX];
static size_t live_count;
static pthread_mutex_t live_lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_own(const char* object)
{
    return object[0] == '\0' || strncmp(object, "libpelt", 7) == 0;
}

static bool is_counted(const char* object, bool has_libc)
{
    static const char* const libraries[] = {
        "libjansson.", "libz.",       "libspng.",      "libjpeg.",
        "libwebp.",    "libwebpmux.", "libwebpdemux.", "libmeshoptimizer."};
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; ++i)
    {
        if (strncmp(object, libraries[i], strlen(libraries[i])) == 0)
        {
            return true;
        }
    }
    return is_own(object) || (has_libc && strncmp(object, "libc.", 5) == 0);
}

static int add_ranges(struct dl_phdr_info* info, size_t size, void* has_libc)
{
    (void)size;
    const char* slash = strrchr(info->dlpi_name, '/');
    const char* object = slash != NULL ? slash + 1 : info->dlpi_name;
    for (int i = 0; is_counted(object, *(bool*)has_libc) && i < info->dlpi_phnum; ++i)
    {
        const ElfW(Phdr)* part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0 && range_count < RANGE_MAX)
        {
            uintptr_t begin = info->dlpi_addr + part->p_vaddr;
            ranges[range_count].object = object;
            ranges[range_count].is_own = is_own(object);
            ranges[range_count].base = info->dlpi_addr;
            ranges[range_count].begin = begin;
            ranges[range_count++].end = begin + part->p_memsz;
        }
    }
    return 0;
}

static unsigned long number_of(const char* variable)
{
    const char* text = getenv(variable);
    return text != NULL ? strtoul(text, NULL, 10) : 0;
}

static void begin_run(const fail_request* request)
{
    static const int outputs[] = {STDOUT_FILENO, STDERR_FILENO, FAIL_REPORT};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; ++i)
    {
        // These files are those of the run before.
        (void)!ftruncate(outputs[i], 0);
        lseek(outputs[i], 0, SEEK_SET);
    }
    close(FAIL_REQUESTS);
    close(FAIL_ANSWERS);
    alarm(request->patience);
    fail_at = request->at;
    fail_from = request->from;
}

// Returns to the program only in its children: to load all libraries takes longer than most runs.
static void serve(void)
{
    fail_request request;
    while (read(FAIL_REQUESTS, &request, sizeof request) == (ssize_t)sizeof request)
    {
        pid_t child = fork();
        if (child == 0)
        {
            begin_run(&request);
            return;
        }
        int status = -1;
        waitpid(child, &status, 0);
        (void)!write(FAIL_ANSWERS, &status, sizeof status);
    }
    _exit(0);
}

__attribute__((constructor)) static void read_environment(void)
{
    const char* libc = getenv("PELT_FAIL_LIBC");
    bool has_libc = libc == NULL || strcmp(libc, "0") != 0;
    fail_at = number_of("PELT_FAIL_AT");
    fail_from = number_of("PELT_FAIL_FROM");
    report = getenv("PELT_FAIL_REPORT") != NULL ? (int)number_of("PELT_FAIL_REPORT") : -1;
    dl_iterate_phdr(add_ranges, &has_libc);
    if (getenv("PELT_FAIL_SERVE") != NULL)
    {
        serve();
    }
}

/// @return the range that the address lies in; range_count: none
static size_t find_range(const void* caller)
{
    uintptr_t address = (uintptr_t)caller;
    size_t i = 0;
    while (i < range_count && !(address >= ranges[i].begin && address < ranges[i].end))
    {
        ++i;
    }
    return i;
}

static void report_caller(const char* prefix, const void* caller)
{
    size_t i = find_range(caller);
    char text[128];
    int size = snprintf(text, sizeof text, "%s%s+0x%lx", prefix,
                        ranges[i].object[0] != '\0' ? ranges[i].object : "pelt",
                        (unsigned long)((uintptr_t)caller - ranges[i].base));
    (void)!write(report, text, (size_t)size);
}

static bool fails(const void* caller)
{
    if (is_paused || find_range(caller) == range_count)
    {
        return false;
    }
    unsigned long number = atomic_fetch_add(&asked, 1) + 1;
    if (number != fail_at && (fail_from == 0 || number < fail_from))
    {
        return false;
    }
    if (report >= 0 && (number == fail_at || number == fail_from))
    {
        report_caller("", caller);
    }
    errno = ENOMEM;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Blocks that are not released

static size_t home_of(const void* memory)
{
    return (size_t)((uintptr_t)memory / 16 * 0x9e3779b97f4a7c15u >> 20) % LIVE_MAX;
}

static void* remember(void* memory, const void* caller)
{
    size_t range = find_range(caller);
    if (memory == NULL || range == range_count || !ranges[range].is_own)
    {
        return memory;
    }
    pthread_mutex_lock(&live_lock);
    if (++live_count == LIVE_MAX)
    {
        abort();
    }
    size_t i = home_of(memory);
    while (live[i].memory != NULL)
    {
        i = (i + 1) % LIVE_MAX;
    }
    live[i].memory = memory;
    live[i].caller = caller;
    pthread_mutex_unlock(&live_lock);
    return memory;
}

static void forget(const void* memory)
{
    pthread_mutex_lock(&live_lock);
    size_t i = home_of(memory);
    while (live[i].memory != NULL && live[i].memory != memory)
    {
        i = (i + 1) % LIVE_MAX;
    }
    live_count -= live[i].memory != NULL;
    // Entries after the gap move up, unless they would pass the index that their search begins at.
    size_t gap = i;
    while (live[gap].memory != NULL && live[i = (i + 1) % LIVE_MAX].memory != NULL)
    {
        if ((i - home_of(live[i].memory)) % LIVE_MAX >= (i - gap) % LIVE_MAX)
        {
            live[gap] = live[i];
            gap = i;
        }
    }
    live[gap].memory = NULL;
    pthread_mutex_unlock(&live_lock);
}

__attribute__((destructor)) static void report_leak(void)
{
    if (live_count > 0)
    {
        size_t i = 0;
        while (live[i].memory == NULL)
        {
            ++i;
        }
        fflush(NULL);
        report_caller(", not released: ", live[i].caller);
        _exit(FAIL_EXIT_LEAK);
    }
}

// ---------------------------------------------------------------------------------------------

#define CALLER __builtin_return_address(0)

void* malloc(size_t size)
{
    return fails(CALLER) ? NULL : remember(__libc_malloc(size), CALLER);
}

void* calloc(size_t count, size_t size)
{
    return fails(CALLER) ? NULL : remember(__libc_calloc(count, size), CALLER);
}

void* realloc(void* memory, size_t size)
{
    void* moved = fails(CALLER) ? NULL : __libc_realloc(memory, size);
    if (moved != NULL && memory != NULL)
    {
        forget(memory);
    }
    return remember(moved, CALLER);
}

void* aligned_alloc(size_t alignment, size_t size)
{
    return fails(CALLER) ? NULL : remember(__libc_memalign(alignment, size), CALLER);
}

int posix_memalign(void** memory, size_t alignment, size_t size)
{
    void* found = fails(CALLER) ? NULL : remember(__libc_memalign(alignment, size), CALLER);
    *memory = found != NULL ? found : *memory;
    return found != NULL ? 0 : ENOMEM;
}

void free(void* memory)
{
    if (memory != NULL)
    {
        forget(memory);
        __libc_free(memory);
    }
}

// The decoder of libwebp 1.2.4 does not survive a failure, whatever its caller does.
int WebPDecode(const uint8_t* bytes, size_t size, void* config)
{
    int (*next)(const uint8_t*, size_t, void*);
    *(void**)&next = dlsym(RTLD_NEXT, "WebPDecode");
    is_paused = true;
    int status = next(bytes, size, config);
    is_paused = false;
    return status;
}

// In the C library it would be the C library that asks for memory, for these too.

DIR* opendir(const char* path)
{
    DIR* (*next)(const char*);
    *(void**)&next = dlsym(RTLD_NEXT, "opendir");
    return fails(CALLER) ? NULL : next(path);
}

char* strdup(const char* text)
{
    size_t size = strlen(text) + 1;
    char* copy = fails(CALLER) ? NULL : remember(__libc_malloc(size), CALLER);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}
