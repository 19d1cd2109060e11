// SPDX-License-Identifier: MIT
// Which pairs of joints the fast solver tabulates, and the sums of their triangles.
#include "../base/exact.h"

#include "cor_fast.h"

#include <string.h>

enum
{
    TRIANGLE_CHUNK = 4096, // triangles per task
    PART_SAMPLES = 8192,   // samples that are worth a task of their own
    PARTS_MAX = 8,         // tasks per pair
    PIECES = 64,           // of a triangle at a time
    BATCH_BYTES_MIN = 256 << 10,
    BATCH_BYTES_PER_ELEMENT = 100, // vertex or triangle
    BATCH_BYTES_PER_PAIR = 256, // each batch visits all pairs, so the number of batches is limited
};

// Nanoseconds on a current machine; they decide between list and table, and so must not depend on
// the machine.
static const double list_term_cost = 0.5, list_vertex_cost = 30.0, row_pair_cost = 25.0,
                    node_pair_cost = 0.07, table_sample_cost = 18.0, table_vertex_cost = 15.0;

// Limit of pieces times pairs of joints, for an epsilon of 0.1: some seconds on one core.
// Characters have up to 3e6. Triangles between vertices with unrelated weights do not occur on
// characters and need not be halved as often. A large mesh may have four pieces for each triangle
// even above this limit.
static const double usual_work = 3.2e7, usual_epsilon = 0.1, usual_pieces = 4.0;

// No edge is longer in weight space, where weights sum to 1: sqrt(2).
static const double edge_max = 1.5;

// ---------------------------------------------------------------------------------------------
// Pieces

static void count_pieces(void* context, uint32_t index)
{
    const pelti_cor_fast_state* state = context;
    const pelti_cor_problem* problem = state->problem;
    pelt_range range = pelti_cor_chunk(state->sets.triangle_count, TRIANGLE_CHUNK, index);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        const uint32_t* t = problem->surface.indices + (size_t)3 * state->sets.triangles[i];
        pelti_cor_split split;
        pelti_cor_piece pieces[PIECES];
        pelti_cor_split_begin(&split, &problem->surface, t, problem->epsilon);
        state->piece_counts[i] = 0;
        for (uint32_t n; (n = pelti_cor_split_next(&split, pieces, PIECES)) > 0;)
        {
            state->piece_counts[i] += n;
        }
    }
}

static void choose_origin(pelti_cor_fast_state* state)
{
    const pelti_cor_surface* surface = &state->problem->surface;
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, surface->positions, surface->vertex_count);
    double* origin = state->pieces.origin;
    origin[0] = 0.5 * ((double)box.min.x + (double)box.max.x);
    origin[1] = 0.5 * ((double)box.min.y + (double)box.max.y);
    origin[2] = 0.5 * ((double)box.min.z + (double)box.max.z);
    double size = (double)pelt_bounds_diagonal(&box);
    state->pieces.area_scale = size > 0.0 ? surface->triangle_count / (size * size) : 1.0;
}

static double pair_count_of(const pelti_cor_set* set)
{
    return set->joint_count * (set->joint_count - 1.0) / 2.0;
}

// Count the pieces of all triangles, and of sets.
// @return pieces times the pairs of joints that they belong to
static double count_work(pelti_cor_fast_state* state)
{
    const pelti_cor_sets* sets = &state->sets;
    double work = 0.0;
    if (state->piece_counts != NULL)
    {
        pelt_run(pelti_cor_chunk_count(sets->triangle_count, TRIANGLE_CHUNK), count_pieces, state);
    }
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        const pelti_cor_set* set = &sets->sets[i];
        uint64_t count = state->piece_counts != NULL ? 0 : set->triangle_count;
        for (uint32_t k = 0; k < set->triangle_count && state->piece_counts != NULL; ++k)
        {
            count += state->piece_counts[set->triangle_first + k];
        }
        state->set_samples[i] = count;
        work += (double)count * pair_count_of(set);
    }
    return work;
}

// A smaller epsilon needs more pieces: the limit grows with the square of the ratio.
static double work_limit(const pelti_cor_fast_state* state)
{
    double finer = fmax(1.0, usual_epsilon / state->problem->epsilon), whole = 0.0;
    for (uint32_t i = 0; i < state->sets.set_count; ++i)
    {
        whole += state->sets.sets[i].triangle_count * pair_count_of(&state->sets.sets[i]);
    }
    return fmax(usual_work, usual_pieces * whole) * finer * finer;
}

