// SPDX-License-Identifier: MIT
// Suite `deform`: deformers at every size, number of influences, instruction set, number of threads
// and rule of normals that is asked for, and the reference.
#include "bench_json.h"
#include "clock.h"
#include "deform_job.h"
#include "pelt/ddm.h"
#include "rigs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// References

static const bench_column reference_columns[] = {
    {"rig", "RIG", BENCH_TEXT},          {"method", "METHOD", BENCH_TEXT},
    {"vertices", "VERTICES", 0},         {"ns_per_vertex", "NS/VERTEX", 2},
    {"ratio_to_lbs", "TO LBS", 2},       {"ratio_to_loop", "TO LOOP", 2},
    {"ratio_to_memory", "TO MEMORY", 2},
};

static const bench_column smoothing_columns[] = {
    {"rig", "RIG", BENCH_TEXT},
    {"vertices", "VERTICES", 0},
    {"ms", "MS", 1},
    {"ratio_to_cors", "TO CORS", 2},
    {"joints_per_vertex", "JOINTS", 2},
    {"bytes_per_vertex", "BYTES/VERTEX", 0},
};

static const char* const rig_names[] = {"rig:cuboid", "rig:human"};

typedef struct deform_run
{
    pelt_surface out;
    pelt_deform_input input;
    pelt_deform_options options;
    pelt_range range;
} deform_run;

static void run_deform(void* context)
{
    deform_run* run = context;
    pelt_deform(&run->out, &run->input, &run->options, run->range);
}

// A straightforward loop, to which the reference is compared. Its normals are the same, except for
// matrices that mirror, are singular or exceed the range of float.
static void run_loop(void* context)
{
    const deform_run* run = context;
    const pelt_deform_input* input = &run->input;
    for (uint32_t v = 0; v < run->range.count; ++v)
    {
        pelt_mat34 sum = {0};
        for (uint32_t i = input->weights->first[v]; i < input->weights->first[v + 1]; ++i)
        {
            const pelt_influence* inf = &input->weights->influences[i];
            sum = pelt_mat34_mad(&sum, inf->weight, &input->palette->matrices[inf->joint]);
        }
        pelt_mat3 linear = pelt_mat34_linear(&sum), cofactor = pelt_mat3_cofactor(&linear);
        pelt_vec3 n = pelt_mat3_vector(&cofactor, input->normals[v]);
        run->out.positions[v] = pelt_mat34_point(&sum, input->positions[v]);
        run->out.normals[v] = pelt_vec3_scale(n, 1.0f / sqrtf(pelt_vec3_dot(n, n)));
    }
}

typedef struct copy_run
{
    char* to;
    char* from;
    size_t size;
} copy_run;

static void run_copy(void* context)
{
    copy_run* run = context;
    memcpy(run->to, run->from, run->size);
    // Change the source of the next copy, so that the compiler cannot remove this one.
    run->from[0] = (char)(run->to[run->size - 1] + 1);
}

// Time to copy the bytes that lbs reads and writes: rest positions and normals, offsets and
// influences; positions and normals. A copy reads and writes each byte.
static pelt_result measure_memory(double* seconds, const pelt_mesh* mesh, double budget)
{
    const pelt_weights* weights = &mesh->weights;
    size_t vertex_bytes = 4 * sizeof(pelt_vec3) + sizeof(uint32_t);
    size_t bytes =
        mesh->vertex_count * vertex_bytes + weights->influence_count * sizeof(pelt_influence);
    copy_run run = {.size = bytes / 2 + 1};
    run.to = calloc(run.size, 1);
    run.from = calloc(run.size, 1);
    pelt_result result = run.to != NULL && run.from != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    if (result == PELT_OK)
    {
        memset(run.from, 1, run.size); // the system maps all zero pages to one page
        *seconds = bench_fastest(run_copy, &run, budget);
    }
    free(run.to);
    free(run.from);
    return result;
}

// Seconds for all vertices.
typedef struct reference_times
{
    double own, lbs, loop, memory;
} reference_times;

static void add_reference_row(bench_table* out, const char* rig, const char* method,
                              double vertex_count, const reference_times* seconds)
{
    bench_cell* row = bench_row_add(out);
    bench_cell_set(&row[0], rig);
    bench_cell_set(&row[1], method);
    row[2].number = vertex_count;
    row[3].number = 1e9 * seconds->own / vertex_count;
    row[4].number = seconds->own / seconds->lbs;
    row[5].number = seconds->own / seconds->loop;
    row[6].number = seconds->own / seconds->memory;
}

