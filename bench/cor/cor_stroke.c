// SPDX-License-Identifier: MIT
// A stroke of a painting tool changes weights on a patch of a mesh; pelt_cor_update() then solves
// the centers of rotation that depend on them.
#include "cor_stroke.h"

#include "clock.h"
#include "pelt/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Painting

uint32_t paint_find_shared(const pelt_weights* weights, uint32_t joint)
{
    uint32_t best = PELT_NONE;
    float best_distance = 0.5f; // of weights 0 and 1
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            float distance = fabsf(weights->influences[i].weight - 0.5f);
            if (weights->influences[i].joint == joint && distance < best_distance)
            {
                best = v;
                best_distance = distance;
            }
        }
    }
    return best;
}

typedef struct neighbor
{
    float distance;
    uint32_t vertex;
} neighbor;

static int compare_neighbors(const void* a, const void* b)
{
    const neighbor *p = a, *q = b;
    if (p->distance != q->distance)
    {
        return p->distance < q->distance ? -1 : 1;
    }
    return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

static neighbor* sort_neighbors(const pelt_mesh* mesh, uint32_t center, pelt_arena* arena)
{
    neighbor* out = pelt_arena_alloc(arena, mesh->vertex_count, sizeof *out);
    for (uint32_t v = 0; out != NULL && v < mesh->vertex_count; ++v)
    {
        out[v] = (neighbor){pelt_vec3_distance(mesh->positions[v], mesh->positions[center]), v};
    }
    if (out != NULL)
    {
        qsort(out, mesh->vertex_count, sizeof *out, compare_neighbors);
    }
    return out;
}

// Weights with an unused slot for one more influence at every vertex.
typedef struct roomy_weights
{
    uint32_t* first;
    uint32_t* joints;
    float* weights;
} roomy_weights;

static bool make_roomy(roomy_weights* out, const pelt_weights* from, pelt_arena* arena)
{
    size_t count = (size_t)from->influence_count + from->vertex_count;
    out->first = pelt_arena_alloc(arena, (size_t)from->vertex_count + 1, sizeof *out->first);
    out->joints = pelt_arena_alloc(arena, count, sizeof *out->joints);
    out->weights = pelt_arena_alloc(arena, count, sizeof *out->weights);
    if (out->first == NULL || out->joints == NULL || out->weights == NULL)
    {
        return false;
    }
    for (uint32_t v = 0; v < from->vertex_count; ++v)
    {
        out->first[v + 1] = from->first[v + 1] + v + 1;
        for (uint32_t i = from->first[v]; i < from->first[v + 1]; ++i)
        {
            out->joints[i + v] = from->influences[i].joint;
            out->weights[i + v] = from->influences[i].weight;
        }
    }
    return true;
}

// The slot of a joint at a vertex, or the unused one.
static uint32_t slot_of(const roomy_weights* in, uint32_t vertex, uint32_t joint)
{
    uint32_t slot = in->first[vertex], last = in->first[vertex + 1] - 1;
    while (slot < last && in->joints[slot] != joint)
    {
        ++slot;
    }
    return slot;
}

static void paint_vertex(roomy_weights* weights, uint32_t vertex, const pelt_influence pair[2])
{
    uint32_t strongest = weights->first[vertex];
    uint32_t to = weights->joints[strongest] == pair[0].joint ? pair[1].joint : pair[0].joint;
    uint32_t slot = slot_of(weights, vertex, to);
    float shift = 0.2f * weights->weights[strongest];
    weights->joints[slot] = to;
    weights->weights[slot] += shift;
    weights->weights[strongest] -= shift;
}

pelt_result paint_patch(pelt_mesh* before, pelt_mesh* after, const pelt_mesh* mesh, uint32_t center,
                        uint32_t count, pelt_arena* arena)
{
    const pelt_weights* old = &mesh->weights;
    PELT_ASSERT(count <= mesh->vertex_count && old->first[center + 1] - old->first[center] >= 2);
    *before = *after = *mesh;
    roomy_weights roomy;
    neighbor* patch = sort_neighbors(mesh, center, arena);
    if (patch == NULL || !make_roomy(&roomy, old, arena))
    {
        return PELT_ERROR_MEMORY;
    }
    // Import both, so that weights outside the patch are rounded in the same way.
    pelt_weights_source source = {.vertex_count = old->vertex_count,
                                  .joint_count = old->joint_count,
                                  .first = roomy.first,
                                  .joints_u32 = roomy.joints,
                                  .weights = roomy.weights};
    PELT_TRY(pelt_weights_import(&before->weights, NULL, &source, arena));
    for (uint32_t i = 0; i < count; ++i)
    {
        paint_vertex(&roomy, patch[i].vertex, old->influences + old->first[center]);
    }
    return pelt_weights_import(&after->weights, NULL, &source, arena);
}

// ---------------------------------------------------------------------------------------------
// Measuring

enum
{
    PATCH = 500
};

typedef struct stroke_run
{
    pelt_mesh before, after;
    pelt_vec3 *old, *updated, *whole; // centers
    pelt_cor_options options;
    uint32_t solved_count;
    pelt_result result;
} stroke_run;

static void solve(stroke_run* run, pelt_vec3* out, const pelt_mesh* mesh)
{
    pelt_result result =
        pelt_cor_solve(&out, &(pelt_cor_input){1, &mesh}, &run->options, NULL, NULL);
    run->result = run->result == PELT_OK ? result : run->result;
}

static void run_whole(void* context)
{
    stroke_run* run = context;
    solve(run, run->whole, &run->after);
}

// The time includes a copy of the old centers, which is short compared with the update.
static void run_update(void* context)
{
    stroke_run* run = context;
    const pelt_mesh* mesh = &run->after;
    const pelt_weights* before = &run->before.weights;
    pelt_cor_report report = {0};
    memcpy(run->updated, run->old, mesh->vertex_count * sizeof *run->updated);
    pelt_result result = pelt_cor_update(&run->updated, &(pelt_cor_input){1, &mesh}, &before,
                                         &run->options, &report, NULL);
    run->solved_count = report.solved_count;
    run->result = run->result == PELT_OK ? result : run->result;
}

static pelt_result prepare(stroke_run* run, const pelt_mesh* mesh, uint32_t joint,
                           pelt_arena* arena)
{
    uint32_t center = paint_find_shared(&mesh->weights, joint);
    PELT_ASSERT(center != PELT_NONE && mesh->vertex_count >= PATCH);
    run->old = pelt_arena_alloc(arena, mesh->vertex_count, sizeof *run->old);
    run->updated = pelt_arena_alloc(arena, mesh->vertex_count, sizeof *run->updated);
    run->whole = pelt_arena_alloc(arena, mesh->vertex_count, sizeof *run->whole);
    if (run->old == NULL || run->updated == NULL || run->whole == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    return paint_patch(&run->before, &run->after, mesh, center, PATCH, arena);
}

pelt_result cor_stroke_measure(cor_stroke* out, const pelt_mesh* mesh, uint32_t joint,
                               float epsilon, double budget)
{
    stroke_run run = {.options = {.solver = PELT_COR_FAST, .epsilon = epsilon}};
    pelt_arena* arena = pelt_arena_create();
    run.result = arena != NULL ? prepare(&run, mesh, joint, arena) : PELT_ERROR_MEMORY;
    if (run.result == PELT_OK)
    {
        solve(&run, run.old, &run.before);
        out->whole_seconds = bench_fastest(run_whole, &run, budget);
        out->update_seconds = bench_fastest(run_update, &run, budget);
        out->changed_count = PATCH;
        out->solved_count = run.solved_count;
        out->difference = pelt_positions_compare(run.updated, run.whole, mesh->vertex_count).max;
    }
    pelt_arena_destroy(arena);
    return run.result;
}
