// SPDX-License-Identifier: MIT
// Centers of rotation in time proportional to the mesh. The similarity of Eq. 1 (Le and Hodgins
// 2016) is a sum over pairs of joints, so that Eq. 4 is too: each pair is summed by itself, over
// the triangles that have both joints, term by term when they are few and through a table when they
// are many (cor_kernel.h). What tables are too coarse for is done again by the definition.
#include "../base/exact.h"

#include "cor_fast.h"

#include <string.h>

enum
{
    VERTEX_CHUNK = 512 // vertices per task
};

// ---------------------------------------------------------------------------------------------
// Vertices

void pelti_cor_fast_pairs_of(const pelti_cor_fast_state* state, uint32_t vertex,
                             pelti_cor_vertex_visit visit, void* context)
{
    const pelti_cor_surface* surface = &state->problem->surface;
    for (uint32_t i = surface->first[vertex]; i < surface->first[vertex + 1]; ++i)
    {
        for (uint32_t k = i + 1; k < surface->first[vertex + 1]; ++k)
        {
            const pelti_cor_weight *a = &surface->weights[i], *b = &surface->weights[k];
            pelti_cor_pair* pair = pelti_cor_pairs_find(&state->pairs, a->joint, b->joint);
            visit(context, pair, a->weight, b->weight);
        }
    }
}

static bool is_in_batch(const pelti_cor_fast_state* state, const pelti_cor_pair* pair)
{
    const pelti_cor_pair* first = &state->pairs.pairs[state->batch.first];
    return pair >= first && pair < first + state->batch.count;
}

static void want_nodes(void* context, pelti_cor_pair* pair, float x, float y)
{
    const pelti_cor_fast_state* state = context;
    if (pair->part_count == 0 || !is_in_batch(state, pair))
    {
        return;
    }
    pelti_cor_place place = pelti_cor_grid_place(&state->grid, x, y);
    uint32_t bits = pelti_cor_place_bits(place);
    for (uint32_t i = place.row; i < place.row + PELTI_COR_POINTS; ++i)
    {
        // Reading first keeps the line shared between cores: all bits are soon set.
        if ((~atomic_load_explicit(&pair->wanted[i], memory_order_relaxed) & bits) != 0)
        {
            atomic_fetch_or_explicit(&pair->wanted[i], bits, memory_order_relaxed);
        }
    }
}

static void want_chunk(void* context, uint32_t index)
{
    pelti_cor_fast_state* state = context;
    pelt_range range = pelti_cor_chunk(state->problem->todo_count, VERTEX_CHUNK, index);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        pelti_cor_fast_pairs_of(state, state->problem->todo[i], want_nodes, state);
    }
}

typedef struct vertex_sum
{
    const pelti_cor_fast_state* state;
    double* sums;
    uint64_t steps;
} vertex_sum;

static void add_pair(void* context, pelti_cor_pair* pair, float x, float y)
{
    vertex_sum* sum = context;
    const pelti_cor_fast_state* state = sum->state;
    if (pair->sample_count == 0 || !is_in_batch(state, pair))
    {
        return;
    }
    double parts[4], factor = (double)x * (double)y;
    if (pair->part_count == 0)
    {
        state->kernels->sum(parts, &pair->list, x, y);
        sum->steps += pelti_cor_fast_list_steps(pair);
    }
    else
    {
        const pelti_cor_grid* grid = &state->grid;
        float read[4];
        state->kernels->look_up(read, pelti_cor_pair_sums(pair, grid), grid,
                                pelti_cor_grid_place(grid, x, y));
        for (int k = 0; k < 4; ++k)
        {
            parts[k] = (double)read[k];
        }
    }
    for (int k = 0; k < 4; ++k)
    {
        sum->sums[k] += factor * parts[k];
    }
}

static void add_chunk(void* context, uint32_t index)
{
    const pelti_cor_fast_state* state = context;
    pelt_range range = pelti_cor_chunk(state->problem->todo_count, VERTEX_CHUNK, index);
    vertex_sum sum = {state, NULL, 0};
    if (pelti_cor_is_canceled(state->problem))
    {
        return;
    }
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        sum.sums = state->sums[i];
        pelti_cor_fast_pairs_of(state, state->problem->todo[i], add_pair, &sum);
    }
    pelti_cor_step(state->problem, sum.steps);
}

// ---------------------------------------------------------------------------------------------
// Batches

static void add_source(void* context, pelti_cor_pair* pair, const pelti_cor_source* source)
{
    const pelti_cor_fast_state* state = context;
    if (pair->todo_count > 0 && is_in_batch(state, pair))
    {
        pair->sources[pair->source_count++] = *source;
    }
}

static void list_sources(pelti_cor_fast_state* state)
{
    pelti_cor_source* sources = state->sources;
    for (uint32_t i = 0; i < state->batch.count; ++i)
    {
        pelti_cor_pair* pair = &state->pairs.pairs[state->batch.first + i];
        pair->sources = sources;
        sources += pair->source_count;
        pair->source_count = 0;
    }
    for (uint32_t i = 0; i < state->sets.set_count; ++i)
    {
        if (state->sets.sets[i].triangle_count > 0)
        {
            pelti_cor_pairs_of_set(&state->pairs, &state->sets, i, add_source, state);
        }
    }
}

