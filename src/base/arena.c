// SPDX-License-Identifier: MIT
// Memory that is freed all at once: blocks in a list, filled from the front.
#define __USE_MINGW_ANSI_STDIO 1 // %zu on Windows, in whatever mode the compiler is

#include "../../include/pelt/pelt.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
    ALIGNMENT = 16,
    BLOCK_SIZE = 64 * 1024
};

typedef struct block
{
    struct block* previous;
    char* next; // aligned; a host's allocator need not align its blocks that far
    size_t free_size;
} block;

struct pelt_arena
{
    block* newest;
    pelt_budget* budget; // NULL: no limit
};

pelt_arena* pelt_arena_create(void)
{
    pelt_arena* arena = pelt_allocate(1, sizeof *arena);
    if (arena != NULL)
    {
        *arena = (pelt_arena){0};
    }
    return arena;
}

void pelt_arena_destroy(pelt_arena* arena)
{
    if (arena == NULL)
    {
        return;
    }
    for (block* b = arena->newest; b != NULL;)
    {
        block* previous = b->previous;
        pelt_release(b);
        b = previous;
    }
    pelt_release(arena);
}

void pelt_arena_limit(pelt_arena* arena, pelt_budget* budget)
{
    PELT_ASSERT(arena != NULL);
    arena->budget = budget;
}

bool pelt_budget_charge(pelt_budget* budget, size_t size)
{
    if (size > budget->left)
    {
        budget->is_exceeded = true;
        return false;
    }
    budget->left -= size;
    return true;
}

void pelt_budget_release(pelt_budget* budget, size_t size)
{
    budget->left += size;
}

static bool add_block(pelt_arena* arena, size_t size)
{
    size_t capacity = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    if (capacity > SIZE_MAX - sizeof(block) - ALIGNMENT)
    {
        return false;
    }
    size_t whole = sizeof(block) + ALIGNMENT + capacity;
    if (arena->budget != NULL && !pelt_budget_charge(arena->budget, whole))
    {
        return false;
    }
    block* b = pelt_allocate(1, whole);
    if (b == NULL)
    {
        return false;
    }
    uintptr_t past_header = (uintptr_t)(b + 1);
    size_t padding = (ALIGNMENT - past_header % ALIGNMENT) % ALIGNMENT;
    *b =
        (block){.previous = arena->newest, .next = (char*)(b + 1) + padding, .free_size = capacity};
    arena->newest = b;
    return true;
}

void* pelt_arena_alloc(pelt_arena* arena, size_t count, size_t size)
{
    PELT_ASSERT(arena != NULL);
    if (size > 0 && count > (SIZE_MAX - ALIGNMENT) / size)
    {
        return NULL;
    }
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    block* b = arena->newest;
    if (b == NULL || bytes > b->free_size)
    {
        if (!add_block(arena, bytes))
        {
            return NULL;
        }
        b = arena->newest;
    }
    char* memory = b->next;
    b->next += bytes;
    b->free_size -= bytes;
    return memset(memory, 0, bytes);
}

char* pelt_arena_string(pelt_arena* arena, const char* text)
{
    size_t size = strlen(text) + 1;
    char* copy = pelt_arena_alloc(arena, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

char* pelt_arena_format(pelt_arena* arena, const char* format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);

    char* text = length < 0 ? NULL : pelt_arena_alloc(arena, (size_t)length + 1, 1);
    if (text != NULL)
    {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text;
}
