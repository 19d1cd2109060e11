// SPDX-License-Identifier: MIT
// The pairs of joints that meet on vertices.
#include "../base/exact.h"

#include "cor_pairs.h"

#include <float.h>
#include <string.h>

static uint32_t hash_pair(uint32_t first, uint32_t second)
{
    uint32_t hash = (first * 0x9E3779B1u ^ second) * 0x85EBCA6Bu;
    return hash ^ hash >> 15;
}

static pelti_cor_bucket* find_bucket(const pelti_cor_pairs* pairs, uint32_t first, uint32_t second)
{
    for (uint32_t at = hash_pair(first, second);; ++at)
    {
        pelti_cor_bucket* bucket = &pairs->buckets[at & (pairs->bucket_count - 1)];
        if (bucket->pair == PELT_NONE ||
            (bucket->joints[0] == first && bucket->joints[1] == second))
        {
            return bucket;
        }
    }
}

pelti_cor_pair* pelti_cor_pairs_find(const pelti_cor_pairs* pairs, uint32_t first, uint32_t second)
{
    return &pairs->pairs[find_bucket(pairs, first, second)->pair];
}

static bool grow(pelti_cor_pairs* pairs, pelti_cor_problem* problem)
{
    uint32_t capacity = pairs->pair_capacity > 0 ? 2 * pairs->pair_capacity : 256;
    pelti_cor_pair* larger = pelti_cor_allocate(problem, capacity, sizeof *larger);
    pelti_cor_bucket* buckets = pelti_cor_allocate(problem, (size_t)2 * capacity, sizeof *buckets);
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
        const uint32_t* joints = larger[i].joints;
        *find_bucket(pairs, joints[0], joints[1]) = (pelti_cor_bucket){{joints[0], joints[1]}, i};
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Bounds

// Bounds of float sums have room for their rounding.
static const float slack = 1e-5f;

static void widen(pelti_cor_extent* out, float least, float most)
{
    out->least = fminf(out->least, least);
    out->most = fmaxf(out->most, most);
}

// What two of the weights of a set can be together, when each and the sum of all lie within
// extents. The sum says most where a set has two joints: it is 1 then.
// others: the sum of the other weights
static void widen_reach(pelti_cor_reach* out, pelti_cor_extent x, pelti_cor_extent y,
                        pelti_cor_extent sum, pelti_cor_extent others)
{
    float least = fmaxf(x.least + y.least, sum.least - others.most);
    float most = fminf(x.most + y.most, sum.most - others.least);
    widen(&out->r, least - slack, most + slack);
    widen(&out->a, x.least / fmaxf(x.least + y.most, FLT_MIN),
          x.most / fmaxf(x.most + y.least, FLT_MIN));
}

static pelti_cor_extent sum_extents(const pelti_cor_extent* extents, uint32_t count)
{
    pelti_cor_extent sum = {0.0f, 0.0f};
    for (uint32_t i = 0; i < count; ++i)
    {
        sum.least += extents[i].least;
        sum.most += extents[i].most;
    }
    return sum;
}

static pelti_cor_extent without(pelti_cor_extent all, pelti_cor_extent x, pelti_cor_extent y)
{
    return (pelti_cor_extent){fmaxf(all.least - x.least - y.least, 0.0f),
                              fmaxf(all.most - x.most - y.most, 0.0f)};
}

// ---------------------------------------------------------------------------------------------

static const pelti_cor_reach nowhere = {{(float)INFINITY, 0.0f}, {(float)INFINITY, 0.0f}};

// Pairs of a set that has vertices.
static bool add_pairs(pelti_cor_pairs* pairs, pelti_cor_problem* problem,
                      const pelti_cor_sets* sets, const pelti_cor_set* set)
{
    const uint32_t* joints = sets->joints + set->joint_first;
    const pelti_cor_extent* weights = sets->vertex_weights + set->joint_first;
    const pelti_cor_extent all = sum_extents(weights, set->joint_count);
    for (uint32_t i = 0; i < set->joint_count; ++i)
    {
        for (uint32_t k = i + 1; k < set->joint_count; ++k)
        {
            if (pairs->pair_count == pairs->pair_capacity && !grow(pairs, problem))
            {
                return false;
            }
            pelti_cor_bucket* bucket = find_bucket(pairs, joints[i], joints[k]);
            if (bucket->pair == PELT_NONE)
            {
                *bucket = (pelti_cor_bucket){{joints[i], joints[k]}, pairs->pair_count++};
                pairs->pairs[bucket->pair] = (pelti_cor_pair){
                    .joints = {joints[i], joints[k]}, .vertices = nowhere, .samples = nowhere};
            }
            pelti_cor_pair* pair = &pairs->pairs[bucket->pair];
            pair->vertex_count += set->vertex_count;
            pair->todo_count += set->todo_count;
            widen_reach(&pair->vertices, weights[i], weights[k], set->vertex_sum,
                        without(all, weights[i], weights[k]));
        }
    }
    return true;
}

typedef struct sample_count
{
    const pelti_cor_pairs* pairs;
    const pelti_cor_sets* sets;
    const uint64_t* set_samples;
} sample_count;

static void count_samples(void* context, uint32_t index)
{
    const sample_count* count = context;
    const pelti_cor_sets* sets = count->sets;
    pelti_cor_pair* pair = &count->pairs->pairs[index];
    pelti_cor_common common;
    uint32_t places[2];
    pelti_cor_common_begin(&common, sets, pair->joints, 0);
    for (uint32_t s; (s = pelti_cor_common_next(&common, places)) != PELT_NONE;)
    {
        const pelti_cor_set* set = &sets->sets[s];
        const pelti_cor_extent* weights = sets->triangle_weights + set->joint_first;
        pelti_cor_extent x = weights[places[0]], y = weights[places[1]];
        pair->sample_count += count->set_samples[s];
        // Most sets have few joints, and long lists are no better bounded by their others.
        pelti_cor_extent others = set->joint_count > 2 ? (pelti_cor_extent){0.0f, (float)INFINITY}
                                                       : (pelti_cor_extent){0.0f, 0.0f};
        widen_reach(&pair->samples, x, y, set->triangle_sum, others);
    }
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
        if (sets->sets[i].vertex_count > 0 && !add_pairs(out, problem, sets, &sets->sets[i]))
        {
            return false;
        }
    }
    sample_count count = {out, sets, set_samples};
    pelt_run(out->pair_count, count_samples, &count);
    return true;
}

void pelti_cor_pairs_release(pelti_cor_pairs* pairs, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, pairs->buckets);
    pelti_cor_release(problem, pairs->pairs);
}