static void list_tasks(pelti_cor_fast_state* state)
{
    float* numbers = state->numbers;
    _Atomic(uint32_t)* wanted = state->wanted;
    state->task_count = 0;
    for (uint32_t i = 0; i < state->batch.count; ++i)
    {
        pelti_cor_pair* pair = &state->pairs.pairs[state->batch.first + i];
        if (pair->todo_count == 0 || pair->sample_count == 0)
        {
            continue;
        }
        pair->list = (pelti_cor_list){pelti_cor_fast_stride(pair), numbers};
        pair->table = numbers;
        numbers += pelti_cor_fast_floats(state, pair);
        pair->wanted = wanted;
        wanted += pair->part_count > 0 ? PELTI_COR_ROWS_MAX : 0;
        uint32_t parts = pair->part_count > 0 ? pair->part_count : 1;
        for (uint32_t part = 0; part < parts; ++part)
        {
            state->tasks[state->task_count++] = (pelti_cor_task){.pair = pair, .part = part};
        }
    }
}

static bool allocate_batch(pelti_cor_fast_state* state)
{
    size_t source_count = 0, number_count = 0, task_count = 0, wanted_count = 0;
    for (uint32_t i = 0; i < state->batch.count; ++i)
    {
        const pelti_cor_pair* pair = &state->pairs.pairs[state->batch.first + i];
        if (pair->todo_count > 0)
        {
            number_count += pelti_cor_fast_floats(state, pair);
            task_count += pair->part_count + 1;
            wanted_count += pair->part_count > 0 ? PELTI_COR_ROWS_MAX : 0;
        }
        source_count += pair->source_count;
    }
    pelti_cor_problem* problem = state->problem;
    state->sources = pelti_cor_allocate(problem, source_count, sizeof *state->sources);
    state->numbers = pelti_cor_allocate(problem, number_count, sizeof *state->numbers);
    state->tasks = pelti_cor_allocate(problem, task_count, sizeof *state->tasks);
    state->wanted = pelti_cor_allocate(problem, wanted_count, sizeof *state->wanted);
    for (size_t i = 0; i < wanted_count && state->wanted != NULL; ++i)
    {
        atomic_init(&state->wanted[i], 0);
    }
    return state->sources && state->numbers && state->tasks && state->wanted;
}

static bool run_batch(pelti_cor_fast_state* state, pelt_range batch)
{
    state->batch = batch;
    uint32_t chunks = pelti_cor_chunk_count(state->problem->todo_count, VERTEX_CHUNK);
    bool is_ok = allocate_batch(state);
    if (is_ok)
    {
        list_sources(state);
        list_tasks(state);
        pelt_run(chunks, want_chunk, state);
        pelt_run(state->task_count, pelti_cor_fast_gather, state);
        pelt_run(state->task_count, pelti_cor_fast_finish, state);
        pelt_run(chunks, add_chunk, state);
    }
    pelti_cor_release(state->problem, state->wanted);
    pelti_cor_release(state->problem, state->tasks);
    pelti_cor_release(state->problem, state->numbers);
    pelti_cor_release(state->problem, state->sources);
    return is_ok;
}

// ---------------------------------------------------------------------------------------------

static void put_chunk(void* context, uint32_t index)
{
    const pelti_cor_fast_state* state = context;
    const double* origin = state->pieces.origin;
    pelt_range range = pelti_cor_chunk(state->problem->todo_count, VERTEX_CHUNK, index);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        double* sums = state->sums[i];
        for (int k = 0; k < 3; ++k)
        {
            sums[k] += origin[k] * sums[3];
        }
        pelti_cor_put(state->problem, state->problem->todo[i], sums);
    }
}

static bool run_batches(pelti_cor_fast_state* state)
{
    pelti_cor_problem* problem = state->problem;
    uint32_t chunks = pelti_cor_chunk_count(problem->todo_count, VERTEX_CHUNK);
    state->sums = pelti_cor_allocate(problem, problem->todo_count, sizeof *state->sums);
    if (state->sums == NULL)
    {
        return false;
    }
    memset(state->sums, 0, problem->todo_count * sizeof *state->sums);
    for (uint32_t first = 0; first < state->pairs.pair_count;)
    {
        pelt_range batch = pelti_cor_fast_batch(state, first);
        if (!run_batch(state, batch))
        {
            return false;
        }
        first += batch.count;
    }
    if (!pelti_cor_fast_exact(state))
    {
        return false;
    }
    pelt_run(chunks, put_chunk, state);
    return true;
}

static void release_state(pelti_cor_fast_state* state)
{
    pelti_cor_problem* problem = state->problem;
    pelti_cor_release(problem, state->sums);
    pelti_cor_pairs_release(&state->pairs, problem);
    pelti_cor_release(problem, state->piece_counts);
    pelti_cor_release(problem, state->set_samples);
    pelti_cor_sets_release(&state->sets, problem);
}

pelt_result pelti_cor_fast(pelti_cor_problem* problem)
{
    pelti_cor_fast_state state = {.problem = problem, .kernels = pelti_cor_kernels_get()};
    bool is_ok = pelti_cor_sets_make(&state.sets, problem) && pelti_cor_fast_pieces(&state) &&
                 pelti_cor_pairs_make(&state.pairs, problem, &state.sets, state.set_samples);
    if (is_ok)
    {
        pelti_cor_fast_plan(&state);
        is_ok = run_batches(&state);
    }
    release_state(&state);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}
