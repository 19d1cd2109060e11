// SPDX-License-Identifier: MIT
// A hash table with edges as keys: open addressing, at most half full.
#include "../base/exact.h"

#include "cor_paper.h"

// Ends in ascending order. Those of an empty slot are equal, which no edge's are.
typedef struct pelti_cor_edge
{
    uint32_t ends[2];
    uint32_t value;
} pelti_cor_edge;

enum
{
    FIRST_SLOTS = 1024
};

// The slot of an edge, or the empty one where it belongs.
static pelti_cor_edge* find(const pelti_cor_edges* edges, uint32_t low, uint32_t high)
{
    // Fibonacci hashing: the upper half of the product is well mixed, and the odd constant
    // (2^64 over the golden ratio) spreads edges of neighboring vertices.
    uint64_t key = ((uint64_t)high << 32 | low) * 0x9e3779b97f4a7c15u;
    size_t mask = edges->slot_count - 1;
    for (size_t i = (size_t)(key >> 32 ^ key >> 15) & mask;; i = (i + 1) & mask)
    {
        pelti_cor_edge* slot = &edges->slots[i];
        if ((slot->ends[0] == low && slot->ends[1] == high) || slot->ends[0] == slot->ends[1])
        {
            return slot;
        }
    }
}

static bool grow(pelti_cor_edges* edges, pelti_cor_problem* problem)
{
    pelti_cor_edges larger = {.slot_count = FIRST_SLOTS, .count = edges->count};
    if (edges->slot_count > 0)
    {
        larger.slot_count = 2 * edges->slot_count;
    }
    larger.slots = pelti_cor_allocate(problem, larger.slot_count, sizeof *larger.slots);
    if (larger.slots == NULL)
    {
        return false;
    }
    for (size_t i = 0; i < larger.slot_count; ++i)
    {
        larger.slots[i] = (pelti_cor_edge){0};
    }
    for (size_t i = 0; i < edges->slot_count; ++i)
    {
        const pelti_cor_edge* old = &edges->slots[i];
        if (old->ends[0] != old->ends[1])
        {
            *find(&larger, old->ends[0], old->ends[1]) = *old;
        }
    }
    pelti_cor_edges_release(edges, problem);
    *edges = larger;
    return true;
}

uint32_t* pelti_cor_edges_at(pelti_cor_edges* edges, pelti_cor_problem* problem, uint32_t a,
                             uint32_t b)
{
    if (2 * edges->count >= edges->slot_count && !grow(edges, problem))
    {
        return NULL;
    }
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    pelti_cor_edge* slot = find(edges, low, high);
    if (slot->ends[0] == slot->ends[1])
    {
        *slot = (pelti_cor_edge){{low, high}, PELT_NONE};
        edges->count++;
    }
    return &slot->value;
}

void pelti_cor_edges_release(pelti_cor_edges* edges, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, edges->slots);
    *edges = (pelti_cor_edges){0};
}
