// SPDX-License-Identifier: MIT
// The fast solver: from triangles to the list or the tables of a pair, and from masses to sums.
#include "../base/exact.h"

#include "cor_fast.h"

#include <string.h>

enum
{
    FLOAT_TERMS = 8192, // samples summed in one float table before it is added to another
};

// Brings the pieces of some triangles of a pair, counted through its sources.
typedef struct pair_walk
{
    const pelti_cor_fast_state* state;
    const pelti_cor_pair* pair;
    uint32_t source; // the next one
    uint32_t skip, left;
    pelti_cor_stream stream;
} pair_walk;

static void walk_begin(pair_walk* walk, const pelti_cor_fast_state* state,
                       const pelti_cor_pair* pair, pelt_range triangles)
{
    walk->state = state;
    walk->pair = pair;
    walk->source = 0;
    walk->skip = triangles.first;
    walk->left = triangles.count;
    walk->stream.next = walk->stream.end = 0;
    walk->stream.is_inside = false;
    walk->stream.pieces = &state->pieces;
}

static uint32_t walk_next(pair_walk* walk, pelti_cor_sample* out)
{
    for (;;)
    {
        uint32_t count = pelti_cor_stream_next(&walk->stream, out, PELTI_COR_SAMPLES);
        if (count > 0 || walk->left == 0)
        {
            return count;
        }
        const pelti_cor_source* source = &walk->pair->sources[walk->source++];
        uint32_t size = walk->state->sets.sets[source->set].triangle_count;
        if (walk->skip >= size)
        {
            walk->skip -= size;
            continue;
        }
        uint32_t here = size - walk->skip < walk->left ? size - walk->skip : walk->left;
        pelti_cor_stream_begin(&walk->stream, &walk->state->pieces, source->set, source->places,
                               (pelt_range){walk->skip, here});
        walk->left -= here;
        walk->skip = 0;
    }
}

static double sample_mass(const pelti_cor_fast_state* state, const pelti_cor_sample* sample)
{
    return sample->v * sample->w * sample->area * state->area_scale;
}

static void fill_list(const pelti_cor_fast_state* state, pelti_cor_task* task)
{
    pelti_cor_list* list = &task->pair->list;
    const size_t stride = list->stride;
    const double scale = 1.0 / state->problem->sigma;
    pelti_cor_sample samples[PELTI_COR_SAMPLES];
    pair_walk walk;
    walk_begin(&walk, state, task->pair, (pelt_range){0, task->pair->triangle_count});
    float* to = list->planes;
    for (uint32_t count; (count = walk_next(&walk, samples)) > 0;)
    {
        for (uint32_t i = 0; i < count; ++i, ++to)
        {
            const pelti_cor_sample* s = &samples[i];
            double mass = sample_mass(state, s);
            to[PELTI_COR_V * stride] = (float)(s->v * scale);
            to[PELTI_COR_W * stride] = (float)(s->w * scale);
            to[PELTI_COR_MASS_X * stride] = (float)(mass * s->center[0]);
            to[PELTI_COR_MASS_Y * stride] = (float)(mass * s->center[1]);
            to[PELTI_COR_MASS_Z * stride] = (float)(mass * s->center[2]);
            to[PELTI_COR_MASS * stride] = (float)mass;
            task->mass += mass;
        }
    }
    for (; to < list->planes + stride; ++to)
    {
        for (size_t plane = 0; plane < PELTI_COR_PLANES; ++plane)
        {
            to[plane * stride] = 0.0f;
        }
    }
}

static void make_drop(pelti_cor_drop* out, const pelti_cor_fast_state* state,
                      const pelti_cor_sample* sample)
{
    double mass = sample_mass(state, sample);
    for (int i = 0; i < 16; i += 4)
    {
        out->mass[i] = (float)(mass * sample->center[0]);
        out->mass[i + 1] = (float)(mass * sample->center[1]);
        out->mass[i + 2] = (float)(mass * sample->center[2]);
        out->mass[i + 3] = (float)mass;
    }
    out->place = pelti_cor_grid_place(&state->grid, (float)sample->v, (float)sample->w);
}

