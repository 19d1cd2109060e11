// SPDX-License-Identifier: MIT
// The pairs of joints that meet on vertices.
#include "../base/exact.h"

#include "cor_pairs.h"

#include <string.h>

static uint32_t hash_pair(uint32_t first, uint32_t second)
{
    uint32_t hash = (first * 0x9E3779B1u ^ second) * 0x85EBCA6Bu;
    return hash ^ hash >> 15;
}

static uint32_t* find_bucket(const pelti_cor_pairs* pairs, uint32_t first, uint32_t second)
{
    for (uint32_t at = hash_pair(first, second);; ++at)
    {
        uint32_t* bucket = &pairs->buckets[at & (pairs->bucket_count - 1)];
        if (*bucket == PELT_NONE ||
            (pairs->pairs[*bucket].joints[0] == first && pairs->pairs[*bucket].joints[1] == second))
        {
            return bucket;
        }
    }
}

pelti_cor_pair* pelti_cor_pairs_find(const pelti_cor_pairs* pairs, uint32_t first, uint32_t second)
{
    uint32_t pair = *find_bucket(pairs, first, second);
    return pair != PELT_NONE ? &pairs->pairs[pair] : NULL;
}

static bool grow(pelti_cor_pairs* pairs, pelti_cor_problem* problem)
{
    uint32_t capacity = pairs->pair_capacity > 0 ? 2 * pairs->pair_capacity : 256;
    pelti_cor_pair* larger = pelti_cor_allocate(problem, capacity, sizeof *larger);
    uint32_t* buckets = pelti_cor_allocate(problem, (size_t)2 * capacity, sizeof *buckets);
    if (larger == NULL || buckets == NULL)
    {
        pelti_cor_release(problem, buckets);
        pelti_cor_release(problem, larger);
        return false;
    }
    if (pairs->pair_count > 0)
    {
        memcpy(larger, pairs->pairs, pairs->pair_count * sizeof *larger);
    }
    pelti_cor_release(problem, pairs->pairs);
    pelti_cor_release(problem, pairs->buckets);
    pairs->pairs = larger;
    pairs->pair_capacity = capacity;
    pairs->buckets = buckets;
    pairs->bucket_count = 2 * capacity;
    memset(buckets, 0xFF, pairs->bucket_count * sizeof *buckets);
    for (uint32_t i = 0; i < pairs->pair_count; ++i)
    {
        *find_bucket(pairs, larger[i].joints[0], larger[i].joints[1]) = i;
    }
    return true;
}

// Pairs of a set that has vertices.
static bool add_pairs(pelti_cor_pairs* pairs, pelti_cor_problem* problem, const uint32_t* joints,
                      const pelti_cor_set* set)
{
    for (uint32_t i = 0; i < set->joint_count; ++i)
    {
        for (uint32_t k = i + 1; k < set->joint_count; ++k)
        {
            if (pairs->pair_count == pairs->pair_capacity && !grow(pairs, problem))
            {
                return false;
            }
            uint32_t* bucket = find_bucket(pairs, joints[i], joints[k]);
            if (*bucket == PELT_NONE)
            {
                *bucket = pairs->pair_count++;
                pelti_cor_pair* pair = &pairs->pairs[*bucket];
                memset(pair, 0, sizeof *pair);
                pair->joints[0] = joints[i];
                pair->joints[1] = joints[k];
            }
            pairs->pairs[*bucket].vertex_count += set->vertex_count;
            pairs->pairs[*bucket].todo_count += set->todo_count;
            pairs->pairs[*bucket].is_shared_by_vertices |= set->joint_count > 2;
        }
    }
    return true;
}

void pelti_cor_pairs_of_set(const pelti_cor_pairs* pairs, const pelti_cor_sets* sets, uint32_t set,
                            pelti_cor_pair_visit visit, void* context)
{
    const uint32_t* joints = sets->joints + sets->sets[set].joint_first;
    uint32_t count = sets->sets[set].joint_count;
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = i + 1; k < count; ++k)
        {
            pelti_cor_pair* pair = pelti_cor_pairs_find(pairs, joints[i], joints[k]);
            if (pair != NULL)
            {
                visit(context, pair, &(pelti_cor_source){set, {i, k}});
            }
        }
    }
}

typedef struct set_counts
{
    uint32_t joint_count;
    uint32_t triangle_count;
    uint64_t sample_count;
} set_counts;

static void count_source(void* context, pelti_cor_pair* pair, const pelti_cor_source* source)
{
    (void)source;
    const set_counts* counts = context;
    pair->source_count++;
    pair->triangle_count += counts->triangle_count;
    pair->sample_count += counts->sample_count;
    pair->is_shared_by_triangles |= counts->joint_count > 2;
}

bool pelti_cor_pairs_make(pelti_cor_pairs* out, pelti_cor_problem* problem,
                          const pelti_cor_sets* sets, const uint64_t* set_samples)
{
    *out = (pelti_cor_pairs){0};
    if (!grow(out, problem))
    {
        return false;
    }
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        const pelti_cor_set* set = &sets->sets[i];
        if (set->vertex_count > 0 && !add_pairs(out, problem, sets->joints + set->joint_first, set))
        {
            return false;
        }
    }
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        const pelti_cor_set* set = &sets->sets[i];
        set_counts counts = {set->joint_count, set->triangle_count, set_samples[i]};
        if (set->triangle_count > 0)
        {
            pelti_cor_pairs_of_set(out, sets, i, count_source, &counts);
        }
    }
    return true;
}

void pelti_cor_pairs_release(pelti_cor_pairs* pairs, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, pairs->buckets);
    pelti_cor_release(problem, pairs->pairs);
}
