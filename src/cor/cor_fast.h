// SPDX-License-Identifier: MIT
// The fast solver of centers of rotation, private: what its parts share.
#ifndef PELTI_COR_FAST_H
#define PELTI_COR_FAST_H

#include "cor_pairs.h"
#include "cor_pieces.h"

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
    double trusted;  ///< a mass that is too large for errors to show
} pelti_cor_sums;

typedef struct pelti_cor_fast_state
{
    pelti_cor_problem* problem;
    const pelti_cor_kernels* kernels;
    pelti_cor_sets sets;
    pelti_cor_pairs pairs;
    pelti_cor_pieces pieces;
    pelti_cor_store store;
    uint32_t* piece_counts; ///< NULL: triangles are taken whole
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

/// Choose list or tables for every pair, and say how much work lies ahead.
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

// Tasks of pelt_run(), with a state for context

/// Bring the pieces in memory into lists and tables: one of state->tasks.
void pelti_cor_fast_gather(void* state, uint32_t task);

/// From masses to sums: the pair of a task, if it is the pair's first.
void pelti_cor_fast_finish(void* state, uint32_t task);

/// Do those vertices by the definition whose sums in float say too little.
/// @return false when out of memory
bool pelti_cor_fast_exact(pelti_cor_fast_state* state);

#endif
