// SPDX-License-Identifier: MIT
#include "failing_heap.h"

#include <stdlib.h>

void* failing_heap_allocate(size_t size, void* user)
{
    counting_heap* heap = user;
    uint32_t number = atomic_fetch_add(&heap->asked, 1) + 1;
    if (heap->kind == HEAP_FAIL_ONCE ? number == heap->fail_at : number >= heap->fail_at)
    {
        return NULL;
    }
    atomic_fetch_add(&heap->live, 1);
    return malloc(size);
}

void failing_heap_release(void* memory, void* user)
{
    counting_heap* heap = user;
    atomic_fetch_sub(&heap->live, 1);
    free(memory);
}

/// @param is_past  set when there are fewer than n allocations, so that none fails
/// @return 0 when the result is as expected
static int check_failure(bool* is_past, failing_heap_attempt what, const void* context,
                         failing_heap_failure kind, uint32_t n)
{
    counting_heap heap = {.kind = kind, .fail_at = n};
    pelt_hooks before = pelt_hooks_get(), hooks = before;
    hooks.allocate = failing_heap_allocate;
    hooks.release = failing_heap_release;
    hooks.memory_user = &heap;
    hooks.run = NULL;
    pelt_hooks_set(&hooks);
    pelt_result result = what(context);
    pelt_hooks_set(&before);

    *is_past = atomic_load(&heap.asked) < n;
    ENSURE(atomic_load(&heap.live) == 0);
    ENSURE(result == (*is_past ? PELT_OK : PELT_ERROR_MEMORY));
    ENSURE(!*is_past || n > 1); // an attempt that allocates nothing tests nothing
    return 0;
}

int failing_heap_check(failing_heap_attempt what, const void* context, uint32_t dense)
{
    for (int kind = HEAP_FAIL_ONCE; kind <= HEAP_FAIL_FROM_THEN; ++kind)
    {
        bool is_past = false;
        for (uint32_t n = 1; !is_past; n += n < dense ? 1 : n)
        {
            ENSURE(check_failure(&is_past, what, context, (failing_heap_failure)kind, n) == 0);
        }
    }
    return 0;
}
