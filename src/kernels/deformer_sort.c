// SPDX-License-Identifier: MIT
// The order of vertices in a deformer: by the set of joints that influence them.
#include "../base/exact.h"

#include "deformer.h"

typedef struct sort_entry
{
    uint64_t key;
    uint32_t vertex;
} sort_entry;

// Up to four joints in ascending order, 16 bits each: sets with a common start are neighbors.
typedef struct joint_key
{
    uint32_t joints[4]; // one more than the joint; 0: none
    uint32_t count;
} joint_key;

static void key_add(joint_key* inout, uint16_t joint)
{
    uint32_t at = inout->count++;
    for (; at > 0 && inout->joints[at - 1] > joint + 1u; --at)
    {
        inout->joints[at] = inout->joints[at - 1];
    }
    inout->joints[at] = joint + 1u;
}

static uint64_t key_bits(const joint_key* key)
{
    return (uint64_t)key->joints[0] << 48 | (uint64_t)key->joints[1] << 32 |
           (uint64_t)key->joints[2] << 16 | key->joints[3];
}

// The strongest joints of a vertex.
static uint64_t weight_key(const pelt_weights* weights, uint32_t v)
{
    joint_key key = {0};
    for (uint32_t i = weights->first[v]; i < weights->first[v + 1] && key.count < 4; ++i)
    {
        key_add(&key, weights->influences[i].joint);
    }
    return key_bits(&key);
}

// The joints around it, its own first; its own where weights are constant.
static uint64_t neighborhood_key(const pelt_weights* weights, const pelt_normal_factors* factors,
                                 uint32_t v)
{
    joint_key key = {0};
    if (factors->first[v] == factors->first[v + 1])
    {
        return weight_key(weights, v);
    }
    for (uint32_t i = factors->first[v]; i < factors->first[v + 1] && key.count < 4; ++i)
    {
        key_add(&key, factors->factors[i].joint);
    }
    return key_bits(&key);
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

// Into `from` or `to`: returns which.
static sort_entry* sort_keys(sort_entry* from, sort_entry* to, uint32_t count)
{
    for (uint32_t shift = 0; shift < 64 && count > 0; shift += 8)
    {
        if (sort_digit(to, from, count, shift))
        {
            sort_entry* swap = from;
            from = to;
            to = swap;
        }
    }
    return from;
}

pelt_result pelti_sort_by_joints(uint32_t* order, const pelt_weights* weights,
                                 const pelt_normal_factors* factors)
{
    uint32_t count = weights->vertex_count;
    sort_entry* entries = pelt_allocate(count, 2 * sizeof *entries);
    if (entries == NULL && count > 0)
    {
        return PELT_ERROR_MEMORY;
    }
    sort_entry* sorted = entries;
    for (uint32_t v = 0; v < count; ++v)
    {
        sorted[v] = (sort_entry){weight_key(weights, v), v};
    }
    sorted = sort_keys(sorted, entries + count, count);
    // The sort is stable: this keeps the order of own joints among vertices with the same around.
    for (uint32_t i = 0; i < count && factors != NULL; ++i)
    {
        sorted[i].key = neighborhood_key(weights, factors, sorted[i].vertex);
    }
    if (factors != NULL)
    {
        sorted = sort_keys(sorted, sorted == entries ? entries + count : entries, count);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        order[i] = sorted[i].vertex;
    }
    pelt_release(entries);
    return PELT_OK;
}