bool pelti_cor_fast_pieces(pelti_cor_fast_state* state)
{
    pelti_cor_problem* problem = state->problem;
    const pelti_cor_sets* sets = &state->sets;
    bool is_halved = problem->epsilon < (double)INFINITY;
    state->set_samples = pelti_cor_allocate(problem, sets->set_count, sizeof *state->set_samples);
    state->piece_counts =
        is_halved ? pelti_cor_allocate(problem, sets->triangle_count, sizeof *state->piece_counts)
                  : NULL;
    if (state->set_samples == NULL || (is_halved && state->piece_counts == NULL))
    {
        return false;
    }
    double limit = work_limit(state);
    while (count_work(state) > limit && problem->epsilon < edge_max)
    {
        problem->epsilon *= 2.0;
    }
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        problem->report.sample_count += state->set_samples[i];
    }
    state->pieces =
        (pelti_cor_pieces){.problem = problem, .sets = sets, .counts = state->piece_counts};
    choose_origin(state);
    return true;
}

// ---------------------------------------------------------------------------------------------
// List or table

static size_t batch_bytes(const pelti_cor_fast_state* state)
{
    size_t elements =
        (size_t)state->problem->surface.vertex_count + state->problem->surface.triangle_count;
    size_t bytes =
        BATCH_BYTES_PER_ELEMENT * elements + BATCH_BYTES_PER_PAIR * (size_t)state->pairs.pair_count;
    return bytes > BATCH_BYTES_MIN ? bytes : BATCH_BYTES_MIN;
}

size_t pelti_cor_fast_stride(const pelti_cor_pair* pair)
{
    return (size_t)(pair->sample_count + PELTI_COR_LANES - 1) / PELTI_COR_LANES * PELTI_COR_LANES;
}

size_t pelti_cor_fast_floats(const pelti_cor_pair* pair)
{
    return pair->part_count > 0 ? (size_t)PELTI_COR_PART_TABLES * pair->part_count *
                                      pelti_cor_grid_size(pair->chart.grid)
                                : PELTI_COR_PLANES * pelti_cor_fast_stride(pair);
}

static double list_cost(const pelti_cor_pair* pair)
{
    return (list_term_cost * (double)pair->sample_count + list_vertex_cost) * pair->vertex_count;
}

// Rows of a table that cover an extent of r, according to the bounds.
static double rows_of(const pelti_cor_grid* grid, pelti_cor_extent r, float scale)
{
    double least = fmax((double)(r.least * scale), 0.0), most = (double)(r.most * scale);
    double shift = (double)grid->row_shift;
    double cells = (double)grid->row_scale * (most / (most + shift) - least / (least + shift));
    return fmin(ceil(cells) + PELTI_COR_POINTS, grid->row_count);
}

static double tabulation_cost(const pelti_cor_pair* pair)
{
    const pelti_cor_grid* grid = pair->chart.grid;
    double rows = rows_of(grid, pair->vertices.r, pair->chart.vertex_scale) *
                  rows_of(grid, pair->samples.r, pair->chart.piece_scale);
    double nodes = (double)grid->column_count * grid->column_count;
    return (row_pair_cost + node_pair_cost * nodes) * rows +
           table_sample_cost * (double)pair->sample_count + table_vertex_cost * pair->vertex_count;
}

uint64_t pelti_cor_fast_list_steps(const pelti_cor_pair* pair)
{
    return (uint64_t)(list_term_cost * (double)pair->sample_count + list_vertex_cost);
}

uint64_t pelti_cor_fast_table_steps(const pelti_cor_pair* pair)
{
    return (uint64_t)tabulation_cost(pair);
}

static uint64_t pair_steps(const pelti_cor_pair* pair)
{
    if (pair->todo_count == 0 || pair->sample_count == 0)
    {
        return 0;
    }
    return pair->part_count > 0 ? pelti_cor_fast_table_steps(pair)
                                : pelti_cor_fast_list_steps(pair) * pair->todo_count;
}

