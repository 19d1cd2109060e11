// SPDX-License-Identifier: MIT
// What a host may replace: memory, the reaction to broken contracts, log, parallel loops. Also the
// sentences of errors.
#define __USE_MINGW_ANSI_STDIO 1 // %zu on Windows, in whatever mode the compiler is

#include "../../include/pelt/pelt.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static pelt_hooks current;

void pelt_hooks_set(const pelt_hooks* hooks)
{
    PELT_ASSERT((hooks->allocate == NULL) == (hooks->release == NULL));
    current = *hooks;
}

pelt_hooks pelt_hooks_get(void)
{
    return current;
}

void* pelt_allocate(size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size)
    {
        return NULL;
    }
    // malloc(0) may return NULL, which would look like a failure.
    size_t bytes = count * size > 0 ? count * size : 1;
    return current.allocate ? current.allocate(bytes, current.memory_user) : malloc(bytes);
}

void pelt_release(void* memory)
{
    if (memory == NULL)
    {
        return;
    }
    if (current.release)
    {
        current.release(memory, current.memory_user);
        return;
    }
    free(memory);
}

void pelt_log(pelt_log_level level, const char* format, ...)
{
    if (current.log == NULL)
    {
        return;
    }
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    current.log(level, message, current.log_user);
}

void pelt_assert_failed(const char* condition, const char* file, int line)
{
    if (current.assert_failed)
    {
        current.assert_failed(condition, file, line, current.assert_user);
        return;
    }
    fprintf(stderr, "%s:%d: pelt was called against its contract: %s\n", file, line, condition);
    abort();
}

void pelt_run(uint32_t count, pelt_task task, void* context)
{
    if (current.run && count > 1)
    {
        current.run(count, task, context, current.run_user);
        return;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        task(context, i);
    }
}

pelt_result pelt_error_set(pelt_error* error, pelt_result code, const char* format, ...)
{
    if (error != NULL)
    {
        va_list list;
        va_start(list, format);
        vsnprintf(error->message, sizeof error->message, format, list);
        va_end(list);
    }
    return code;
}

const char* pelt_version(void)
{
    return PELT_VERSION_STRING;
}

const char* pelt_result_name(pelt_result result)
{
    static const char* const names[] = {
        [PELT_OK] = "ok",
        [PELT_ERROR_MEMORY] = "memory",
        [PELT_ERROR_ARGUMENT] = "argument",
        [PELT_ERROR_DATA] = "data",
        [PELT_ERROR_UNSUPPORTED] = "unsupported",
        [PELT_ERROR_READ] = "read",
        [PELT_ERROR_WRITE] = "write",
        [PELT_ERROR_CANCELED] = "canceled",
    };
    return (uint32_t)result < sizeof names / sizeof *names ? names[result] : "unknown";
}

pelt_result pelt_error_memory(pelt_error* error)
{
    return pelt_error_set(error, PELT_ERROR_MEMORY, "out of memory");
}
