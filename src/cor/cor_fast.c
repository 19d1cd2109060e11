// SPDX-License-Identifier: MIT
// The fast solver: one sum per pair of joints, from tables where they are fine enough and in double
// precision elsewhere.
#include "../base/exact.h"

#include "cor_fast.h"

#include <stdlib.h>
#include <string.h>

enum
{
    VERTEX_CHUNK = 512 // vertices per task
};

// A sum from a table counts unless it is so much smaller than the masses in the table that errors
// of interpolation could be visible (see pelti_cor_grid_make). Lists lose nothing but rounding.
static const double trusted_part = 2e-2, trusted_list_part = 1e-25;

// ---------------------------------------------------------------------------------------------
// Vertices

static bool is_in_batch(const pelti_cor_fast_state* state, const pelti_cor_pair* pair)
{
    const pelti_cor_pair* first = &state->pairs.pairs[state->batch.first];
    return pair >= first && pair < first + state->batch.count && pair->sample_count > 0;
}

// Some vertices of one set, as indices into sets.todo.
typedef struct vertex_group
{
    pelti_cor_fast_state* state;
    pelt_range slots;
    uint64_t steps; // for those who count them
} vertex_group;

// What the group does with a pair; weights are number i and k of each vertex.
typedef void (*pair_visit)(vertex_group* group, pelti_cor_pair* pair, uint32_t i, uint32_t k);

static const pelti_cor_weight* weights_at(const pelti_cor_fast_state* state, uint32_t slot)
{
    const pelti_cor_surface* surface = &state->problem->surface;
    return surface->weights + surface->first[state->sets.todo[slot]];
}

static void want_rows(vertex_group* group, pelti_cor_pair* pair, uint32_t i, uint32_t k)
{
    const pelti_cor_fast_state* state = group->state;
    if (pair->part_count == 0)
    {
        return;
    }
    uint64_t rows = 0;
    for (uint32_t slot = group->slots.first; slot < group->slots.first + group->slots.count; ++slot)
    {
        const pelti_cor_weight* weights = weights_at(state, slot);
        rows |= (uint64_t)((1 << PELTI_COR_POINTS) - 1)
                << pelti_cor_chart_row(&pair->chart, weights[i].weight, weights[k].weight);
    }
    _Atomic(uint64_t)* wanted = &state->wanted[pair - &state->pairs.pairs[state->batch.first]];
    // Reading first keeps the cache line shared between cores: all bits are soon set.
    if ((rows & ~atomic_load_explicit(wanted, memory_order_relaxed)) != 0)
    {
        atomic_fetch_or_explicit(wanted, rows, memory_order_relaxed);
    }
}

// Some vertices of one set at a time, with their weights on a pair.
typedef struct weight_lanes
{
    float x[PELTI_COR_LANES], y[PELTI_COR_LANES];
} weight_lanes;

static void read_pair(double (*out)[4], const pelti_cor_fast_state* state,
                      const pelti_cor_pair* pair, const weight_lanes* weights, uint32_t count)
{
    if (pair->part_count == 0)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            state->kernels->sum(out[i], &pair->list, weights->x[i], weights->y[i]);
        }
        return;
    }
    float read[PELTI_COR_LANES][4];
    state->kernels->look_up(read, pelti_cor_pair_sums(pair), &pair->chart, weights->x, weights->y,
                            count);
    for (uint32_t i = 0; i < count; ++i)
    {
        for (int k = 0; k < 4; ++k)
        {
            out[i][k] = (double)read[i][k];
        }
    }
}

static void add_pair(vertex_group* group, pelti_cor_pair* pair, uint32_t i, uint32_t k)
{
    const pelti_cor_fast_state* state = group->state;
    double trusted = (pair->part_count > 0 ? trusted_part : trusted_list_part) * pair->mass;
    for (uint32_t done = 0; done < group->slots.count; done += PELTI_COR_LANES)
    {
        uint32_t left = group->slots.count - done;
        uint32_t first = group->slots.first + done;
        uint32_t count = left < PELTI_COR_LANES ? left : PELTI_COR_LANES;
        weight_lanes lanes = {{0}, {0}};
        double parts[PELTI_COR_LANES][4];
        for (uint32_t n = 0; n < count; ++n)
        {
            const pelti_cor_weight* weights = weights_at(state, first + n);
            lanes.x[n] = weights[i].weight;
            lanes.y[n] = weights[k].weight;
        }
        read_pair(parts, state, pair, &lanes, count);
        for (uint32_t n = 0; n < count; ++n)
        {
            pelti_cor_sums* sums = &state->sums[first + n];
            double factor = (double)lanes.x[n] * (double)lanes.y[n];
            for (int c = 0; c < 4; ++c)
            {
                sums->parts[c] += factor * parts[n][c];
            }
            sums->trusted += factor * trusted;
        }
    }
    if (pair->part_count == 0)
    {
        group->steps += pelti_cor_fast_list_steps(pair) * group->slots.count;
    }
}