static pelt_result measure_mesh(bench_table* out, const char* rig, const pelt_mesh* mesh,
                                const pelt_palette* palette, double budget)
{
    deform_run run = {
        .input = {.positions = mesh->positions,
                  .normals = mesh->normals,
                  .cors = mesh->positions, // take as long as real centers
                  .weights = &mesh->weights,
                  .palette = palette},
        .range = {0, mesh->vertex_count},
    };
    run.out.positions = pelt_allocate(mesh->vertex_count, sizeof(pelt_vec3));
    run.out.normals = pelt_allocate(mesh->vertex_count, sizeof(pelt_vec3));
    reference_times seconds = {0};
    pelt_result result = run.out.positions != NULL && run.out.normals != NULL
                             ? measure_memory(&seconds.memory, mesh, budget)
                             : PELT_ERROR_MEMORY;
    if (result == PELT_OK)
    {
        seconds.lbs = bench_fastest(run_deform, &run, budget);
        seconds.loop = seconds.own = bench_fastest(run_loop, &run, budget);
        add_reference_row(out, rig, "loop", mesh->vertex_count, &seconds);
    }
    for (uint32_t i = 0; result == PELT_OK && i < PELT_METHOD_COUNT; ++i)
    {
        run.options = (pelt_deform_options){.method = (pelt_method)i, .mix = 0.5f};
        seconds.own = i == PELT_METHOD_LBS ? seconds.lbs : bench_fastest(run_deform, &run, budget);
        add_reference_row(out, rig, pelt_method_name((pelt_method)i), mesh->vertex_count, &seconds);
    }
    pelt_release(run.out.positions);
    pelt_release(run.out.normals);
    return result;
}

// The largest skinned mesh of a rig, in the middle of its default clip.
static pelt_result measure_scene(bench_table* out, const char* rig, const pelt_scene* scene,
                                 double budget)
{
    const pelt_instance* chosen = NULL;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        bool is_larger = chosen == NULL || scene->meshes[instance->mesh].vertex_count >
                                               scene->meshes[chosen->mesh].vertex_count;
        chosen = instance->skin != PELT_NONE && is_larger ? instance : chosen;
    }
    PELT_ASSERT(chosen != NULL);

    pelt_pose pose;
    pelt_frame frame;
    PELT_TRY(pelt_pose_create(&pose, scene));
    pelt_result result = pelt_frame_create(&frame, scene);
    if (result == PELT_OK)
    {
        if (scene->clip_count > 0)
        {
            const pelt_clip* clip = &scene->clips[pelt_scene_default_clip(scene)];
            pelt_pose_sample(&pose, scene, clip, 0.5f * clip->duration, PELT_WRAP_CLAMP);
        }
        pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){0});
        result = measure_mesh(out, rig, &scene->meshes[chosen->mesh], &frame.palettes[chosen->skin],
                              budget);
        pelt_frame_destroy(&frame);
    }
    pelt_pose_destroy(&pose);
    return result;
}

// Smoothed weights for ddm, which take as long to compute as so many centers of rotation.
static pelt_result add_smoothing(bench_table* out, const char* rig, pelt_scene* inout,
                                 pelt_arena* arena)
{
    pelt_scene centers = *inout;
    pelt_ddm_report report;
    double start = clock_seconds();
    PELT_TRY(pelt_scene_add_cors(&centers, PELT_PREPARE_ALL, NULL, NULL, arena, NULL));
    double middle = clock_seconds();
    PELT_TRY(pelt_scene_add_ddm(inout, PELT_PREPARE_ALL, NULL, &report, arena, NULL));
    double end = clock_seconds();
    bench_cell* row = bench_row_add(out);
    bench_cell_set(&row[0], rig);
    row[1].number = report.vertex_count;
    row[2].number = 1e3 * (end - middle);
    row[3].number = (end - middle) / (middle - start);
    row[4].number = (double)report.influence_count / report.vertex_count;
    row[5].number = (double)report.bytes / report.vertex_count;
    return PELT_OK;
}

static pelt_result measure_rig(bench_table* references, bench_table* smoothing, const char* rig,
                               const pelt_scene* scene, double budget)
{
    pelt_scene prepared = *scene;
    pelt_arena* arena = pelt_arena_create();
    pelt_result result =
        arena != NULL ? add_smoothing(smoothing, rig, &prepared, arena) : PELT_ERROR_MEMORY;
    if (result == PELT_OK)
    {
        result = measure_scene(references, rig, &prepared, budget);
    }
    pelt_arena_destroy(arena);
    return result;
}

static pelt_result measure_references(bench_report* out, const bench_options* options,
                                      pelt_error* error)
{
    bench_table* table = bench_table_add(out, "references", reference_columns,
                                         sizeof reference_columns / sizeof reference_columns[0]);
    bench_table* smoothing =
        bench_table_add(out, "smoothing", smoothing_columns,
                        sizeof smoothing_columns / sizeof smoothing_columns[0]);
    double budget = options->is_quick ? 0.001 : 0.2;
    size_t rig_count = options->is_quick ? 1 : sizeof rig_names / sizeof rig_names[0];
    for (size_t i = 0; i < rig_count; ++i)
    {
        pelt_scene* scene;
        PELT_TRY(pelt_rig_build(&scene, rig_names[i], error));
        pelt_result result = measure_rig(table, smoothing, rig_names[i], scene, budget);
        pelt_scene_destroy(scene);
        if (result != PELT_OK)
        {
            return pelt_error_memory(error);
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Suite

pelt_result bench_deform(bench_report* out, const bench_options* options, pelt_error* error)
{
    deform_plan plan;
    pelt_result result = deform_plan_create(&plan, options, bench_thread_count(), error);
    if (result == PELT_OK)
    {
        result = bench_deformers(out, &plan, options, error);
    }
    // A list of points is measured alone.
    if (result == PELT_OK && plan.is_star)
    {
        result = measure_references(out, options, error);
    }
    bench_tell(options, NULL);
    return result;
}
