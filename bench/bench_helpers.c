// SPDX-License-Identifier: MIT
// Suite `helpers`: time to fit helper joints, relative to deforming the character at the poses of
// the fit, what remains of the error of lbs, and the curve of error against helper joints.
#include "bench.h"
#include "helper_curve.h"

#include <stdio.h>

static const bench_column columns[] = {
    {"character", "CHARACTER", BENCH_TEXT},
    {"vertices", "VERTICES", 0},
    {"joints", "JOINTS", 0},
    {"poses", "POSES", 0},
    {"helpers", "HELPERS", 0},
    {"fit_seconds", "FIT S", 2},
    {"ratio_to_poses", "TO POSES", 1},
    {"training_ratio", "TRAINING/LBS", 3},
    {"held_out_ratio", "HELD OUT/LBS", 3},
};

static const uint32_t counts[] = {8, 16, 48};

// The poses alone: what the fit is compared with.
typedef struct pose_run
{
    const pelt_scene* scene;
    pelt_frame frame;
    pelt_pose pose;
    uint32_t count;
} pose_run;

static void run_poses(void* context)
{
    pose_run* run = context;
    static const pelt_deform_options options = {.method = PELT_METHOD_CRS, .is_exact = true};
    for (uint32_t i = 0; i < run->count; ++i)
    {
        pelt_frame_update(&run->frame, run->scene, &run->pose, &options);
    }
}

static pelt_result time_poses(double* out, const pelt_scene* scene, uint32_t count,
                              pelt_error* error)
{
    pelt_scene centered = *scene;
    pelt_arena* arena = pelt_arena_create();
    pose_run run = {.scene = &centered, .count = count};
    pelt_result result = arena != NULL ? pelt_scene_add_cors(&centered, PELT_PREPARE_MISSING, NULL,
                                                             NULL, arena, error)
                                       : pelt_error_memory(error);
    if (result == PELT_OK)
    {
        bool is_ok = pelt_pose_create(&run.pose, scene) == PELT_OK &&
                     pelt_frame_create(&run.frame, &centered) == PELT_OK;
        double start = clock_seconds();
        if (is_ok)
        {
            run_poses(&run);
        }
        *out = clock_seconds() - start;
        result = is_ok ? PELT_OK : pelt_error_memory(error);
    }
    pelt_frame_destroy(&run.frame);
    pelt_pose_destroy(&run.pose);
    pelt_arena_destroy(arena);
    return result;
}

static double part_of(const pelt_helpers_error* error)
{
    return error->lbs_rms > 0.0f ? (double)error->rms / (double)error->lbs_rms : 1.0;
}

static void add_row(bench_table* out, const pelt_scene* scene, const char* name,
                    const pelt_helpers_report* report, double seconds, double pose_seconds)
{
    bench_cell* row = bench_row_add(out);
    uint32_t vertex_count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        vertex_count += scene->meshes[i].vertex_count;
    }
    bench_cell_set(&row[0], name);
    row[1].number = vertex_count;
    row[2].number = scene->skins[0].joint_count;
    row[3].number = report->training.pose_count + report->held_out.pose_count;
    row[4].number = report->count;
    row[5].number = seconds;
    row[6].number = seconds / pose_seconds;
    row[7].number = part_of(&report->training);
    row[8].number = part_of(&report->held_out);
}

static pelt_result fit(bench_table* out, plot* curve, const pelt_scene* scene, const char* name,
                       uint32_t count, pelt_error* error)
{
    pelt_scene* helped;
    pelt_helpers_report report;
    pelt_helpers_options options = {.count = count, .target.method = PELT_METHOD_CRS};
    double pose_seconds = 0.0, start = clock_seconds();
    pelt_arena* arena = pelt_arena_create();
    pelt_result result = arena != NULL
                             ? pelt_helpers_add(&helped, scene, &options, &report, arena, error)
                             : pelt_error_memory(error);
    double seconds = clock_seconds() - start;
    if (result == PELT_OK)
    {
        pelt_scene_destroy(helped);
        uint32_t pose_count = report.training.pose_count + report.held_out.pose_count;
        result = time_poses(&pose_seconds, scene, pose_count, error);
    }
    if (result == PELT_OK)
    {
        add_row(out, scene, name, &report, seconds, pose_seconds);
        helper_curve_draw(curve, &report);
    }
    pelt_arena_destroy(arena);
    return result;
}

pelt_result bench_helpers(bench_report* out, const bench_options* options, pelt_error* error)
{
    const char* name = options->input_count > 0 ? options->inputs[0]
                       : options->is_quick      ? "rig:human?vertices=2000"
                                                : "rig:human";
    pelt_scene* scene;
    bench_table* table = bench_table_add(out, "rows", columns, COUNT_OF(columns));
    PELT_TRY(bench_scene_load(&scene, name, error));
    pelt_result result = scene->skin_count > 0 ? PELT_OK
                                               : pelt_error_set(error, PELT_ERROR_DATA,
                                                                "%s has no skin to measure", name);
    uint32_t count = options->is_quick ? 1 : COUNT_OF(counts);
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        char label[64];
        snprintf(label, sizeof label, "%u helper joints", counts[i]);
        bench_tell(options, label);
        result = fit(table, &out->plot, scene, bench_file_name(name), counts[i], error);
    }
    bench_tell(options, NULL);
    pelt_scene_destroy(scene);
    return result;
}
