// SPDX-License-Identifier: MIT
// Suite `normals`: angles between the normals of each rule and those of the deformed triangles, in
// the clips of built-in rigs or of files.
#include "bench.h"
#include "normal_error.h"

#include <math.h>
#include <stdio.h>

static const bench_column columns[] = {
    {"rig", "RIG", BENCH_TEXT},
    {"clip", "CLIP", BENCH_TEXT},
    {"method", "METHOD", BENCH_TEXT},
    {"vertices", "VERTICES", 0},
    {"standard_mean", "STANDARD", 2},
    {"standard_max", "MAX", 1},
    {"paper_mean", "PAPER", 2},
    {"paper_max", "MAX", 1},
    {"accurate_mean", "ACCURATE", 3},
    {"accurate_max", "MAX", 2},
    {"standard_to_accurate", "STANDARD/ACCURATE", BENCH_DIGITS},
};

static const char* const rig_names[] = {"rig:bar", "rig:arm", "rig:human"};

// The character that is measured.
typedef struct normal_run
{
    bench_table* table;
    const bench_options* options;
    const char* input;
    const char* name; // in its rows
    pelt_error* error;
    normal_subject subject;
    normal_error totals[PELT_METHOD_COUNT][PELT_NORMAL_RULE_COUNT]; // over all clips
} normal_run;

static uint32_t pose_count(const normal_run* run)
{
    return run->options->is_quick ? 2 : 8;
}

static void add_row(const normal_run* run, const char* clip, pelt_method method,
                    const normal_error* errors, uint32_t poses)
{
    static const pelt_normal_rule order[] = {PELT_NORMAL_STANDARD, PELT_NORMAL_PAPER,
                                             PELT_NORMAL_ACCURATE};
    bench_cell* row = bench_row_add(run->table);
    bench_cell_set(&row[0], run->name);
    bench_cell_set(&row[1], clip);
    bench_cell_set(&row[2], pelt_method_name(method));
    row[3].number = (double)errors[0].count / poses;
    for (uint32_t i = 0; i < COUNT_OF(order); ++i)
    {
        row[4 + 2 * i].number = normal_error_mean(&errors[order[i]]);
        row[5 + 2 * i].number = errors[order[i]].max;
    }
    row[10].number = row[4].number / row[8].number;
}

static void add_to_total(normal_error* total, const normal_error* errors)
{
    for (int rule = 0; rule < PELT_NORMAL_RULE_COUNT; ++rule)
    {
        total[rule].sum += errors[rule].sum;
        total[rule].max = fmax(total[rule].max, errors[rule].max);
        total[rule].count += errors[rule].count;
    }
}

static pelt_result measure_clip(normal_run* run, const pelt_clip* clip)
{
    normal_subject* subject = &run->subject;
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        pelt_method method = (pelt_method)i;
        normal_error errors[PELT_NORMAL_RULE_COUNT] = {0};
        if (!pelt_method_info(method)->has_derivatives)
        {
            continue;
        }
        for (uint32_t pose = 1; pose <= pose_count(run); ++pose)
        {
            // Including the end, where clips of the simple rigs have their largest deformation.
            float time = clip->duration * (float)pose / (float)pose_count(run);
            pelt_pose_sample(&subject->pose, subject->scene, clip, time, PELT_WRAP_CLAMP);
            PELT_TRY(normal_subject_measure(errors, subject, method, run->error));
        }
        add_row(run, clip->name, method, errors, pose_count(run));
        add_to_total(run->totals[i], errors);
    }
    return PELT_OK;
}

static pelt_result measure_clips(normal_run* run)
{
    const pelt_scene* scene = run->subject.scene;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < scene->clip_count; ++i)
    {
        char label[128];
        snprintf(label, sizeof label, "%s %s", run->name, scene->clips[i].name);
        bench_tell(run->options, label);
        result = measure_clip(run, &scene->clips[i]);
    }
    for (uint32_t i = 0; result == PELT_OK && i < PELT_METHOD_COUNT; ++i)
    {
        if (pelt_method_info((pelt_method)i)->has_derivatives)
        {
            add_row(run, "(all)", (pelt_method)i, run->totals[i],
                    scene->clip_count * pose_count(run));
        }
    }
    return result;
}

static bool has_skinned_normals(const pelt_scene* scene)
{
    bool has_some = false;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        bool is_skinned = scene->instances[i].skin != PELT_NONE && mesh->weights.vertex_count > 0;
        has_some = has_some || (is_skinned && mesh->normals != NULL);
    }
    return has_some;
}

static pelt_result measure_scene(normal_run* run, const pelt_scene* scene, pelt_error* error)
{
    if (scene->clip_count == 0 || !has_skinned_normals(scene))
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "%s has no %s to measure", run->input,
                              scene->clip_count == 0 ? "clips" : "skinned mesh with normals");
    }
    if (normal_subject_create(&run->subject, scene) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    run->error = error;
    pelt_result result = measure_clips(run);
    normal_subject_destroy(&run->subject);
    return result;
}

static pelt_result measure_input(bench_table* out, const char* input, const bench_options* options,
                                 pelt_error* error)
{
    normal_run run = {
        .table = out, .options = options, .input = input, .name = bench_file_name(input)};
    pelt_scene* scene;
    pelt_result result = bench_scene_load(&scene, input, error);
    if (result == PELT_OK)
    {
        result = measure_scene(&run, scene, error);
        pelt_scene_destroy(scene);
    }
    return result;
}

pelt_result bench_normals(bench_report* out, const bench_options* options, pelt_error* error)
{
    bench_table* table = bench_table_add(out, "rows", columns, COUNT_OF(columns));
    bool has_files = options->input_count > 0;
    const char* const* inputs = has_files ? options->inputs : rig_names;
    uint32_t count = has_files ? options->input_count : COUNT_OF(rig_names);
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < count; ++i)
    {
        result = measure_input(table, inputs[i], options, error);
    }
    bench_tell(options, NULL);
    return result;
}