static void add_table(float* to, const float* from, size_t size)
{
    for (size_t i = 0; i < size; ++i)
    {
        to[i] += from[i];
    }
}

static pelt_range part_triangles(const pelti_cor_pair* pair, uint32_t part)
{
    uint64_t all = pair->triangle_count;
    uint32_t first = (uint32_t)(all * part / pair->part_count);
    uint32_t end = (uint32_t)(all * (part + 1) / pair->part_count);
    return (pelt_range){first, end - first};
}

static void mark_filled(pelti_cor_nodes* nodes, pelti_cor_place place)
{
    for (uint32_t i = 0; i < PELTI_COR_POINTS; ++i)
    {
        nodes->rows[place.row + i] |= pelti_cor_place_bits(place);
    }
}

static void fill_table(const pelti_cor_fast_state* state, pelti_cor_task* task)
{
    const size_t size = pelti_cor_grid_size(&state->grid);
    float* table = pelti_cor_pair_masses(task->pair, &state->grid, task->part);
    float* recent = pelti_cor_pair_work(task->pair, &state->grid, task->part);
    pelti_cor_sample samples[PELTI_COR_SAMPLES];
    pelti_cor_drop drops[PELTI_COR_SAMPLES];
    pair_walk walk;
    walk_begin(&walk, state, task->pair, part_triangles(task->pair, task->part));
    memset(table, 0, size * sizeof *table);
    memset(recent, 0, size * sizeof *recent);
    uint32_t terms = 0;
    for (uint32_t count; (count = walk_next(&walk, samples)) > 0; terms += count)
    {
        uint32_t drop_count = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            double mass = sample_mass(state, &samples[i]);
            if (mass > 0.0)
            {
                make_drop(&drops[drop_count], state, &samples[i]);
                mark_filled(&task->filled, drops[drop_count++].place);
                task->mass += mass;
            }
        }
        state->kernels->spread(recent, &state->grid, drops, drop_count);
        if (terms > FLOAT_TERMS)
        {
            add_table(table, recent, size);
            memset(recent, 0, size * sizeof *recent);
            terms = 0;
        }
    }
    add_table(table, recent, size);
}

void pelti_cor_fast_gather(void* context, uint32_t index)
{
    const pelti_cor_fast_state* state = context;
    pelti_cor_task* task = &state->tasks[index];
    bool is_table = task->pair->part_count > 0;
    if (pelti_cor_step(state->problem,
                       is_table ? pelti_cor_fast_table_steps(state, task->pair) : 0))
    {
        is_table ? fill_table(state, task) : fill_list(state, task);
    }
}

// The first task of each pair speaks for it.
void pelti_cor_fast_finish(void* context, uint32_t index)
{
    const pelti_cor_fast_state* state = context;
    pelti_cor_pair* pair = state->tasks[index].pair;
    pelti_cor_nodes filled = {{0}};
    if (state->tasks[index].part > 0 || pelti_cor_is_canceled(state->problem))
    {
        return;
    }
    pair->mass = 0.0;
    for (uint32_t i = index; i < state->task_count && state->tasks[i].pair == pair; ++i)
    {
        const pelti_cor_task* task = &state->tasks[i];
        pair->mass += task->mass;
        for (uint32_t row = 0; row < PELTI_COR_ROWS_MAX; ++row)
        {
            filled.rows[row] |= task->filled.rows[row];
        }
        if (i > index)
        {
            add_table(pelti_cor_pair_masses(pair, &state->grid, 0),
                      pelti_cor_pair_masses(pair, &state->grid, task->part),
                      pelti_cor_grid_size(&state->grid));
        }
    }
    if (pair->part_count == 0)
    {
        return;
    }
    pelti_cor_nodes wanted = {{0}};
    for (uint32_t i = 0; i < state->grid.row_count; ++i)
    {
        wanted.rows[i] = atomic_load_explicit(&pair->wanted[i], memory_order_relaxed);
    }
    state->kernels->convolve(pelti_cor_pair_sums(pair, &state->grid),
                             pelti_cor_pair_masses(pair, &state->grid, 0), &state->grid, &wanted,
                             &filled);
}
