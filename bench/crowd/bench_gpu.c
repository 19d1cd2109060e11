// SPDX-License-Identifier: MIT
// Suite `gpu`: the frame of one character by each method, rule of normals and number of influences,
// relative to lbs with standard normals, and the figures of papers.
#include "bench.h"
#include "clock.h"
#include "gpu_subject.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Published figures

// Bittner et al. 2019, Table 2: frames per second of lbs, dqs and crs on three models. The deform
// factor thesis (2019), Table 5.3: milliseconds of lbs, dqs and mix on three models. Tarini et al.
// 2014, Table 1: operations per vertex, where "ours" is PELT_NORMAL_PAPER and "naive" an exact
// derivative as PELT_NORMAL_ACCURATE, divided by those of lbs with approximate normals: 63 with two
// influences, 87 with four.
static const struct
{
    const char* method;
    pelt_normal_rule rule;
    uint32_t influence_count;
    const char* text;
} figures[] = {
    {"dqs", PELT_NORMAL_STANDARD, 4, "0.99-1.00 (Bittner 2019), 0.97-0.99 (thesis 2019)"},
    {"mix", PELT_NORMAL_STANDARD, 4, "0.94-0.99 (thesis 2019)"},
    {"crs", PELT_NORMAL_STANDARD, 4, "1.01-1.03 (Bittner 2019)"},
    {"lbs", PELT_NORMAL_PAPER, 2, "1.19 (Tarini 2014, operations)"},
    {"lbs", PELT_NORMAL_PAPER, 4, "1.55 (Tarini 2014, operations)"},
    {"lbs", PELT_NORMAL_ACCURATE, 2, "2.06 (Tarini 2014, operations)"},
    {"lbs", PELT_NORMAL_ACCURATE, 4, "2.18 (Tarini 2014, operations)"},
    {"dqs", PELT_NORMAL_STANDARD, 2, "1.68 (Tarini 2014, operations)"},
    {"dqs", PELT_NORMAL_PAPER, 2, "2.59 (Tarini 2014, operations)"},
    {"dqs", PELT_NORMAL_PAPER, 4, "2.91 (Tarini 2014, operations)"},
};

static const char* gpu_figure(pelt_method method, pelt_normal_rule rule, uint32_t influence_count)
{
    for (size_t i = 0; i < COUNT_OF(figures); ++i)
    {
        if (strcmp(figures[i].method, pelt_method_name(method)) == 0 && figures[i].rule == rule &&
            figures[i].influence_count == influence_count)
        {
            return figures[i].text;
        }
    }
    return "";
}

// ---------------------------------------------------------------------------------------------
// Suite

static const bench_column columns[] = {
    {"influences", "INFLUENCES", 0},    {"method", "METHOD", BENCH_TEXT},
    {"normals", "NORMALS", BENCH_TEXT}, {"frame_ms", "FRAME MS", BENCH_DIGITS},
    {"ratio_to_lbs", "TO LBS", 2},      {"published", "PUBLISHED", BENCH_TEXT},
    {"vertex_bytes", "B/VERTEX", 0},    {"joint_bytes", "B/JOINT", 0},
};

static const pelt_normal_rule rules[] = {PELT_NORMAL_STANDARD, PELT_NORMAL_PAPER,
                                         PELT_NORMAL_ACCURATE};
static const uint32_t influence_counts[] = {1, 2, 4, 8};

enum
{
    RULE_COUNT = COUNT_OF(rules),
    TRIAL_MAX = PELT_METHOD_COUNT * RULE_COUNT + 1,
};

// A program and its time.
typedef struct gpu_trial
{
    gpu_body* body;
    pelt_method method; // PELT_METHOD_COUNT: no skinning
    draw_program* programs;
    double best; // seconds of the fastest frame
} gpu_trial;

typedef struct gpu_run
{
    bench_table* table;
    const bench_options* options;
    draw_target target;
    crowd_subject subject;
    gpu_body bodies[RULE_COUNT];
    uint32_t body_count;
    gpu_trial trials[TRIAL_MAX];
    uint32_t trial_count;
} gpu_run;

