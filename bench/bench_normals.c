// SPDX-License-Identifier: MIT
// Suite `normals`: angles between the normals of each rule and those of the deformed triangles, in
// the clips of built-in rigs or of files; and those of the accurate rule with the 40 bytes per
// vertex of the compact layout for shaders.
#include "bench.h"
#include "normal_error.h"

#include "pelt/gpu.h"

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
    {"compact_mean", "COMPACT", 3},
    {"compact_max", "MAX", 2},
    {"standard_to_accurate", "STANDARD/ACCURATE", BENCH_DIGITS},
};

static const char* const rig_names[] = {"rig:bar", "rig:arm", "rig:human"};

// Errors of a method: of each rule, and of the accurate one with the compact layout.
enum
{
    COMPACT_ERROR = PELT_NORMAL_RULE_COUNT,
    ERROR_COUNT,
};

// The character that is measured.
typedef struct normal_run
{
    bench_table* table;
    const bench_options* options;
    const char* input;
    const char* name; // in its rows
    pelt_error* error;
    normal_subject subject;
    const pelt_normal_factors** compact;                 // of each mesh, as shaders read them
    normal_error totals[PELT_METHOD_COUNT][ERROR_COUNT]; // over all clips
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
    row[10].number = normal_error_mean(&errors[COMPACT_ERROR]);
    row[11].number = errors[COMPACT_ERROR].max;
    row[12].number = row[4].number / row[8].number;
}

static void add_to_total(normal_error* total, const normal_error* errors)
{
    for (int rule = 0; rule < ERROR_COUNT; ++rule)
    {
        total[rule].sum += errors[rule].sum;
        total[rule].max = fmax(total[rule].max, errors[rule].max);
        total[rule].count += errors[rule].count;
    }
}

static void exchange_factors(normal_run* run)
{
    for (uint32_t i = 0; i < run->subject.scene->mesh_count; ++i)
    {
        const pelt_normal_factors* factors = run->subject.frame.normal_factors[i];
        run->subject.frame.normal_factors[i] = run->compact[i];
        run->compact[i] = factors;
    }
}

// In the pose that the rules were measured in; normals of the triangles are those of then.
static void measure_compact(normal_error* inout, normal_run* run, pelt_method method)
{
    normal_subject* subject = &run->subject;
    const pelt_vec3* truth = subject->truth;
    exchange_factors(run);
    pelt_deform_options options = {
        .method = method, .mix = 0.5f, .normal_rule = PELT_NORMAL_ACCURATE};
    pelt_frame_update(&subject->frame, subject->scene, &subject->pose, &options);
    exchange_factors(run);
    for (uint32_t i = 0; i < subject->scene->instance_count; ++i)
    {
        uint32_t mesh = subject->scene->instances[i].mesh;
        if (subject->frame.normal_factors[mesh] != NULL)
        {
            // The exact factors have the vertices that count.
            normal_error_add(inout, subject->frame.normal_factors[mesh],
                             subject->frame.surfaces[i].normals, truth);
        }
        truth += subject->scene->meshes[mesh].vertex_count;
    }
}

// Factors of each mesh with up to four joints, in the compact layout.
static pelt_result round_factors(normal_run* run)
{
    normal_subject* subject = &run->subject;
    pelt_scene limited = *subject->scene;
    pelt_scene_normal_options options = {.max_joints = 4};
    PELT_TRY(pelt_scene_add_cors(&limited, PELT_PREPARE_ALL, NULL, NULL, subject->arena, NULL));
    PELT_TRY(pelt_scene_add_normal_factors(&limited, PELT_PREPARE_ALL, &options, NULL,
                                           subject->arena, NULL));
    run->compact = pelt_arena_alloc(subject->arena, limited.mesh_count, sizeof *run->compact);
    for (uint32_t i = 0; i < limited.mesh_count && run->compact != NULL; ++i)
    {
        const pelt_mesh* mesh = &limited.meshes[i];
        pelt_normal_factors* rounded = NULL;
        if (mesh->normal_factors != NULL && mesh->normals != NULL)
        {
            rounded = pelt_arena_alloc(subject->arena, 1, sizeof *rounded);
            if (rounded == NULL || pelt_gpu_normals_round(rounded, mesh->normal_factors,
                                                          mesh->normals, subject->arena) != PELT_OK)
            {
                return PELT_ERROR_MEMORY;
            }
        }
        run->compact[i] = rounded;
    }
    return run->compact != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

static pelt_result measure_clip(normal_run* run, const pelt_clip* clip)
{
    normal_subject* subject = &run->subject;
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        pelt_method method = (pelt_method)i;
        normal_error errors[ERROR_COUNT] = {0};
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
            measure_compact(&errors[COMPACT_ERROR], run, method);
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
    pelt_result result =
        round_factors(run) == PELT_OK ? measure_clips(run) : pelt_error_memory(error);
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
