// SPDX-License-Identifier: MIT
#define _GNU_SOURCE

#include "memory_use.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

void memory_use_prepare(void)
{
#if defined(__GLIBC__)
    // By itself glibc raises this limit to the largest block that was freed, up to 32 MB, and takes
    // meshes and pictures from the same heap as everything else from then on.
    const int limit = 256 * 1024;
    mallopt(M_MMAP_THRESHOLD, limit);
    mallopt(M_TRIM_THRESHOLD, limit);
#endif
}

void memory_use_trim(void)
{
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

static uint64_t find_resident(void)
{
    unsigned long long pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file != NULL)
    {
        int count = fscanf(file, "%*u %llu", &pages);
        pages = count == 1 ? pages : 0;
        fclose(file);
    }
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint32_t memory_use_gl_objects(void)
{
    const GLuint most = 4096; // drivers give the lowest free name
    uint32_t count = 0;
    for (GLuint name = 1; name <= most; ++name)
    {
        count += glIsBuffer(name) ? 1u : 0u;
        count += glIsVertexArray(name) ? 1u : 0u;
        count += glIsTexture(name) ? 1u : 0u;
        count += glIsRenderbuffer(name) ? 1u : 0u;
        count += glIsFramebuffer(name) ? 1u : 0u;
    }
    return count;
}

memory_use memory_use_now(void)
{
    memory_use out = {.resident = find_resident()};
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 heap = mallinfo2();
    out.heap = heap.uordblks + heap.hblkhd;
#endif
    return out;
}