static pelt_result add_trial(gpu_run* run, gpu_body* body, pelt_method method, pelt_error* error)
{
    size_t count = body->mesh_count;
    gpu_trial* trial = &run->trials[run->trial_count++];
    *trial = (gpu_trial){.body = body, .method = method, .best = (double)INFINITY};
    trial->programs = pelt_arena_alloc(body->arena, count, sizeof *trial->programs);
    if (trial->programs == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(trial->programs, 0, count * sizeof *trial->programs);
    return PELT_OK;
}

// Quick runs have the first and the last rule.
static pelt_result add_trials(gpu_run* run, uint32_t influence_count, pelt_error* error)
{
    pelt_result result = PELT_OK;
    run->body_count = run->trial_count = 0;
    for (uint32_t r = 0; result == PELT_OK && r < RULE_COUNT; r += run->options->is_quick ? 2 : 1)
    {
        gpu_body* body = &run->bodies[run->body_count];
        result =
            gpu_body_create(body, &run->target, &run->subject, influence_count, rules[r], error);
        run->body_count += result == PELT_OK;
        bool is_there = result == PELT_OK && body->rule == rules[r];
        if (is_there && r == 0)
        {
            result = add_trial(run, body, PELT_METHOD_COUNT, error);
        }
        for (uint32_t m = 0; is_there && result == PELT_OK && m < PELT_METHOD_COUNT; ++m)
        {
            if (pelt_gpu_has_method((pelt_method)m))
            {
                result = add_trial(run, body, (pelt_method)m, error);
            }
        }
    }
    return result;
}

// Trials alternate, so that other load on the machine affects all of them. The fastest frame is the
// least disturbed one. The first round compiles shaders.
static pelt_result time_trials(gpu_run* run, pelt_error* error)
{
    double budget = run->options->is_quick ? 0.5 : 6.0, end = (double)INFINITY;
    for (int round = 0; round < 7 || clock_seconds() < end; ++round)
    {
        end = round == 1 ? clock_seconds() + budget : end;
        for (uint32_t i = 0; i < run->trial_count; ++i)
        {
            gpu_trial* trial = &run->trials[i];
            double start = clock_seconds();
            PELT_TRY(gpu_body_draw(trial->body, trial->programs, trial->method, error));
            trial->best = round > 0 ? fmin(trial->best, clock_seconds() - start) : trial->best;
        }
    }
    return PELT_OK;
}

static void add_rows(const gpu_run* run, uint32_t influence_count)
{
    double lbs = (double)NAN;
    for (uint32_t i = 0; i < run->trial_count; ++i)
    {
        const gpu_trial* trial = &run->trials[i];
        bool is_first = trial->method == PELT_METHOD_LBS && isnan(lbs);
        lbs = is_first ? trial->best : lbs;
    }
    for (uint32_t i = 0; i < run->trial_count; ++i)
    {
        const gpu_trial* trial = &run->trials[i];
        bool is_skinned = trial->method != PELT_METHOD_COUNT;
        bench_cell* row = bench_row_add(run->table);
        row[0].number = influence_count;
        bench_cell_set(&row[1], is_skinned ? pelt_method_name(trial->method) : "none");
        bench_cell_set(&row[2], pelt_normal_rule_name(trial->body->rule));
        row[3].number = 1e3 * trial->best;
        row[4].number = trial->best / lbs;
        row[6].number = gpu_body_vertex_bytes(trial->body, trial->method);
        if (is_skinned)
        {
            const pelt_gl_palette* palette = &trial->body->palettes[0];
            bench_cell_set(&row[5], gpu_figure(trial->method, trial->body->rule, influence_count));
            row[7].number = (double)sizeof(float) *
                            pelt_gpu_joint_floats(trial->method, palette->scale, palette->layout);
        }
    }
}

static pelt_result measure_influences(gpu_run* run, uint32_t influence_count, pelt_error* error)
{
    char label[64];
    snprintf(label, sizeof label, "gpu: %u influences", influence_count);
    bench_tell(run->options, label);
    pelt_result result = add_trials(run, influence_count, error);
    result = result == PELT_OK ? time_trials(run, error) : result;
    if (result == PELT_OK)
    {
        add_rows(run, influence_count);
    }
    for (uint32_t i = 0; i < run->body_count; ++i)
    {
        gpu_body_destroy(&run->bodies[i]);
    }
    return result;
}

// Compute centers and factors, and pose the character in the middle of the clip.
static pelt_result prepare(gpu_run* run, pelt_error* error)
{
    const pelt_scene_normal_options limit = {.max_joints = PELT_GPU_SLOT_MAX};
    crowd_subject* subject = &run->subject;
    pelt_result result = crowd_subject_add_centers(subject, error);
    if (result == PELT_OK)
    {
        result = pelt_scene_add_normal_factors(&subject->prepared, PELT_PREPARE_ALL, &limit, NULL,
                                               subject->arena, NULL);
    }
    crowd_subject_pose(subject, 0.5 * (double)subject->duration);
    // A small target: the cost of pixels is the same for all methods and would hide the ratios.
    run->target.width = DRAW_WIDTH / 8;
    run->target.height = DRAW_HEIGHT / 8;
    draw_target_look(&run->target, &subject->bounds);
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}

static pelt_result measure_scene(gpu_run* run, bench_report* out, const char* name,
                                 pelt_error* error)
{
    const crowd_subject* subject = &run->subject;
    pelt_gl_info info = pelt_gl_describe(run->target.gl);
    snprintf(out->renderer, sizeof out->renderer, "%s", info.renderer);
    snprintf(out->subject, sizeof out->subject, "%s: %u vertices, %u triangles, %u joints", name,
             subject->vertex_count, subject->triangle_count, subject->joint_count);
    PELT_TRY(prepare(run, error));
    for (uint32_t i = 0; i < COUNT_OF(influence_counts); ++i)
    {
        if (!run->options->is_quick || influence_counts[i] == 4)
        {
            PELT_TRY(measure_influences(run, influence_counts[i], error));
        }
    }
    return PELT_OK;
}

static pelt_result run_scene(gpu_run* run, bench_report* out, const pelt_scene* scene,
                             const char* input, pelt_error* error)
{
    PELT_TRY(crowd_subject_create(&run->subject, scene, input, error));
    pelt_result result = draw_target_create(&run->target, error);
    if (result == PELT_OK)
    {
        result = measure_scene(run, out, bench_file_name(input), error);
        draw_target_destroy(&run->target);
    }
    crowd_subject_destroy(&run->subject);
    return result;
}

pelt_result bench_gpu(bench_report* out, const bench_options* options, pelt_error* error)
{
    gpu_run run = {.options = options,
                   .table = bench_table_add(out, "rows", columns, COUNT_OF(columns))};
    const char* input = options->input_count > 0 ? options->inputs[0] : "rig:human";
    pelt_scene* scene;
    pelt_result result = bench_scene_load(&scene, input, error);
    if (result == PELT_OK)
    {
        result = run_scene(&run, out, scene, input, error);
        pelt_scene_destroy(scene);
    }
    bench_tell(options, NULL);
    return result;
}
