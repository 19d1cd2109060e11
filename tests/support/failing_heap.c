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

int failing_heap_check(failing_heap_attempt what, const void* context, failing_heap_failure kind,
                       uint32_t dense)
{
    for (uint32_t n = 1;; n += n < dense ? 1 : n)
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

        ENSURE(atomic_load(&heap.live) == 0);
        if (atomic_load(&heap.asked) < n)
        {
            ENSURE(result == PELT_OK);
            return n > 1 ? 0 : 1; // an attempt that allocates nothing tests nothing
        }
        ENSURE(result == PELT_ERROR_MEMORY);
    }
}
