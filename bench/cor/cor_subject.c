// SPDX-License-Identifier: MIT
// Times and errors of the solvers of centers of rotation, on the meshes of one skin.
#include "cor_subject.h"

#include "bench.h"
#include "clock.h"

// ---------------------------------------------------------------------------------------------
// Subject

static bool has_mesh(const cor_subject* subject, const pelt_mesh* mesh)
{
    for (uint32_t i = 0; i < subject->input.mesh_count; ++i)
    {
        if (subject->input.meshes[i] == mesh)
        {
            return true;
        }
    }
    return false;
}

// Each mesh once, however many instances it has.
static void gather(cor_subject* out, const pelt_mesh** meshes, const pelt_scene* scene,
                   uint32_t skin)
{
    pelt_bounds bounds = pelt_bounds_empty();
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        bool is_ours = scene->instances[i].skin == skin && mesh->weights.vertex_count > 0;
        if (is_ours && !has_mesh(out, mesh))
        {
            meshes[out->input.mesh_count++] = mesh;
            out->vertex_count += mesh->vertex_count;
            out->triangle_count += mesh->index_count / 3;
            out->max_influences = mesh->weights.max_influences > out->max_influences
                                      ? mesh->weights.max_influences
                                      : out->max_influences;
            pelt_bounds_add(&bounds, mesh->positions, mesh->vertex_count);
        }
    }
    out->diagonal = (double)pelt_bounds_diagonal(&bounds);
}

static bool allocate_centers(cor_subject* out)
{
    bool is_ok = true;
    for (int solver = 0; is_ok && solver < PELT_COR_SOLVER_COUNT; ++solver)
    {
        pelt_vec3** centers = pelt_arena_alloc(out->arena, out->input.mesh_count, sizeof *centers);
        is_ok = centers != NULL;
        for (uint32_t m = 0; is_ok && m < out->input.mesh_count; ++m)
        {
            centers[m] = pelt_arena_alloc(out->arena, out->input.meshes[m]->vertex_count,
                                          sizeof *centers[m]);
            is_ok = centers[m] != NULL;
        }
        out->centers[solver] = centers;
    }
    return is_ok;
}

pelt_result cor_subject_create(cor_subject* out, const pelt_scene* scene, uint32_t skin)
{
    *out = (cor_subject){.joint_count = scene->skins[skin].joint_count};
    out->arena = pelt_arena_create();
    const pelt_mesh** meshes =
        out->arena != NULL ? pelt_arena_alloc(out->arena, scene->instance_count, sizeof *meshes)
                           : NULL;
    bool is_ok = meshes != NULL;
    if (is_ok)
    {
        out->input.meshes = meshes;
        gather(out, meshes, scene, skin);
        is_ok = allocate_centers(out);
    }
    if (!is_ok)
    {
        cor_subject_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    return PELT_OK;
}

void cor_subject_destroy(cor_subject* subject)
{
    pelt_arena_destroy(subject->arena);
    *subject = (cor_subject){0};
}

// ---------------------------------------------------------------------------------------------
// Times

typedef struct solver_run
{
    const cor_subject* subject;
    pelt_cor_options options;
    pelt_cor_report report;
    pelt_result result;
} solver_run;

static void run_solver(void* context)
{
    solver_run* run = context;
    pelt_vec3* const* out = run->subject->centers[run->options.solver];
    pelt_result result =
        pelt_cor_solve(out, &run->subject->input, &run->options, &run->report, NULL);
    run->result = run->result == PELT_OK ? result : run->result;
}

pelt_result cor_subject_time_fast(cor_time* out, cor_subject* subject, float epsilon, double budget)
{
    solver_run run = {.subject = subject, .options = {.solver = PELT_COR_FAST, .epsilon = epsilon}};
    *out = (cor_time){.seconds = bench_fastest(run_solver, &run, budget)};
    subject->report = run.report;
    return run.result;
}

// Mark all centers as not solved.
static void forget_centers(const cor_subject* subject, pelt_cor_solver solver)
{
    for (uint32_t m = 0; m < subject->input.mesh_count; ++m)
    {
        for (uint32_t v = 0; v < subject->input.meshes[m]->vertex_count; ++v)
        {
            subject->centers[solver][m][v].x = NAN;
        }
    }
}

static uint32_t choose_stride(const pelt_cor_report* report, cor_effort effort)
{
    double terms = (double)report->solved_count *
                   fmax((double)report->sample_count, (double)report->triangle_count);
    uint32_t stride = 1;
    while (terms / stride > effort.most_terms && report->solved_count / stride >= 2 * effort.least)
    {
        stride *= 2;
    }
    return stride;
}

// There is no run to warm up: its effect is small compared with seconds.
static double time_slow_run(solver_run* run, uint32_t stride, cor_effort effort)
{
    double best = (double)INFINITY, end = clock_seconds() + effort.patience;
    run->options.stride = stride;
    for (int i = 0; i < effort.least_runs || clock_seconds() < end; ++i)
    {
        double start = clock_seconds();
        run_solver(run);
        best = fmin(best, clock_seconds() - start);
    }
    return best;
}

// The time with one vertex is the part that does not grow with the number of vertices.
static double time_sample(solver_run* run, uint32_t stride, cor_effort effort)
{
    double fixed = time_slow_run(run, UINT32_MAX, effort);
    double seconds = time_slow_run(run, stride, effort);
    double scale = (double)run->subject->report.solved_count / (double)run->report.solved_count;
    return seconds > fixed ? fixed + (seconds - fixed) * scale : (double)NAN;
}

pelt_result cor_subject_time_slow(cor_time* out, cor_subject* subject,
                                  const pelt_cor_options* options, cor_effort effort)
{
    uint32_t stride = choose_stride(&subject->report, effort);
    solver_run run = {.subject = subject, .options = *options};
    forget_centers(subject, options->solver);
    *out = (cor_time){.is_estimate = stride > 1};
    out->seconds =
        out->is_estimate ? time_sample(&run, stride, effort) : time_slow_run(&run, stride, effort);
    if (run.result == PELT_ERROR_MEMORY)
    {
        out->seconds = (double)NAN;
        return PELT_OK;
    }
    return run.result;
}

// ---------------------------------------------------------------------------------------------
// Errors

double cor_subject_error(const cor_subject* subject, pelt_cor_solver solver)
{
    double worst = (double)NAN;
    for (uint32_t m = 0; m < subject->input.mesh_count; ++m)
    {
        const pelt_vec3* found = subject->centers[solver][m];
        const pelt_vec3* expected = subject->centers[PELT_COR_FULL][m];
        for (uint32_t v = 0; v < subject->input.meshes[m]->vertex_count; ++v)
        {
            // Where either is missing the distance is NaN, which fmax() ignores.
            worst = fmax(worst, (double)pelt_vec3_distance(found[v], expected[v]));
        }
    }
    return worst / subject->diagonal;
}
