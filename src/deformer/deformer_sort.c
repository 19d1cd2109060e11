// SPDX-License-Identifier: MIT
// The order of vertices in a deformer: by the set of joints that pull on them.
#include "../base/exact.h"

#include "deformer.h"

typedef struct sort_entry
{
    uint64_t key;
    uint32_t vertex;
} sort_entry;

// The four strongest joints in ascending order, 16 bits each: sets that begin alike are neighbors.
static uint64_t key_of(const pelt_influence* influences, uint32_t count)
{
    uint32_t joints[4] = {0}; // one more than the joint; 0: none
    for (uint32_t i = 0; i < count && i < 4; ++i)
    {
        uint32_t at = i, joint = influences[i].joint + 1u;
        for (; at > 0 && joints[at - 1] > joint; --at)
        {
            joints[at] = joints[at - 1];
        }
        joints[at] = joint;
    }
    return (uint64_t)joints[0] << 48 | (uint64_t)joints[1] << 32 | (uint64_t)joints[2] << 16 |
           joints[3];
}

// One pass of a stable radix sort. False: all entries have the same digit, and nothing was written.
static bool sort_digit(sort_entry* out, const sort_entry* in, uint32_t count, uint32_t shift)
{
    uint32_t starts[256] = {0};
    for (uint32_t i = 0; i < count; ++i)
    {
        ++starts[in[i].key >> shift & 255];
    }
    if (starts[in[0].key >> shift & 255] == count)
    {
        return false;
    }
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < 256; ++digit)
    {
        uint32_t own = starts[digit];
        starts[digit] = sum;
        sum += own;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        out[starts[in[i].key >> shift & 255]++] = in[i];
    }
    return true;
}

pelt_result pelti_sort_by_joints(uint32_t* order, const pelt_weights* weights)
{
    uint32_t count = weights->vertex_count;
    sort_entry* entries = pelt_allocate(count, 2 * sizeof *entries);
    if (entries == NULL && count > 0)
    {
        return PELT_ERROR_MEMORY;
    }
    sort_entry *from = entries, *to = entries + count;
    for (uint32_t v = 0; v < count; ++v)
    {
        uint32_t first = weights->first[v];
        from[v].key = key_of(weights->influences + first, weights->first[v + 1] - first);
        from[v].vertex = v;
    }
    for (uint32_t shift = 0; shift < 64 && count > 0; shift += 8)
    {
        if (sort_digit(to, from, count, shift))
        {
            sort_entry* swap = from;
            from = to;
            to = swap;
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        order[i] = from[i].vertex;
    }
    pelt_release(entries);
    return PELT_OK;
}