// The set of a vertex to do.
static const pelti_cor_set* set_at(const pelti_cor_fast_state* state, uint32_t slot)
{
    return &state->sets.sets[state->sets.vertex_sets[state->sets.todo[slot]]];
}

// Vertices of a set have the same pairs: each is looked up once.
static void visit_chunk(vertex_group* group, uint32_t index, pair_visit visit)
{
    const pelti_cor_fast_state* state = group->state;
    pelt_range range = pelti_cor_chunk(state->problem->todo_count, VERTEX_CHUNK, index);
    uint32_t end = range.first + range.count;
    for (uint32_t slot = range.first; slot < end; slot += group->slots.count)
    {
        const pelti_cor_set* set = set_at(state, slot);
        const uint32_t* joints = state->sets.joints + set->joint_first;
        uint32_t set_end = set->todo_first + set->todo_count;
        group->slots = (pelt_range){slot, (set_end < end ? set_end : end) - slot};
        for (uint32_t i = 0; i < set->joint_count; ++i)
        {
            for (uint32_t k = i + 1; k < set->joint_count; ++k)
            {
                pelti_cor_pair* pair = pelti_cor_pairs_find(&state->pairs, joints[i], joints[k]);
                if (is_in_batch(state, pair))
                {
                    visit(group, pair, i, k);
                }
            }
        }
    }
}

static void want_chunk(void* context, uint32_t index)
{
    vertex_group group = {.state = context};
    visit_chunk(&group, index, want_rows);
}

static void add_chunk(void* context, uint32_t index)
{
    vertex_group group = {.state = context};
    if (!pelti_cor_is_canceled(group.state->problem))
    {
        visit_chunk(&group, index, add_pair);
        pelti_cor_step(group.state->problem, group.steps);
    }
}

// ---------------------------------------------------------------------------------------------
// Batches

static void list_tasks(pelti_cor_fast_state* state)
{
    float* numbers = state->numbers;
    state->task_count = 0;
    for (uint32_t i = 0; i < state->batch.count; ++i)
    {
        pelti_cor_pair* pair = &state->pairs.pairs[state->batch.first + i];
        atomic_init(&state->wanted[i], 0);
        if (pair->todo_count == 0 || pair->sample_count == 0)
        {
            continue;
        }
        pair->list = (pelti_cor_list){pelti_cor_fast_stride(pair), numbers};
        pair->table = numbers;
        pair->samples_done = 0;
        numbers += pelti_cor_fast_floats(pair);
        uint32_t parts = pair->part_count > 0 ? pair->part_count : 1;
        for (uint32_t part = 0; part < parts; ++part)
        {
            state->tasks[state->task_count++] = (pelti_cor_task){.pair = pair, .part = part};
        }
    }
    // Padding of lists, and nodes of tables without mass.
    memset(state->numbers, 0, (size_t)(numbers - state->numbers) * sizeof *numbers);
}

static bool allocate_batch(pelti_cor_fast_state* state)
{
    size_t number_count = 0, task_count = 0;
    for (uint32_t i = 0; i < state->batch.count; ++i)
    {
        const pelti_cor_pair* pair = &state->pairs.pairs[state->batch.first + i];
        if (pair->todo_count > 0)
        {
            number_count += pelti_cor_fast_floats(pair);
            task_count += pair->part_count + 1;
        }
    }
    pelti_cor_problem* problem = state->problem;
    state->numbers_memory =
        pelti_cor_allocate(problem, number_count + PELTI_COR_LANES, sizeof *state->numbers);
    size_t over = (uintptr_t)state->numbers_memory / sizeof(float) % PELTI_COR_LANES;
    state->numbers = state->numbers_memory + (over > 0 ? PELTI_COR_LANES - over : 0);
    state->tasks = pelti_cor_allocate(problem, task_count, sizeof *state->tasks);
    state->wanted = pelti_cor_allocate(problem, state->batch.count, sizeof *state->wanted);
    return state->numbers_memory && state->tasks && state->wanted;
}

