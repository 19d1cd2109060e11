// SPDX-License-Identifier: MIT
// Centers of rotation, fast: the pairs of joints that meet on vertices, and how each is summed.
#ifndef PELTI_COR_PAIRS_H
#define PELTI_COR_PAIRS_H

#include "cor_kernel.h"
#include "cor_sets.h"

/// What weights on a pair of joints can be, by bounds: see pelti_cor_chart.
typedef struct pelti_cor_reach
{
    pelti_cor_extent r; ///< sum of both
    pelti_cor_extent a; ///< part of the first
} pelti_cor_reach;

typedef struct pelti_cor_pair
{
    uint32_t joints[2];                ///< ascending
    uint32_t vertex_count, todo_count; ///< vertices with both joints, and those to do
    uint64_t sample_count;
    pelti_cor_reach vertices, samples;
    pelti_cor_chart chart; ///< of a tabulated pair
    uint32_t part_count;   ///< of a tabulated pair: tables that are filled in parallel; 0: a list

    // While its batch is at work:
    pelti_cor_list list;
    float* table;          ///< for each part, masses and where they are spread; see below
    uint64_t samples_done; ///< before what is in memory
    double mass;
} pelti_cor_pair;

enum
{
    PELTI_COR_PART_TABLES = 1 + PELTI_COR_SHIFTS
};

/// The masses of a part, where they are spread to, and the sums, which replace the first
/// part's spread.
static inline float* pelti_cor_pair_masses(const pelti_cor_pair* pair, uint32_t part)
{
    return pair->table +
           (size_t)PELTI_COR_PART_TABLES * part * pelti_cor_grid_size(pair->chart.grid);
}

static inline float* pelti_cor_pair_spread(const pelti_cor_pair* pair, uint32_t part)
{
    return pelti_cor_pair_masses(pair, part) + pelti_cor_grid_size(pair->chart.grid);
}

static inline float* pelti_cor_pair_sums(const pelti_cor_pair* pair)
{
    return pelti_cor_pair_spread(pair, 0);
}

/// Pairs by hash. Joints are here, too: most lookups end without reading the pair.
typedef struct pelti_cor_bucket
{
    uint32_t joints[2];
    uint32_t pair; ///< or PELT_NONE
} pelti_cor_bucket;

typedef struct pelti_cor_pairs
{
    uint32_t pair_count, pair_capacity;
    pelti_cor_pair* pairs;
    uint32_t bucket_count; ///< power of two
    pelti_cor_bucket* buckets;
} pelti_cor_pairs;

/// All pairs with their counts, in an order that follows from the input alone.
/// @param set_samples  pieces of all triangles of each set
/// @return false when out of memory; release in any case
bool pelti_cor_pairs_make(pelti_cor_pairs* out, pelti_cor_problem* problem,
                          const pelti_cor_sets* sets, const uint64_t* set_samples);
void pelti_cor_pairs_release(pelti_cor_pairs* pairs, pelti_cor_problem* problem);

/// @return the pair of two joints of a vertex, first < second
pelti_cor_pair* pelti_cor_pairs_find(const pelti_cor_pairs* pairs, uint32_t first, uint32_t second);

#endif
