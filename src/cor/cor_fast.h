// SPDX-License-Identifier: MIT
// The fast solver of centers of rotation, private: what its parts share.
#ifndef PELTI_COR_FAST_H
#define PELTI_COR_FAST_H

#include "cor_kernel.h"
#include "cor_pieces.h"
#include "cor_sets.h"

// ---------------------------------------------------------------------------------------------
// The pairs of joints that meet on vertices, and how each is summed

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

/// Pairs by hash. The table has their joints too: most lookups end without reading the pair.
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

/// All pairs with their counts, in an order that depends on the input alone.
/// @param set_samples  pieces of all triangles of each set
/// @return false when out of memory; release in any case
bool pelti_cor_pairs_make(pelti_cor_pairs* out, pelti_cor_problem* problem,
                          const pelti_cor_sets* sets, const uint64_t* set_samples);
void pelti_cor_pairs_release(pelti_cor_pairs* pairs, pelti_cor_problem* problem);

/// @return the pair of two joints of a vertex, first < second
pelti_cor_pair* pelti_cor_pairs_find(const pelti_cor_pairs* pairs, uint32_t first, uint32_t second);

// ---------------------------------------------------------------------------------------------
// The solver

/// Fill the list of a pair, or one of its tables.
typedef struct pelti_cor_task
{
    pelti_cor_pair* pair;
    uint32_t part;      ///< which table
    uint32_t recent;    ///< pieces that were spread since masses were collected
    size_t list_count;  ///< pieces that are in the list
    uint64_t run_count; ///< pieces of the pair that were in memory
    double mass;        ///< that was filled in
} pelti_cor_task;

/// Sums of a vertex.
typedef struct pelti_cor_sums
{
    double parts[4]; ///< x y z mass
    double trusted;  ///< a mass so large that errors are not visible
} pelti_cor_sums;

typedef struct pelti_cor_fast_state
{
    pelti_cor_problem* problem;
    const pelti_cor_kernels* kernels;
    pelti_cor_sets sets;
    pelti_cor_pairs pairs;
    pelti_cor_pieces pieces;
    pelti_cor_store store;
    uint32_t* piece_counts; ///< NULL: triangles are not divided
    uint64_t* set_samples;  ///< pieces of all triangles of each set
    pelti_cor_grid grids[PELTI_COR_GRIDS];
    pelti_cor_sums* sums; ///< of each of sets.todo

    // The batch at work:
    pelt_range batch; ///< of pairs
    float* numbers_memory;
    float* numbers;            ///< of lists and tables, aligned to registers
    _Atomic(uint64_t)* wanted; ///< for each pair, rows of its sums that vertices read
    pelti_cor_task* tasks;
    uint32_t task_count;
} pelti_cor_fast_state;

// cor_fast_plan.c

/// Count the pieces of triangles, and choose an origin and scale near them.
bool pelti_cor_fast_pieces(pelti_cor_fast_state* state);

/// Choose list or tables for every pair, and estimate the work.
void pelti_cor_fast_plan(pelti_cor_fast_state* state);

/// The next pairs that fit into memory together.
pelt_range pelti_cor_fast_batch(const pelti_cor_fast_state* state, uint32_t first);

/// Floats that the list or the tables of a pair take.
size_t pelti_cor_fast_floats(const pelti_cor_pair* pair);

/// Length of the planes of a list.
size_t pelti_cor_fast_stride(const pelti_cor_pair* pair);

/// Work for one vertex with a list, or for all of a pair with tables, in steps.
uint64_t pelti_cor_fast_list_steps(const pelti_cor_pair* pair);
uint64_t pelti_cor_fast_table_steps(const pelti_cor_pair* pair);

// Tasks of pelt_run(), with a state as context.

/// Add the pieces in memory to lists and tables: one of state->tasks.
void pelti_cor_fast_gather(void* state, uint32_t task);

/// Convert masses to sums: the pair of a task, if the task is the first of its pair.
void pelti_cor_fast_finish(void* state, uint32_t task);

/// Solve the vertices whose sums in float are too inaccurate by the definition.
/// @return false when out of memory
bool pelti_cor_fast_exact(pelti_cor_fast_state* state);

#endif