static void gather_pieces(pelti_cor_fast_state* state)
{
    pelti_cor_store_rewind(&state->store);
    for (uint32_t i = 0; i < state->task_count; ++i)
    {
        if (state->tasks[i].part == 0)
        {
            pelti_cor_store_want(&state->store, state->tasks[i].pair->joints);
        }
    }
    while (!pelti_cor_is_canceled(state->problem) && pelti_cor_store_advance(&state->store))
    {
        pelt_run(state->task_count, pelti_cor_fast_gather, state);
        for (uint32_t i = 0; i < state->task_count; ++i)
        {
            pelti_cor_task* task = &state->tasks[i];
            task->pair->samples_done += task->part == 0 ? task->run_count : 0;
        }
    }
}

static bool run_batch(pelti_cor_fast_state* state, pelt_range batch)
{
    state->batch = batch;
    uint32_t chunks = pelti_cor_chunk_count(state->problem->todo_count, VERTEX_CHUNK);
    bool is_ok = allocate_batch(state);
    if (is_ok)
    {
        list_tasks(state);
        pelt_run(chunks, want_chunk, state);
        gather_pieces(state);
        pelt_run(state->task_count, pelti_cor_fast_finish, state);
        pelt_run(chunks, add_chunk, state);
    }
    pelti_cor_release(state->problem, state->wanted);
    pelti_cor_release(state->problem, state->tasks);
    pelti_cor_release(state->problem, state->numbers_memory);
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
        double* sums = state->sums[i].parts;
        for (int k = 0; k < 3; ++k)
        {
            sums[k] += origin[k] * sums[3];
        }
        pelti_cor_put(state->problem, state->sets.todo[i], sums);
    }
}

