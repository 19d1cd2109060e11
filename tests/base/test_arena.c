// SPDX-License-Identifier: MIT
// Arenas: aligned, zeroed memory that is freed all at once.
#include "test.h"

#include <stdlib.h>
#include <string.h>

static bool is_aligned(const void* memory)
{
    return (uintptr_t)memory % 16 == 0;
}

static bool is_zero(const char* memory, size_t size)
{
    for (size_t i = 0; i < size; ++i)
    {
        if (memory[i] != 0)
        {
            return false;
        }
    }
    return true;
}

// Sizes around the alignment and around a block of 64 KiB. Each piece is filled with its own
// number, and all are still whole at the end: no two overlap.
static int pieces_are_aligned_zeroed_and_apart(void)
{
    static const size_t sizes[] = {1, 15, 16, 17, 100, 40000, 65519, 65520, 65536, 65537, 300000};
    enum
    {
        ROUNDS = 12,
        SIZES = sizeof sizes / sizeof sizes[0]
    };
    char* pieces[ROUNDS][SIZES];
    pelt_arena* arena = pelt_arena_create();
    ENSURE(arena != NULL);
    for (int round = 0; round < ROUNDS; ++round)
    {
        for (size_t i = 0; i < SIZES; ++i)
        {
            char* piece = pelt_arena_alloc(arena, sizes[i], 1);
            ENSURE(piece != NULL && is_aligned(piece) && is_zero(piece, sizes[i]));
            pieces[round][i] = memset(piece, round * 16 + (int)i, sizes[i]);
        }
    }
    for (int round = 0; round < ROUNDS; ++round)
    {
        for (size_t i = 0; i < SIZES; ++i)
        {
            const char* piece = pieces[round][i];
            ENSURE(piece[0] == (char)(round * 16 + (int)i));
            ENSURE(memcmp(piece, piece + 1, sizes[i] - 1) == 0);
        }
    }
    pelt_arena_destroy(arena);
    return 0;
}

// A heap whose memory is not zero.
static void* allocate_dirty(size_t size, void* user)
{
    (void)user;
    void* memory = malloc(size);
    return memory ? memset(memory, 0xa5, size) : NULL;
}

static void release_plain(void* memory, void* user)
{
    (void)user;
    free(memory);
}

static int memory_is_zeroed_whatever_the_heap_gives(void)
{
    pelt_hooks before = pelt_hooks_get();
    pelt_hooks_set(&(pelt_hooks){.allocate = allocate_dirty, .release = release_plain});
    pelt_arena* arena = pelt_arena_create();
    char* small = pelt_arena_alloc(arena, 33, 3);
    char* large = pelt_arena_alloc(arena, 100000, 3);
    bool are_zero = is_zero(small, 99) && is_zero(large, 300000);
    pelt_arena_destroy(arena);
    pelt_hooks_set(&before);
    ENSURE(are_zero);
    return 0;
}

static int nothing_is_a_valid_piece(void)
{
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_arena_alloc(arena, 0, 8) != NULL);
    ENSURE(pelt_arena_alloc(arena, 8, 0) != NULL);
    ENSURE(pelt_arena_alloc(arena, SIZE_MAX, 0) != NULL);
    pelt_arena_destroy(arena);
    pelt_arena_destroy(NULL);
    return 0;
}

static int sizes_that_overflow_are_refused(void)
{
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_arena_alloc(arena, SIZE_MAX, 2) == NULL);
    ENSURE(pelt_arena_alloc(arena, 2, SIZE_MAX) == NULL);
    ENSURE(pelt_arena_alloc(arena, SIZE_MAX, 1) == NULL);
    ENSURE(pelt_arena_alloc(arena, SIZE_MAX - 16, 1) == NULL);
    ENSURE(pelt_arena_alloc(arena, SIZE_MAX / 16 + 2, 16) == NULL);
    ENSURE(pelt_allocate(SIZE_MAX / 2, 3) == NULL);
    // The arena is none the worse for it.
    ENSURE(pelt_arena_alloc(arena, 4, 4) != NULL);
    pelt_arena_destroy(arena);
    return 0;
}

static int plain_allocation_of_nothing_succeeds(void)
{
    void* memory = pelt_allocate(0, 8);
    ENSURE(memory != NULL);
    pelt_release(memory);
    pelt_release(NULL);
    return 0;
}

static int strings_are_copied(void)
{
    pelt_arena* arena = pelt_arena_create();
    char text[] = "joint";
    char* copy = pelt_arena_string(arena, text);
    text[0] = 'p';
    ENSURE(strcmp(copy, "joint") == 0);
    ENSURE(strcmp(pelt_arena_string(arena, ""), "") == 0);
    pelt_arena_destroy(arena);
    return 0;
}

static int text_is_formatted_at_full_length(void)
{
    pelt_arena* arena = pelt_arena_create();
    ENSURE(strcmp(pelt_arena_format(arena, "%s_%03d", "bone", 7), "bone_007") == 0);
    ENSURE(strcmp(pelt_arena_format(arena, "%s", ""), "") == 0);
    // Sixteen characters and their end need more than sixteen bytes.
    char* tight = pelt_arena_format(arena, "%16d", 1);
    memset(pelt_arena_alloc(arena, 16, 1), 'x', 16);
    ENSURE(strlen(tight) == 16);
    // 70 000 characters: more than a block.
    char* padded = pelt_arena_format(arena, "%70000d", 5);
    ENSURE(padded != NULL && strlen(padded) == 70000 && padded[69999] == '5' && padded[0] == ' ');
    pelt_arena_destroy(arena);
    return 0;
}

// Blocks are larger than what is asked of them, so the facts are about sums and order.
static int arenas_share_a_budget(void)
{
    pelt_budget budget = {.left = 1 << 20};
    pelt_arena *a = pelt_arena_create(), *b = pelt_arena_create();
    pelt_arena_limit(a, &budget);
    pelt_arena_limit(b, &budget);
    ENSURE(pelt_arena_alloc(a, 600000, 1) != NULL && budget.left < (1 << 20) - 600000);
    ENSURE(pelt_arena_alloc(b, 600000, 1) == NULL && budget.is_exceeded);
    ENSURE(pelt_arena_alloc(b, 1000, 1) != NULL);
    size_t left = budget.left;
    ENSURE(!pelt_budget_charge(&budget, left + 1) && budget.left == left);
    ENSURE(pelt_budget_charge(&budget, left) && budget.left == 0);
    pelt_budget_release(&budget, left);
    ENSURE(budget.left == left);
    pelt_arena_limit(b, NULL);
    ENSURE(pelt_arena_alloc(b, 2 << 20, 1) != NULL && budget.left == left);
    pelt_arena_destroy(a);
    pelt_arena_destroy(b);
    return 0;
}

void test_arena(void)
{
    RUN(arenas_share_a_budget);
    RUN(pieces_are_aligned_zeroed_and_apart);
    RUN(memory_is_zeroed_whatever_the_heap_gives);
    RUN(nothing_is_a_valid_piece);
    RUN(sizes_that_overflow_are_refused);
    RUN(plain_allocation_of_nothing_succeeds);
    RUN(strings_are_copied);
    RUN(text_is_formatted_at_full_length);
}
