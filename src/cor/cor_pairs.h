// SPDX-License-Identifier: MIT
// Centers of rotation, fast: the pairs of joints that meet on vertices, and how each is summed.
#ifndef PELTI_COR_PAIRS_H
#define PELTI_COR_PAIRS_H

#include "cor_kernel.h"
#include "cor_sets.h"

/// Triangles that have both joints of a pair: those of one set.
typedef struct pelti_cor_source
{
    uint32_t set;
    uint32_t places[2]; ///< of the joints in the set's list
} pelti_cor_source;

typedef struct pelti_cor_pair
{
    uint32_t joints[2];                ///< ascending
    uint32_t vertex_count, todo_count; ///< vertices with both joints, and those to do
    uint32_t source_count;
    uint32_t triangle_count;
    uint64_t sample_count;
    bool is_shared_by_vertices;  ///< some vertex has a third joint
    bool is_shared_by_triangles; ///< some triangle has a third joint
    uint32_t part_count; ///< of a tabulated pair: tables that are filled side by side; 0: a list

    // While its batch is at work:
    pelti_cor_source* sources;
    pelti_cor_list list;
    float* table;              ///< for each part, masses and room for work; see below
    _Atomic(uint32_t)* wanted; ///< nodes of the sums, rows as in pelti_cor_nodes
    double mass;
} pelti_cor_pair;

/// The masses of a part, where it works, and the sums, which take the place of the first work.
static inline float* pelti_cor_pair_masses(const pelti_cor_pair* pair, const pelti_cor_grid* grid,
                                           uint32_t part)
{
    return pair->table + (size_t)2 * part * pelti_cor_grid_size(grid);
}

static inline float* pelti_cor_pair_work(const pelti_cor_pair* pair, const pelti_cor_grid* grid,
                                         uint32_t part)
{
    return pelti_cor_pair_masses(pair, grid, part) + pelti_cor_grid_size(grid);
}

static inline float* pelti_cor_pair_sums(const pelti_cor_pair* pair, const pelti_cor_grid* grid)
{
    return pelti_cor_pair_work(pair, grid, 0);
}

typedef struct pelti_cor_pairs
{
    uint32_t pair_count, pair_capacity;
    pelti_cor_pair* pairs;
    uint32_t bucket_count; ///< power of two
    uint32_t* buckets;     ///< pairs by hash, or PELT_NONE
} pelti_cor_pairs;

/// All pairs with their counts, in an order that follows from the input alone.
/// @param set_samples  pieces of all triangles of each set
/// @return false when out of memory; release in any case
bool pelti_cor_pairs_make(pelti_cor_pairs* out, pelti_cor_problem* problem,
                          const pelti_cor_sets* sets, const uint64_t* set_samples);
void pelti_cor_pairs_release(pelti_cor_pairs* pairs, pelti_cor_problem* problem);

/// @return the pair of two joints, first < second; NULL when no vertex has both
pelti_cor_pair* pelti_cor_pairs_find(const pelti_cor_pairs* pairs, uint32_t first, uint32_t second);

/// Call visit for every pair of joints of a set that some vertex has too.
typedef void (*pelti_cor_pair_visit)(void* context, pelti_cor_pair* pair,
                                     const pelti_cor_source* source);
void pelti_cor_pairs_of_set(const pelti_cor_pairs* pairs, const pelti_cor_sets* sets, uint32_t set,
                            pelti_cor_pair_visit visit, void* context);

#endif