static bool run_batches(pelti_cor_fast_state* state)
{
    pelti_cor_problem* problem = state->problem;
    uint32_t chunks = pelti_cor_chunk_count(problem->todo_count, VERTEX_CHUNK);
    state->sums = pelti_cor_allocate(problem, problem->todo_count, sizeof *state->sums);
    if (state->sums == NULL ||
        !pelti_cor_store_make(&state->store, &state->pieces, state->set_samples, problem))
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
    pelti_cor_store_release(&state->store, problem);
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

// =============================================================================================
// The fast solver: vertices whose sums in float say too little, by the definition, as long as that
// is no more than a second or two of work.

enum
{
    SAMPLES = 128,       // of a triangle at a time
    TERMS_MAX = 1 << 25, // of all exact sums together, at about 50 ns each; characters have 1e6
};

// Below this fraction of the smallest sum that counts, a sum from tables may be off by 1 % or more.
static const double usable_part = 5e-3;

typedef struct exact_vertex
{
    uint32_t slot;   // in sets.todo
    double trust;    // its sum, relative to the smallest that would count
    uint64_t number; // of terms
} exact_vertex;

typedef struct exact_list
{
    const pelti_cor_fast_state* state;
    exact_vertex* vertices;
    uint32_t count;
    uint64_t term_count;
} exact_list;

static uint64_t count_terms(const pelti_cor_fast_state* state, uint32_t slot)
{
    const pelti_cor_surface* surface = &state->problem->surface;
    uint32_t vertex = state->sets.todo[slot], end = surface->first[vertex + 1];
    uint64_t count = 0;
    for (uint32_t i = surface->first[vertex]; i < end; ++i)
    {
        for (uint32_t k = i + 1; k < end; ++k)
        {
            count += pelti_cor_pairs_find(&state->pairs, surface->weights[i].joint,
                                          surface->weights[k].joint)
                         ->sample_count;
        }
    }
    return count;
}

static void choose_vertices(exact_list* list)
{
    for (uint32_t i = 0; i < list->state->problem->todo_count; ++i)
    {
        const pelti_cor_sums* sums = &list->state->sums[i];
        if (sums->trusted > 0.0 && !(sums->parts[3] > sums->trusted))
        {
            uint64_t number = count_terms(list->state, i);
            list->vertices[list->count++] =
                (exact_vertex){i, sums->parts[3] / sums->trusted, number};
            list->term_count += number;
        }
    }
}

static int by_trust(const void* a, const void* b)
{
    const exact_vertex *x = a, *y = b;
    return x->trust != y->trust ? (x->trust > y->trust) - (x->trust < y->trust)
                                : (x->slot > y->slot) - (x->slot < y->slot);
}

// Where there are too many terms, keep the vertices that need it most. The others get the sum of
// their tables, or are their own centers if that is zero.
static void limit_terms(exact_list* list)
{
    if (list->term_count <= TERMS_MAX)
    {
        return;
    }
    qsort(list->vertices, list->count, sizeof *list->vertices, by_trust);
    uint64_t terms = 0;
    uint32_t kept = 0;
    while (kept < list->count && terms + list->vertices[kept].number <= TERMS_MAX)
    {
        terms += list->vertices[kept++].number;
    }
    for (uint32_t i = kept; i < list->count && list->vertices[i].trust < usable_part; ++i)
    {
        double* sums = list->state->sums[list->vertices[i].slot].parts;
        memset(sums, 0, 4 * sizeof *sums);
    }
    list->state->problem->report.coarse_count = list->count - kept;
    list->count = kept;
}

static double weight_of(const pelti_cor_surface* surface, uint32_t vertex, uint32_t joint)
{
    for (uint32_t i = surface->first[vertex]; i < surface->first[vertex + 1]; ++i)
    {
        if (surface->weights[i].joint == joint)
        {
            return (double)surface->weights[i].weight;
        }
    }
    return 0.0;
}

// Eq. 1 and 4 for two joints of a vertex, over the triangles of one set, in double.
static void add_exactly(double sums[4], const pelti_cor_fast_state* state, uint32_t set,
                        const pelti_cor_weight pair[2])
{
    const pelti_cor_surface* surface = &state->problem->surface;
    const double x = (double)pair[0].weight, y = (double)pair[1].weight;
    const double scale = 1.0 / (state->problem->sigma * state->problem->sigma);
    pelti_cor_sample samples[SAMPLES];
    pelti_cor_stream stream;
    pelti_cor_stream_begin(&stream, &state->pieces, state->sets.sets[set].triangle_first);
    uint32_t triangle, count;
    for (uint64_t left = state->set_samples[set]; left > 0; left -= count)
    {
        count = pelti_cor_stream_next(&stream, &triangle, samples, SAMPLES);
        const uint32_t* t = surface->indices + (size_t)3 * state->sets.triangles[triangle];
        double v[3], w[3];
        for (int i = 0; i < 3; ++i)
        {
            v[i] = weight_of(surface, t[i], pair[0].joint);
            w[i] = weight_of(surface, t[i], pair[1].joint);
        }
        for (uint32_t i = 0; i < count; ++i)
        {
            const pelti_cor_sample* s = &samples[i];
            double sv = v[0] * s->b[0] + v[1] * s->b[1] + v[2] * s->b[2];
            double sw = w[0] * s->b[0] + w[1] * s->b[1] + w[2] * s->b[2];
            double distance = x * sw - y * sv;
            double mass = x * y * sv * sw * s->area * exp(-distance * distance * scale);
            sums[0] += mass * s->center[0];
            sums[1] += mass * s->center[1];
            sums[2] += mass * s->center[2];
            sums[3] += mass;
        }
    }
}

static void solve_exactly(void* context, uint32_t index)
{
    const exact_list* list = context;
    const pelti_cor_fast_state* state = list->state;
    const pelti_cor_surface* surface = &state->problem->surface;
    double* sums = state->sums[list->vertices[index].slot].parts;
    uint32_t vertex = state->sets.todo[list->vertices[index].slot];
    memset(sums, 0, 4 * sizeof *sums);
    for (uint32_t i = surface->first[vertex]; i < surface->first[vertex + 1]; ++i)
    {
        for (uint32_t k = i + 1; k < surface->first[vertex + 1]; ++k)
        {
            const pelti_cor_weight pair[2] = {surface->weights[i], surface->weights[k]};
            pelti_cor_common common;
            uint32_t indices[2];
            pelti_cor_common_begin(&common, &state->sets,
                                   (const uint32_t[2]){pair[0].joint, pair[1].joint}, 0);
            for (uint32_t s; (s = pelti_cor_common_next(&common, indices)) != PELT_NONE &&
                             !pelti_cor_is_canceled(state->problem);)
            {
                add_exactly(sums, state, s, pair);
            }
        }
    }
}

bool pelti_cor_fast_exact(pelti_cor_fast_state* state)
{
    pelti_cor_problem* problem = state->problem;
    exact_list list = {.state = state};
    list.vertices = pelti_cor_allocate(problem, problem->todo_count, sizeof *list.vertices);
    if (list.vertices != NULL)
    {
        choose_vertices(&list);
        limit_terms(&list);
        pelt_run(list.count, solve_exactly, &list);
        problem->report.exact_count = list.count;
    }
    pelti_cor_release(problem, list.vertices);
    return list.vertices != NULL;
}
