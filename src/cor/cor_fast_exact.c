// SPDX-License-Identifier: MIT
// The fast solver: vertices whose sums in float say too little, by the definition.
#include "../base/exact.h"

#include "cor_fast.h"

#include <string.h>

enum
{
    CHUNK = 512 // vertices per task
};

// A sum from tables counts when it is not so much smaller than the mass they hold that errors of
// interpolation (see pelti_cor_grid_make) could show. Lists lose nothing but what float cannot
// hold.
static const double trusted_part = 2e-2, trusted_list_part = 1e-25;

typedef struct exact_list
{
    const pelti_cor_fast_state* state;
    uint8_t* is_doubtful; // each vertex to do
    uint32_t* vertices;   // as places in todo
    uint32_t count;
} exact_list;

static void add_trusted(void* context, pelti_cor_pair* pair, float x, float y)
{
    double* trusted = context;
    double part = pair->part_count > 0 ? trusted_part : trusted_list_part;
    *trusted += part * pair->mass * (double)x * (double)y;
}

static void judge_chunk(void* context, uint32_t index)
{
    const exact_list* list = context;
    const pelti_cor_fast_state* state = list->state;
    pelt_range range = pelti_cor_chunk(state->problem->todo_count, CHUNK, index);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        double trusted = 0.0;
        pelti_cor_fast_pairs_of(state, state->problem->todo[i], add_trusted, &trusted);
        list->is_doubtful[i] = trusted > 0.0 && !(state->sums[i][3] > trusted);
    }
}

static void choose_vertices(exact_list* list)
{
    uint32_t todo_count = list->state->problem->todo_count;
    pelt_run(pelti_cor_chunk_count(todo_count, CHUNK), judge_chunk, list);
    for (uint32_t i = 0; i < todo_count; ++i)
    {
        if (list->is_doubtful[i])
        {
            list->vertices[list->count++] = i;
        }
    }
}

// Eq. 1 and 4 for one pair, over the triangles of one set, in double.
static void add_exactly(double sums[4], const pelti_cor_fast_state* state, uint32_t set,
                        const uint32_t places[2], const double weights[2])
{
    double scale = 1.0 / (state->problem->sigma * state->problem->sigma);
    pelti_cor_sample samples[PELTI_COR_SAMPLES];
    pelti_cor_stream stream;
    pelti_cor_stream_begin(&stream, &state->pieces, set, places,
                           (pelt_range){0, state->sets.sets[set].triangle_count});
    for (uint32_t count; (count = pelti_cor_stream_next(&stream, samples, PELTI_COR_SAMPLES)) > 0;)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            const pelti_cor_sample* s = &samples[i];
            double distance = weights[0] * s->w - weights[1] * s->v;
            double mass =
                weights[0] * weights[1] * s->v * s->w * s->area * exp(-distance * distance * scale);
            sums[0] += mass * s->center[0];
            sums[1] += mass * s->center[1];
            sums[2] += mass * s->center[2];
            sums[3] += mass;
        }
    }
}

// The place of a joint in a set's list; PELT_NONE when it is not there.
static uint32_t place_of(const pelti_cor_sets* sets, const pelti_cor_set* set, uint32_t joint)
{
    for (uint32_t i = 0; i < set->joint_count; ++i)
    {
        if (sets->joints[set->joint_first + i] == joint)
        {
            return i;
        }
    }
    return PELT_NONE;
}

static void solve_exactly(void* context, uint32_t index)
{
    const exact_list* list = context;
    const pelti_cor_fast_state* state = list->state;
    const pelti_cor_surface* surface = &state->problem->surface;
    double* sums = state->sums[list->vertices[index]];
    uint32_t vertex = state->problem->todo[list->vertices[index]];
    memset(sums, 0, 4 * sizeof *sums);
    for (uint32_t s = 0; s < state->sets.set_count && !pelti_cor_is_canceled(state->problem); ++s)
    {
        const pelti_cor_set* set = &state->sets.sets[s];
        for (uint32_t i = surface->first[vertex]; i < surface->first[vertex + 1]; ++i)
        {
            uint32_t places[2] = {place_of(&state->sets, set, surface->weights[i].joint)};
            for (uint32_t k = i + 1; k < surface->first[vertex + 1] && places[0] != PELT_NONE; ++k)
            {
                const double weights[2] = {(double)surface->weights[i].weight,
                                           (double)surface->weights[k].weight};
                places[1] = place_of(&state->sets, set, surface->weights[k].joint);
                if (places[1] != PELT_NONE && set->triangle_count > 0)
                {
                    add_exactly(sums, state, s, places, weights);
                }
            }
        }
    }
}

bool pelti_cor_fast_exact(pelti_cor_fast_state* state)
{
    pelti_cor_problem* problem = state->problem;
    exact_list list = {.state = state};
    list.is_doubtful = pelti_cor_allocate(problem, problem->todo_count, 1);
    list.vertices = pelti_cor_allocate(problem, problem->todo_count, sizeof *list.vertices);
    bool is_ok = list.is_doubtful != NULL && list.vertices != NULL;
    if (is_ok)
    {
        choose_vertices(&list);
        pelt_run(list.count, solve_exactly, &list);
        problem->report.exact_count = list.count;
    }
    pelti_cor_release(problem, list.vertices);
    pelti_cor_release(problem, list.is_doubtful);
    return is_ok;
}
