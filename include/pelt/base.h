// SPDX-License-Identifier: MIT
// What every part of pelt uses: results and errors, hooks, threads, memory. pelt.h includes it.
#ifndef PELT_BASE_H
#define PELT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef PELT_API
#if defined(_WIN32) && defined(PELT_SHARED)
#ifdef PELT_BUILD
#define PELT_API __declspec(dllexport)
#else
#define PELT_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define PELT_API __attribute__((visibility("default")))
#else
#define PELT_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PELT_VERSION_MAJOR 0
#define PELT_VERSION_MINOR 1
#define PELT_VERSION_PATCH 0
#define PELT_VERSION_STRING "0.1.0"

/// The version of the library that runs, which may be another than that of the headers where it is
/// loaded at run time: "0.1.0".
PELT_API const char* pelt_version(void);

/// Lets compilers check the arguments of functions that take a printf format. gcc's printf() on
/// Windows is the system's, which has no %zu; pelt formats by that of C99.
#if defined(__MINGW32__) && !defined(__clang__)
#define PELT_PRINTF(format_index, first_argument)                                                  \
    __attribute__((format(gnu_printf, format_index, first_argument)))
#elif defined(__GNUC__)
#define PELT_PRINTF(format_index, first_argument)                                                  \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define PELT_PRINTF(format_index, first_argument)
#endif

/// "No such thing" where an index is expected.
#define PELT_NONE UINT32_MAX

// =============================================================================================
// Results and errors
//
// Data that comes from outside is checked and answered with a pelt_result; where a sentence
// helps, a pelt_error carries it. A broken contract (a null pointer, a range past the end) is a
// bug in the calling program and goes to the assert hook. pelt never exits, prints or jumps.

typedef enum pelt_result
{
    PELT_OK = 0,
    PELT_ERROR_MEMORY,      ///< an allocation failed; nothing was changed
    PELT_ERROR_ARGUMENT,    ///< a name or number that was asked for does not exist
    PELT_ERROR_DATA,        ///< the content of a file or scene is not valid
    PELT_ERROR_UNSUPPORTED, ///< valid, but not handled in this build
    PELT_ERROR_READ,        ///< a file cannot be opened or read
    PELT_ERROR_WRITE,       ///< a file cannot be written
    PELT_ERROR_CANCELED,    ///< by the caller
} pelt_result;

/// "ok", "memory", "argument" ... for logs and bindings; "unknown" for other numbers.
PELT_API const char* pelt_result_name(pelt_result result);

/// One sentence for a person: what is wrong, where, and what to do.
typedef struct pelt_error
{
    char message[512];
} pelt_error;

/// Fill in a sentence; error may be NULL. For code that extends pelt.
/// @return code, so that `return pelt_error_set(error, PELT_ERROR_DATA, ...)` reads well
PELT_API pelt_result pelt_error_set(pelt_error* error, pelt_result code, const char* format, ...)
    PELT_PRINTF(3, 4);

/// The sentence and result of a failed allocation.
PELT_API pelt_result pelt_error_memory(pelt_error* error);

// =============================================================================================
// Hooks
//
// Set them once, before anything else, and never while another thread uses pelt. By default pelt
// uses malloc, reports broken contracts on stderr and aborts, logs nothing, and runs on the calling
// thread.

/// Run task(context, i) for every i below count, in any order, on any threads, and return when
/// all are done. A task may run a loop itself, which a host may then run on the calling thread.
typedef void (*pelt_task)(void* context, uint32_t index);

typedef enum pelt_log_level
{
    PELT_LOG_INFO,
    PELT_LOG_WARNING,
} pelt_log_level;

typedef struct pelt_hooks
{
    /// Memory: `allocate` returns NULL on failure and is aligned as malloc is. Both or neither.
    void* (*allocate)(size_t size, void* user);
    void (*release)(void* memory, void* user);
    void* memory_user; ///< handed to both

    /// A broken contract. When it returns, the function goes on at its own risk.
    void (*assert_failed)(const char* condition, const char* file, int line, void* user);
    void* assert_user;

    /// Messages for a person; NULL: none.
    void (*log)(pelt_log_level level, const char* message, void* user);
    void* log_user;

    /// libpelt_io has opened a file for reading, by the path that was asked for; NULL: nothing to
    /// do. For lists of dependencies. Any thread may call, also several at a time.
    void (*opened)(const char* path, void* user);
    void* opened_user;

    /// Parallel loops; NULL: a plain loop. See pelt_task for the contract.
    void (*run)(uint32_t count, pelt_task task, void* context, void* user);
    void* run_user;
} pelt_hooks;

