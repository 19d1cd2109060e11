// SPDX-License-Identifier: MIT
// Deformers against the reference, and against touching the bytes that they move.
#include "deformer_rows.h"

#include "pelt/deformer.h"
#include "rigs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bench_column columns[] = {
    {"method", "METHOD", BENCH_TEXT},        {"vertices", "VERTICES", 0},
    {"order", "ORDER", BENCH_TEXT},          {"isa", "ISA", BENCH_TEXT},
    {"ns_per_vertex", "NS/VERTEX", 2},       {"speedup", "TIMES REFERENCE", 1},
    {"memory_percent", "% OF MEMORY", 0},    {"prepare_frames", "PREPARATION", 1},
    {"palette_ns_per_joint", "NS/JOINT", 1},
};

static const char* const characters[] = {"human?vertices=2000", "human?vertices=25000",
                                         "human?vertices=100000", "human?vertices=320000"};

// A character in a pose.
typedef struct subject
{
    pelt_scene* scene;
    pelt_pose pose;
    pelt_frame frame;
    const pelt_mesh* mesh;
} subject;

static void subject_destroy(subject* s)
{
    pelt_frame_destroy(&s->frame);
    pelt_pose_destroy(&s->pose);
    pelt_scene_destroy(s->scene);
}

static pelt_result subject_create(subject* out, const char* name, pelt_error* error)
{
    *out = (subject){0};
    pelt_result result = pelt_rig_build(&out->scene, name, error);
    if (result != PELT_OK)
    {
        return result;
    }
    out->mesh = &out->scene->meshes[0];
    if (pelt_pose_create(&out->pose, out->scene) != PELT_OK ||
        pelt_frame_create(&out->frame, out->scene) != PELT_OK)
    {
        subject_destroy(out);
        return pelt_error_memory(error);
    }
    const pelt_clip* clip = &out->scene->clips[pelt_scene_default_clip(out->scene)];
    pelt_pose_sample(&out->pose, out->scene, clip, 0.5f * clip->duration, PELT_WRAP_CLAMP);
    pelt_frame_update(&out->frame, out->scene, &out->pose, &(pelt_deform_options){0});
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// What is timed

typedef struct deformer_job
{
    const subject* subject;
    pelt_deformer_source source;
    pelt_deformer_options how;
    pelt_deform_options options;
    pelt_deformer* deformer;
    char* memory; // as many bytes as the deformer reads
    size_t read_size;
    uint64_t sum; // of what was read, so that it is
} deformer_job;

static void run_deformer(void* context)
{
    deformer_job* job = context;
    pelt_deformer_run(job->deformer, &job->subject->frame.surfaces[0],
                      &job->subject->frame.palettes[0], &job->options,
                      (pelt_range){0, pelt_deformer_block_count(job->deformer)});
}

static void run_reference(void* context)
{
    deformer_job* job = context;
    const pelt_deform_input input = {.positions = job->source.positions,
                                     .normals = job->source.normals,
                                     .cors = job->source.cors,
                                     .weights = job->source.weights,
                                     .palette = &job->subject->frame.palettes[0]};
    pelt_deform(&job->subject->frame.surfaces[0], &input, &job->options,
                (pelt_range){0, job->subject->mesh->vertex_count});
}

static void run_create(void* context)
{
    deformer_job* job = context;
    pelt_deformer_destroy(job->deformer);
    if (pelt_deformer_create(&job->deformer, &job->source, &job->how) != PELT_OK)
    {
        job->deformer = NULL;
    }
}

static void run_palette(void* context)
{
    deformer_job* job = context;
    const subject* s = job->subject;
    pelt_palette_build(&s->frame.palettes[0], &s->scene->skins[0], s->frame.model_from_node);
}

// Write positions and normals, and read as much as the deformer does.
static void run_touch(void* context)
{
    deformer_job* job = context;
    const pelt_surface* out = &job->subject->frame.surfaces[0];
    size_t size = job->subject->mesh->vertex_count * sizeof(pelt_vec3);
    memcpy(out->positions, job->memory, size);
    memcpy(out->normals, job->memory + size, size);
    for (size_t at = 2 * size; at + sizeof job->sum <= job->read_size; at += sizeof job->sum)
    {
        uint64_t word;
        memcpy(&word, job->memory + at, sizeof word);
        job->sum += word;
    }
    job->memory[0] = (char)(job->sum + (uint64_t)out->positions[0].x);
}

// ---------------------------------------------------------------------------------------------

static void measure_method(bench_table* out, deformer_job* job, double budget)
{
    const uint32_t count = job->subject->mesh->vertex_count;
    double own = bench_fastest(run_deformer, job, budget);
    double touch = bench_fastest(run_touch, job, budget);
    double reference = bench_fastest(run_reference, job, budget);
    double create = bench_fastest(run_create, job, budget);
    double palette = bench_fastest(run_palette, job, 0.1 * budget);
    bench_cell* row = bench_row_add(out);
    bench_cell_set(&row[0], pelt_method_name(job->options.method));
    row[1].number = count;
    bench_cell_set(&row[2], job->how.order == PELT_ORDER_SORTED ? "sorted" : "kept");
    bench_cell_set(&row[3], pelt_deformer_isa());
    row[4].number = 1e9 * own / count;
    row[5].number = reference / own;
    row[6].number = 100.0 * touch / own;
    row[7].number = create / reference;
    row[8].number = 1e9 * palette / job->subject->scene->skins[0].joint_count;
}

static pelt_result measure_job(bench_table* out, deformer_job* job, double budget)
{
    run_create(job);
    if (job->deformer == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    // Without the order, which is read only where it is kept.
    uint32_t count = job->subject->mesh->vertex_count;
    bool is_kept = job->how.order == PELT_ORDER_KEPT;
    job->read_size = pelt_deformer_bytes(job->deformer) - (is_kept ? 4u : 8u) * (size_t)count;
    job->memory = malloc(job->read_size);
    pelt_result result = job->memory != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    if (result == PELT_OK)
    {
        memset(job->memory, 1, job->read_size); // zero pages would all be one page
        measure_method(out, job, budget);
    }
    free(job->memory);
    pelt_deformer_destroy(job->deformer);
    job->deformer = NULL;
    return result;
}

static pelt_result measure_subject(bench_table* out, const subject* s, double budget)
{
    static const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                          PELT_METHOD_CRS};
    pelt_result result = PELT_OK;
    for (int i = 0; i < 8 && result == PELT_OK; ++i)
    {
        pelt_method method = methods[i % 4];
        const pelt_mesh* mesh = s->mesh;
        deformer_job job = {
            .subject = s,
            .source = {.positions = mesh->positions,
                       .normals = mesh->normals,
                       // As fast as true centers, and there at once.
                       .cors = method == PELT_METHOD_CRS ? mesh->positions : NULL,
                       .weights = &mesh->weights},
            .how = {.order = i < 4 ? PELT_ORDER_SORTED : PELT_ORDER_KEPT},
            .options = {.method = method, .mix = 0.5f},
        };
        result = measure_job(out, &job, budget);
    }
    return result;
}

pelt_result bench_deformers(bench_report* out, const bench_options* options, pelt_error* error)
{
    bench_table* table =
        bench_table_add(out, "deformers", columns, sizeof columns / sizeof columns[0]);
    size_t count = options->is_quick ? 2 : sizeof characters / sizeof characters[0];
    for (size_t i = 0; i < count; ++i)
    {
        subject s;
        pelt_result result = subject_create(&s, characters[i], error);
        if (result != PELT_OK)
        {
            return result;
        }
        result = measure_subject(table, &s, options->is_quick ? 0.02 : 0.2);
        subject_destroy(&s);
        if (result != PELT_OK)
        {
            return pelt_error_memory(error);
        }
    }
    return PELT_OK;
}
