// SPDX-License-Identifier: MIT
// For LD_PRELOAD: the memory of a whole process, libraries included, in which one allocation fails.
//
//     PELT_FAIL_AT=N      the N-th allocation fails, and only it
//     PELT_FAIL_FROM=N    the N-th fails, and all after it
//     PELT_FAIL_LIBC=0    allocations inside the C library are not counted
//     PELT_FAIL_REPORT=FD  where to say that an allocation failed, and who asked for it
//     PELT_FAIL_SERVE=1   the program runs again and again, as failing_malloc.h says
//
// Counted is what the program itself, its direct libraries and the C library ask for. A driver of
// OpenGL asks hundreds of thousands of times, and what it does about a failure is its own business.
#define _GNU_SOURCE

#include "failing_malloc.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// What the functions below stand in front of.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

enum
{
    RANGE_MAX = 64
};

static struct
{
    const char* object;
    uintptr_t base, begin, end;
} ranges[RANGE_MAX];
static size_t range_count;
static unsigned long fail_at, fail_from;
static atomic_ulong asked;
static int report = -1;
static _Thread_local bool is_paused;

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
    return object[0] == '\0' || strncmp(object, "libpelt", 7) == 0 ||
           (has_libc && strncmp(object, "libc.", 5) == 0);
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

static bool fails(const void* caller)
{
    uintptr_t address = (uintptr_t)caller;
    size_t i = 0;
    while (i < range_count && !(address >= ranges[i].begin && address < ranges[i].end))
    {
        ++i;
    }
    if (i == range_count || is_paused)
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
        char text[128];
        int size = snprintf(text, sizeof text, "%s+0x%lx",
                            ranges[i].object[0] != '\0' ? ranges[i].object : "pelt",
                            (unsigned long)(address - ranges[i].base));
        (void)!write(report, text, (size_t)size);
    }
    errno = ENOMEM;
    return true;
}

#define CALLER __builtin_return_address(0)

void* malloc(size_t size)
{
    return fails(CALLER) ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    return fails(CALLER) ? NULL : __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size)
{
    return fails(CALLER) ? NULL : __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
    return fails(CALLER) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size)
{
    void* found = fails(CALLER) ? NULL : __libc_memalign(alignment, size);
    *memory = found != NULL ? found : *memory;
    return found != NULL ? 0 : ENOMEM;
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
    char* copy = fails(CALLER) ? NULL : __libc_malloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}
