// SPDX-License-Identifier: MIT
// The fast solver: vertices whose sums in float say too little, by the definition, as long as that
// is no more than a second or two of work.
#include "../base/exact.h"

#include "cor_fast.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SAMPLES = 128,       // of a triangle at a time
    TERMS_MAX = 1 << 25, // of all exact sums together, at about 50 ns each; characters have 1e6
};

// Below this part of what is trusted, a sum from tables may be off by 1 % or more.
static const double usable_part = 5e-3;

typedef struct exact_vertex
{
    uint32_t place;  // in sets.todo
    double trust;    // its sum, as a part of what would be trusted
    uint64_t number; // of terms
} exact_vertex;

typedef struct exact_list
{
    const pelti_cor_fast_state* state;
    exact_vertex* vertices;
    uint32_t count;
    uint64_t term_count;
} exact_list;

static uint64_t count_terms(const pelti_cor_fast_state* state, uint32_t place)
{
    const pelti_cor_surface* surface = &state->problem->surface;
    uint32_t vertex = state->sets.todo[place], end = surface->first[vertex + 1];
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
                                : (x->place > y->place) - (x->place < y->place);
}

// Where there are too many terms, keep the vertices that need it most. The others stay with what
// tables say, or are their own centers where that is nothing.
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
        double* sums = list->state->sums[list->vertices[i].place].parts;
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
    double* sums = state->sums[list->vertices[index].place].parts;
    uint32_t vertex = state->sets.todo[list->vertices[index].place];
    memset(sums, 0, 4 * sizeof *sums);
    for (uint32_t i = surface->first[vertex]; i < surface->first[vertex + 1]; ++i)
    {
        for (uint32_t k = i + 1; k < surface->first[vertex + 1]; ++k)
        {
            const pelti_cor_weight pair[2] = {surface->weights[i], surface->weights[k]};
            pelti_cor_common common;
            uint32_t places[2];
            pelti_cor_common_begin(&common, &state->sets,
                                   (const uint32_t[2]){pair[0].joint, pair[1].joint}, 0);
            for (uint32_t s; (s = pelti_cor_common_next(&common, places)) != PELT_NONE &&
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