// Stretch the range of weights of a pair over a table. With r up to R, q up to Q and a over a part
// D of the interval from 0 to 1, the kernel becomes 1 / (R Q D) times as wide.
// @return false: it is still too narrow
static bool choose_chart(pelti_cor_fast_state* state, pelti_cor_pair* pair)
{
    const double least = 1e-3; // of D that float can resolve
    double first = (double)fminf(pair->vertices.a.least, pair->samples.a.least);
    double end = (double)fmaxf(pair->vertices.a.most, pair->samples.a.most);
    double width = fmax(end - first, least);
    double r = (double)pair->vertices.r.most, q = (double)pair->samples.r.most;
    double sigma = state->problem->sigma / (r * q * width);
    uint32_t which = pelti_cor_grid_find(sigma);
    if (which >= PELTI_COR_GRIDS)
    {
        return false;
    }
    pelti_cor_grid* grid = &state->grids[which];
    if (grid->row_count == 0)
    {
        pelti_cor_grid_make(grid, which);
    }
    pair->chart = (pelti_cor_chart){
        grid, (float)sigma, (float)first, (float)(1.0 / width), (float)(1.0 / r), (float)(1.0 / q)};
    return true;
}

static void plan_pair(pelti_cor_fast_state* state, pelti_cor_pair* pair)
{
    size_t most = batch_bytes(state);
    bool is_list_small = PELTI_COR_PLANES * sizeof(float) * pair->sample_count <= most;
    if (pair->sample_count == 0 || !choose_chart(state, pair) ||
        (is_list_small && list_cost(pair) <= tabulation_cost(pair)))
    {
        return;
    }
    size_t table = pelti_cor_grid_size(pair->chart.grid) * sizeof(float);
    uint64_t parts = pair->sample_count / PART_SAMPLES + 1;
    parts = parts < PARTS_MAX ? parts : PARTS_MAX;
    while (parts > 1 && PELTI_COR_PART_TABLES * parts * table > most)
    {
        --parts;
    }
    pair->part_count = (uint32_t)parts;
    state->problem->report.tabulated_count++;
}

void pelti_cor_fast_plan(pelti_cor_fast_state* state)
{
    pelti_cor_problem* problem = state->problem;
    for (uint32_t i = 0; i < state->pairs.pair_count; ++i)
    {
        plan_pair(state, &state->pairs.pairs[i]);
        problem->step_count += pair_steps(&state->pairs.pairs[i]);
    }
    problem->report.pair_count = state->pairs.pair_count;
}

// As many pairs as fit into memory.
pelt_range pelti_cor_fast_batch(const pelti_cor_fast_state* state, uint32_t first)
{
    size_t most = batch_bytes(state), bytes = 0;
    uint32_t end = first;
    for (; end < state->pairs.pair_count; ++end)
    {
        const pelti_cor_pair* pair = &state->pairs.pairs[end];
        bytes += pelti_cor_fast_floats(pair) * sizeof(float);
        if (bytes > most && end > first)
        {
            break;
        }
    }
    return (pelt_range){first, end - first};
}

// =============================================================================================
// The fast solver: from pieces to the list or the tables of a pair, and from masses to sums.

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

// Spread masses become part of the masses.
static void collect_spread(pelti_cor_task* task)
{
    const size_t size = pelti_cor_grid_size(task->pair->chart.grid);
    float* masses = pelti_cor_pair_masses(task->pair, task->part);
    float* spread = pelti_cor_pair_spread(task->pair, task->part);
    for (size_t shift = 0; shift < PELTI_COR_SHIFTS; ++shift)
    {
        // The last columns after the shift are outside of the table, and empty.
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

// Index of a pair.
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
    uint32_t filled = 0, indices[2];
    pelti_cor_common common;
    pelti_cor_common_begin(&common, &state->sets, pair->joints, store->set_first);
    for (uint32_t s; (s = pelti_cor_common_next(&common, indices)) < store->set_end;)
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
            float v = from[PELTI_COR_PIECE_WEIGHTS + indices[0]];
            float w = from[PELTI_COR_PIECE_WEIGHTS + indices[1]];
            float factor = v * w;
            block.v[filled] = v;
            block.w[filled] = w;
            for (int k = 0; k < 4; ++k)
            {
                block.masses[filled][k] = factor * from[k];
            }
            filled += block.masses[filled][3] > 0.0f;
            // After this many pieces, independent of which are in memory together: bits must not
            // depend on that.
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

// Rows of a table that have mass.
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

// The first task of each pair does the work of the pair.
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
