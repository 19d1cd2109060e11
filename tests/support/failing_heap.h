// SPDX-License-Identifier: MIT
// Memory that fails on purpose, and counts what is not given back.
#ifndef PELT_FAILING_HEAP_H
#define PELT_FAILING_HEAP_H

#include "test.h"

#include <stdatomic.h>

typedef enum failing_heap_failure
{
    HEAP_FAIL_ONCE,      ///< the n-th allocation alone
    HEAP_FAIL_FROM_THEN, ///< the n-th and all after it
} failing_heap_failure;

typedef struct counting_heap
{
    failing_heap_failure kind;
    uint32_t fail_at;
    atomic_uint asked, live;
} counting_heap;

/// Hooks for pelt_hooks, with a counting_heap as user.
void* failing_heap_allocate(size_t size, void* user);
void failing_heap_release(void* memory, void* user);

/// Does something that needs memory, and gives all of it back.
typedef pelt_result (*failing_heap_attempt)(const void* context);

/// For n = 1, 2 ... the n-th allocation fails: the answer is PELT_ERROR_MEMORY and nothing leaks,
/// until n is past the last and all is well. From `dense` on n doubles, for what takes long.
/// @return 0 when that holds
int failing_heap_check(failing_heap_attempt what, const void* context, failing_heap_failure kind,
                       uint32_t dense);

/// The same with both kinds of failure in turn, for what takes long; or each with every n, which
/// PELT_SWEEP=full asks for.
int failing_heap_check_kinds(failing_heap_attempt what, const void* context, uint32_t dense);

#endif
