// SPDX-License-Identifier: MIT
// An allocator that fails on purpose and counts the blocks that are not released.
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
    atomic_uint asked, live; ///< allocations so far, and blocks that are not released
} counting_heap;

/// Members of pelt_hooks, with a counting_heap as user.
void* failing_heap_allocate(size_t size, void* user);
void failing_heap_release(void* memory, void* user);

/// Does something that needs memory, and releases all of it.
typedef pelt_result (*failing_heap_attempt)(const void* context);

/// For n = 1, 2 ... the n-th allocation fails, alone and then with all that follow it: the result
/// is PELT_ERROR_MEMORY and nothing leaks, until n is past the last allocation and the result is
/// PELT_OK. From `dense` on n doubles, for attempts that take long.
/// @return 0 when that holds
int failing_heap_check(failing_heap_attempt what, const void* context, uint32_t dense);

#endif
