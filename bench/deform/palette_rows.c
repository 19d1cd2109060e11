// SPDX-License-Identifier: MIT
#include "palette_rows.h"

#include "deform_job.h"

static const bench_column columns[] = {
    {"joints", "JOINTS", BENCH_TEXT},
    {"joint_count", "COUNT", 0},
    {"pose_ns_per_joint", "POSE NS/JOINT", 1},
    {"matrices_ns_per_joint", "MATRICES NS/JOINT", 1},
    {"palette_ns_per_joint", "PALETTE NS/JOINT", 1},
    {"ns_per_joint", "POSE + PALETTE", 1},
    {"as_vertices", "AS VERTICES", 0},
};

typedef struct palette_run
{
    deform_subject* subject;
    pelt_palette matrices; // the same without motions and stretches: all that lbs needs
} palette_run;

static void run_pose(void* context)
{
    deform_subject* s = ((palette_run*)context)->subject;
    const pelt_clip* clip = &s->scene->clips[pelt_scene_default_clip(s->scene)];
    pelt_pose_sample(&s->pose, s->scene, clip, 0.5f * clip->duration, PELT_WRAP_CLAMP);
    pelt_pose_to_model(s->frame.model_from_node, s->scene, &s->pose);
}

static void run_matrices(void* context)
{
    palette_run* run = context;
    deform_subject* s = run->subject;
    pelt_palette_build(&run->matrices, &s->scene->skins[0], s->frame.model_from_node);
}

static void run_palette(void* context)
{
    deform_subject* s = ((palette_run*)context)->subject;
    pelt_palette_build(s->palette, &s->scene->skins[0], s->frame.model_from_node);
}

// Every joint longer than it is wide, and its children in the same way.
static void scale_joints(deform_subject* s)
{
    for (uint32_t i = 0; i < s->pose.node_count; ++i)
    {
        s->pose.locals[i].scale = pelt_vec3_make(1.02f, 0.99f, 1.01f);
    }
    pelt_pose_to_model(s->frame.model_from_node, s->scene, &s->pose);
}

// @param vertex_seconds  of a vertex by lbs, to compare with
static void measure(bench_table* out, palette_run* run, bool is_scaled, double vertex_seconds,
                    double budget)
{
    double count = run->subject->palette->joint_count;
    double pose = bench_fastest(run_pose, run, budget);
    if (is_scaled)
    {
        scale_joints(run->subject);
    }
    double matrices = bench_fastest(run_matrices, run, budget);
    double palette = bench_fastest(run_palette, run, budget);
    bench_cell* row = bench_row_add(out);
    bench_cell_set(&row[0], is_scaled ? "scaled" : "rigid");
    row[1].number = count;
    row[2].number = 1e9 * pose / count;
    row[3].number = 1e9 * matrices / count;
    row[4].number = 1e9 * palette / count;
    row[5].number = 1e9 * (pose + palette) / count;
    row[6].number = (pose + palette) / vertex_seconds;
}

pelt_result bench_palettes(bench_report* out, const bench_options* options, pelt_error* error)
{
    bench_table* table =
        bench_table_add(out, "palettes", columns, sizeof columns / sizeof columns[0]);
    const deform_point point = {.vertices = 2000,
                                .influences = DEFORM_OWN_INFLUENCES,
                                .method = PELT_METHOD_LBS,
                                .isa = pelti_isa_get(),
                                .threads = 1};
    double budget = options->is_quick ? 0.001 : 0.1;
    deform_subject subject = {0};
    deform_job job = {0};
    pelt_result result = deform_subject_prepare(&subject, point.vertices, point.influences, error);
    if (result == PELT_OK && deform_job_create(&job, &subject, &point) != PELT_OK)
    {
        result = pelt_error_memory(error);
    }
    if (result == PELT_OK)
    {
        double lbs = deform_job_measure(&job, budget).own / subject.mesh.vertex_count;
        palette_run run = {.subject = &subject, .matrices = *subject.palette};
        run.matrices.motions = NULL;
        run.matrices.stretches = NULL;
        measure(table, &run, false, lbs, budget);
        measure(table, &run, true, lbs, budget);
    }
    deform_job_destroy(&job);
    deform_subject_destroy(&subject);
    return result;
}