/// Replace the hooks; {0} restores the defaults.
PELT_API void pelt_hooks_set(const pelt_hooks* hooks);
PELT_API pelt_hooks pelt_hooks_get(void);

PELT_API void* pelt_allocate(size_t count, size_t size); ///< NULL on failure or overflow
PELT_API void pelt_release(void* memory);                ///< NULL is allowed
PELT_API void pelt_log(pelt_log_level level, const char* format, ...) PELT_PRINTF(2, 3);
PELT_API void pelt_assert_failed(const char* condition, const char* file, int line);

#ifndef PELT_ASSERT
#define PELT_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : pelt_assert_failed(#condition, __FILE__, __LINE__))
#endif

/// Return the pelt_result of a call from the enclosing function, unless it is PELT_OK. For
/// functions that have nothing to release at that point.
#define PELT_TRY(call)                                                                             \
    do                                                                                             \
    {                                                                                              \
        pelt_result pelt_try_result_ = (call);                                                     \
        if (pelt_try_result_ != PELT_OK)                                                           \
            return pelt_try_result_;                                                               \
    } while (0)

/// Assign the pelt_result of a call to `result` and go to `label`, which releases what the function
/// owns, unless it is PELT_OK.
#define PELT_TRY_OR(label, result, call)                                                           \
    do                                                                                             \
    {                                                                                              \
        (result) = (call);                                                                         \
        if ((result) != PELT_OK)                                                                   \
            goto label;                                                                            \
    } while (0)

/// Run a loop through the `run` hook.
PELT_API void pelt_run(uint32_t count, pelt_task task, void* context);

/// A small thread pool, for programs that have none of their own:
///
///     pelt_pool* pool = pelt_pool_create(0);
///     pelt_hooks hooks = {.run = pelt_pool_run, .run_user = pool};
///     pelt_hooks_set(&hooks);
///
/// It runs one loop at a time; a loop started inside a task runs on the calling thread.
typedef struct pelt_pool pelt_pool;

/// @param thread_count  threads that work on a loop, the calling one included; 0: one per core
/// @return NULL when out of memory; fewer threads when the system gives no more
PELT_API pelt_pool* pelt_pool_create(uint32_t thread_count);
PELT_API void pelt_pool_destroy(pelt_pool* pool);
PELT_API uint32_t pelt_pool_thread_count(const pelt_pool* pool);
PELT_API void pelt_pool_run(uint32_t count, pelt_task task, void* context, void* pool);

/// Part of an array: elements first to first + count - 1.
typedef struct pelt_range
{
    uint32_t first, count;
} pelt_range;

// =============================================================================================
// Arenas

/// Memory that is freed all at once.
typedef struct pelt_arena pelt_arena;

PELT_API pelt_arena* pelt_arena_create(void);
PELT_API void pelt_arena_destroy(pelt_arena* arena);

/// Zeroed memory for count elements of size bytes, aligned to 16.
/// @return NULL on failure; count 0 gives a valid pointer
PELT_API void* pelt_arena_alloc(pelt_arena* arena, size_t count, size_t size);
PELT_API char* pelt_arena_string(pelt_arena* arena, const char* text);
PELT_API char* pelt_arena_format(pelt_arena* arena, const char* format, ...) PELT_PRINTF(2, 3);

/// Bytes that may still be used, by arenas and whatever else is charged to it.
typedef struct pelt_budget
{
    size_t left;
    bool is_exceeded; ///< something was asked for that did not fit
} pelt_budget;

/// Charge the memory that an arena takes from now on to a budget, which several may share. What
/// does not fit fails as if memory had run out. The budget must outlive the arena or the next call.
/// @param budget  NULL: no limit any more
PELT_API void pelt_arena_limit(pelt_arena* arena, pelt_budget* budget);

/// Charge something else. @return false: it does not fit, and nothing was charged
PELT_API bool pelt_budget_charge(pelt_budget* budget, size_t size);
PELT_API void pelt_budget_release(pelt_budget* budget, size_t size);

#ifdef __cplusplus
}
#endif

#endif
