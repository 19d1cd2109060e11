// SPDX-License-Identifier: MIT
// The fast solver: from pieces to the list or the tables of a pair, and from masses to sums.
#include "../base/exact.h"

#include "cor_fast.h"

#include <string.h>

enum
{
    FLOAT_TERMS = 8192, // samples summed in one float table before it is added to another
};

static void add_table(float* to, const float* from, size_t size)
{
    for (size_t i = 0; i < size; ++i)
    {
        to[i] += from[i];
    }
}

// ---------------------------------------------------------------------------------------------
// Blocks of pieces

static void block_to_list(const pelti_cor_fast_state* state, pelti_cor_task* task,
                          const pelti_cor_block* block, uint32_t count)
{
    const pelti_cor_list* list = &task->pair->list;
    const float scale = (float)(PELTI_COR_LIST_SCALE / state->problem->sigma);
    float* to = list->planes + task->list_count;
    for (uint32_t i = 0; i < count; ++i)
    {
        to[PELTI_COR_V * list->stride + i] = block->v[i] * scale;
        to[PELTI_COR_W * list->stride + i] = block->w[i] * scale;
        for (size_t k = 0; k < 4; ++k)
        {
            to[(PELTI_COR_MASS_X + k) * list->stride + i] = block->masses[i][k];
        }
    }
    task->list_count += count;
}

// What was spread becomes part of the masses.
static void collect_spread(pelti_cor_task* task)
{
    const size_t size = pelti_cor_grid_size(task->pair->chart.grid);
    float* masses = pelti_cor_pair_masses(task->pair, task->part);
    float* spread = pelti_cor_pair_spread(task->pair, task->part);
    for (size_t shift = 0; shift < PELTI_COR_SHIFTS; ++shift)
    {
        // The last columns of what is shifted are beyond those that there are, and empty.
        add_table(masses + 4 * shift, spread + shift * size, size - 4 * shift);
    }
    memset(spread, 0, PELTI_COR_SHIFTS * size * sizeof *spread);
    task->recent = 0;
}

static void block_to_table(const pelti_cor_fast_state* state, pelti_cor_task* task,
                           const pelti_cor_block* block, uint32_t count)
{
    const pelti_cor_pair* pair = task->pair;
    state->kernels->spread(pelti_cor_pair_spread(pair, task->part), &pair->chart, block, count);
    task->recent += count;
    if (task->recent == FLOAT_TERMS)
    {
        collect_spread(task);
    }
}

static void flush_block(const pelti_cor_fast_state* state, pelti_cor_task* task,
                        const pelti_cor_block* block, uint32_t* count)
{
    for (uint32_t i = 0; i < *count; ++i)
    {
        task->mass += (double)block->masses[i][3];
    }
    (task->pair->part_count > 0 ? block_to_table : block_to_list)(state, task, block, *count);
    *count = 0;
}

// ---------------------------------------------------------------------------------------------
// Pieces of a pair

// Of a pair, counted through.
typedef struct sample_range
{
    uint64_t first, end;
} sample_range;

// Which pieces belong to a part.
static sample_range part_samples(const pelti_cor_pair* pair, uint32_t part)
{
    uint64_t all = pair->sample_count, parts = pair->part_count > 0 ? pair->part_count : 1;
    return (sample_range){all / parts * part + all % parts * part / parts,
                          all / parts * (part + 1) + all % parts * (part + 1) / parts};
}

void pelti_cor_fast_gather(void* context, uint32_t index)
{
    const pelti_cor_fast_state* state = context;
    const pelti_cor_store* store = &state->store;
    pelti_cor_task* task = &state->tasks[index];
    pelti_cor_pair* pair = task->pair;
    sample_range wanted = part_samples(pair, task->part);
    uint64_t at = pair->samples_done;
    pelti_cor_block block = {0};
    uint32_t filled = 0, places[2];
    pelti_cor_common common;
    pelti_cor_common_begin(&common, &state->sets, pair->joints, store->set_first);
    for (uint32_t s; (s = pelti_cor_common_next(&common, places)) < store->set_end;)
    {
        pelti_cor_run run = store->runs[s];
        uint32_t stride = pelti_cor_piece_stride(&state->sets.sets[s]);
        const float* from = store->numbers + run.first;
        for (uint32_t i = 0; i < run.count; ++i, ++at, from += stride)
        {
            if (at < wanted.first || at >= wanted.end)
            {
                continue;
            }
            float v = from[PELTI_COR_PIECE_WEIGHTS + places[0]];
            float w = from[PELTI_COR_PIECE_WEIGHTS + places[1]];
            float factor = v * w;
            block.v[filled] = v;
            block.w[filled] = w;
            for (int k = 0; k < 4; ++k)
            {
                block.masses[filled][k] = factor * from[k];
            }
            filled += block.masses[filled][3] > 0.0f;
            // After so many pieces whichever are in memory together: bits must not depend on that.
            if (filled == PELTI_COR_BLOCK || task->recent + filled == FLOAT_TERMS)
            {
                flush_block(state, task, &block, &filled);
            }
        }
    }
    flush_block(state, task, &block, &filled);
    task->run_count = at - pair->samples_done;
}

// ---------------------------------------------------------------------------------------------
// From masses to sums

// The parts of a pair are added up in the first.
static void add_parts(const pelti_cor_fast_state* state, uint32_t index)
{
    pelti_cor_pair* pair = state->tasks[index].pair;
    pair->mass = 0.0;
    for (uint32_t i = index; i < state->task_count && state->tasks[i].pair == pair; ++i)
    {
        pelti_cor_task* task = &state->tasks[i];
        pair->mass += task->mass;
        if (pair->part_count > 0)
        {
            collect_spread(task);
        }
        if (i > index)
        {
            add_table(pelti_cor_pair_masses(pair, 0), pelti_cor_pair_masses(pair, task->part),
                      pelti_cor_grid_size(pair->chart.grid));
        }
    }
}

// Rows of a table that anything fell on.
static uint64_t find_filled(const float* masses, const pelti_cor_grid* grid)
{
    uint64_t filled = 0;
    for (uint32_t row = 0; row < grid->row_count; ++row)
    {
        bool is_empty = true;
        for (uint32_t i = 0; i < grid->column_count && is_empty; ++i)
        {
            is_empty = masses[4 * ((size_t)row * grid->column_count + i) + 3] == 0.0f;
        }
        filled |= (uint64_t)!is_empty << row;
    }
    return filled;
}

// The first task of each pair speaks for it.
void pelti_cor_fast_finish(void* context, uint32_t index)
{
    const pelti_cor_fast_state* state = context;
    const pelti_cor_pair* pair = state->tasks[index].pair;
    if (state->tasks[index].part > 0 || pelti_cor_is_canceled(state->problem))
    {
        return;
    }
    add_parts(state, index);
    if (pair->part_count > 0 && pelti_cor_step(state->problem, pelti_cor_fast_table_steps(pair)))
    {
        uint64_t wanted = atomic_load_explicit(
            &state->wanted[pair - &state->pairs.pairs[state->batch.first]], memory_order_relaxed);
        const float* masses = pelti_cor_pair_masses(pair, 0);
        state->kernels->convolve(pelti_cor_pair_sums(pair), masses, &pair->chart, wanted,
                                 find_filled(masses, pair->chart.grid));
    }
}
