// SPDX-License-Identifier: MIT
// The fast solver of centers of rotation, private: what its parts share.
#ifndef PELTI_COR_FAST_H
#define PELTI_COR_FAST_H

#include "cor_pairs.h"
#include "cor_sample.h"

enum
{
    PELTI_COR_SAMPLES = 128, ///< that are on the stack at a time
};

/// Fill the list of a pair, or one of its tables.
typedef struct pelti_cor_task
{
    pelti_cor_pair* pair;
    uint32_t part;          ///< which table
    pelti_cor_nodes filled; ///< of the table
    double mass;            ///< that was filled in
} pelti_cor_task;

typedef struct pelti_cor_fast_state
{
    pelti_cor_problem* problem;
    const pelti_cor_kernels* kernels;
    pelti_cor_sets sets;
    pelti_cor_pairs pairs;
    pelti_cor_pieces pieces;
    uint32_t* piece_counts; ///< NULL: triangles are taken whole
    uint64_t* set_samples;  ///< pieces of all triangles of each set
    pelti_cor_grid grid;
    bool has_grid;
    double area_scale; ///< brings areas near 1, far from what float cannot hold
    double (*sums)[4]; ///< of each vertex to do: x y z mass

    // The batch at work:
    pelt_range batch; ///< of pairs
    pelti_cor_source* sources;
    float* numbers; ///< of lists and tables
    _Atomic(uint32_t)* wanted;
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
size_t pelti_cor_fast_floats(const pelti_cor_fast_state* state, const pelti_cor_pair* pair);

/// Length of the planes of a list.
size_t pelti_cor_fast_stride(const pelti_cor_pair* pair);

/// Work for one vertex with a list, or one of the tasks of a pair with tables, in steps.
uint64_t pelti_cor_fast_list_steps(const pelti_cor_pair* pair);
uint64_t pelti_cor_fast_table_steps(const pelti_cor_fast_state* state, const pelti_cor_pair* pair);

// cor_fast_gather.c: tasks of pelt_run(), with a state for context

/// Bring the pieces of triangles into lists and tables: one of state->tasks.
void pelti_cor_fast_gather(void* state, uint32_t task);

/// From masses to sums: the pair of a task, if it is the pair's first.
void pelti_cor_fast_finish(void* state, uint32_t task);

// cor_fast_exact.c

/// Do those vertices by the definition whose sums in float say too little.
/// @return false when out of memory
bool pelti_cor_fast_exact(pelti_cor_fast_state* state);

// cor_fast.c

/// Call visit for every pair of joints of a vertex, with its weights on them.
typedef void (*pelti_cor_vertex_visit)(void* context, pelti_cor_pair* pair, float x, float y);
void pelti_cor_fast_pairs_of(const pelti_cor_fast_state* state, uint32_t vertex,
                             pelti_cor_vertex_visit visit, void* context);

#endif
