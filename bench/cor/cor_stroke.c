// SPDX-License-Identifier: MIT
// What pelt_cor_update() takes after a stroke of a painting tool.
#include "cor_stroke.h"
#include "pelt/metrics.h"

#include "bench.h"
#include "paint.h"

#include <string.h>

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
    pelt_result result = pelt_cor_solve(&out, &(pelt_cor_input){1, &mesh}, &run->options, NULL);
    run->result = run->result == PELT_OK ? result : run->result;
}

static void run_whole(void* context)
{
    stroke_run* run = context;
    solve(run, run->whole, &run->after);
}

// Copying the old centers is part of the time; it is short beside the update.
static void run_update(void* context)
{
    stroke_run* run = context;
    const pelt_mesh* mesh = &run->after;
    const pelt_weights* before = &run->before.weights;
    pelt_cor_report report = {0};
    memcpy(run->updated, run->old, mesh->vertex_count * sizeof *run->updated);
    pelt_result result = pelt_cor_update(&run->updated, &(pelt_cor_input){1, &mesh}, &before,
                                         &run->options, &report);
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
