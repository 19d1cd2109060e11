// SPDX-License-Identifier: MIT
// Suite `cor`: the solvers of centers of rotation on models of the sizes that papers report, with
// whole and with halved triangles: time, error, memory, growth, and updates after a stroke.
#include "bench.h"
#include "cor_stroke.h"
#include "cor_summary.h"
#include "pelt/io.h"
#include "rigs.h"

#include <stdio.h>
#include <string.h>

static const bench_column solve_columns[] = {
    {"rig", "RIG", BENCH_TEXT},
    {"model", "IN PLACE OF", BENCH_TEXT},
    {"vertices", "VERTICES", 0},
    {"triangles", "TRIANGLES", 0},
    {"joints", "JOINTS", 0},
    {"influences", "INFLUENCES", 0},
    {"epsilon", "EPSILON", BENCH_TEXT},
    {"fast_s", "FAST S", BENCH_DIGITS},
    {"full_s", "FULL S", BENCH_DIGITS},
    {"paper_s", "PAPER S", BENCH_DIGITS},
    {"full_to_fast", "FULL/FAST", BENCH_DIGITS},
    {"paper_to_fast", "PAPER/FAST", BENCH_DIGITS},
    {"fast_error", "FAST ERROR", BENCH_DIGITS},
    {"paper_error", "PAPER ERROR", BENCH_DIGITS},
    {"bytes_per_element", "BYTES/ELEMENT", 0},
    {"published_s", "PUBLISHED S", BENCH_DIGITS},
};

static const bench_column update_columns[] = {
    {"rig", "RIG", BENCH_TEXT},
    {"vertices", "VERTICES", 0},
    {"epsilon", "EPSILON", BENCH_TEXT},
    {"changed", "CHANGED", 0},
    {"solved", "SOLVED", 0},
    {"update_s", "UPDATE S", BENCH_DIGITS},
    {"whole_s", "WHOLE S", BENCH_DIGITS},
    {"whole_to_update", "WHOLE/UPDATE", BENCH_DIGITS},
    {"difference", "DIFFERENCE", BENCH_DIGITS},
};

enum
{
    SOLVE_ROW_MAX = 64, // some files have hundreds of skins
};

// A built-in rig that is similar to a published model, with as many vertices (a raptor has at least
// 2 000).
typedef struct cor_case
{
    const char* rig;
    const char* model; ///< the published model, or NULL
    bool is_quick;     ///< also part of quick runs
    bool is_painted;   ///< measures an update after a stroke on the thigh
} cor_case;

static const cor_case cases[] = {
    {"cuboid", "cuboid", .is_quick = true},
    {"raptor?vertices=2000", "wolf", .is_quick = true},
    {"raptor?vertices=15005", "raptor", .is_quick = false},
    {"human?vertices=39158", "Goliath", .is_painted = true},
    {"human?vertices=20846", "man", .is_quick = true, .is_painted = true},
    {"human?vertices=22459", "boy", .is_quick = false},
    {"raptor?vertices=8435", "horse", .is_quick = false},
    {"cloth", "cloth", .is_quick = false},
    {"human?vertices=5000", NULL, .is_quick = true},
    {"human?vertices=100000", NULL, .is_quick = false},
    {"human?vertices=1000000", NULL, .is_quick = false},
    // Many influences, as after smoothing: time grows with the number of pairs of joints.
    {"human?vertices=13000&influences=8", NULL, .is_quick = false},
    {"human?vertices=200000&influences=8", NULL, .is_quick = false},
    {"raptor?vertices=11700&influences=16", NULL, .is_quick = false},
};

typedef struct cor_suite
{
    const bench_options* options;
    bench_table* solves;
    bench_table* updates; ///< NULL: not measured
    cor_summary summary;
    uint32_t case_number, case_count; ///< of the current case, from 1
    char label[128];                  ///< of the progress line
} cor_suite;

static void tell(cor_suite* suite, const char* what, const char* rig)
{
    if (suite->options->progress != NULL)
    {
        snprintf(suite->label, sizeof suite->label, "model %u of %u: %s %s", suite->case_number,
                 suite->case_count, what, rig);
        suite->options->progress(suite->label);
    }
}

// ---------------------------------------------------------------------------------------------
// Solves

static void set_time(bench_cell* time, bench_cell* ratio, cor_time value, cor_time fast)
{
    time->number = value.seconds;
    time->is_estimate = value.is_estimate;
    ratio->number = value.seconds / fast.seconds;
    ratio->is_estimate = value.is_estimate;
}

static void add_solve_row(cor_suite* suite, const char* rig, const char* model,
                          const cor_subject* subject, cor_cut cut, const cor_time* times)
{
    bench_cell* row = bench_row_add(suite->solves);
    const cor_figure* figure = cor_figure_find(model);
    bench_cell_set(&row[0], rig);
    bench_cell_set(&row[1], model != NULL ? model : "");
    row[2].number = subject->vertex_count;
    row[3].number = subject->triangle_count;
    row[4].number = subject->joint_count;
    row[5].number = subject->max_influences;
    bench_cell_set(&row[6], cor_cuts[cut].name);
    row[7].number = times[PELT_COR_FAST].seconds;
    set_time(&row[8], &row[10], times[PELT_COR_FULL], times[PELT_COR_FAST]);
    set_time(&row[9], &row[11], times[PELT_COR_PAPER], times[PELT_COR_FAST]);
    row[12].number = cor_subject_error(subject, PELT_COR_FAST);
    row[13].number = cor_subject_error(subject, PELT_COR_PAPER);
    row[14].number = (double)subject->report.peak_bytes /
                     ((double)subject->vertex_count + (double)subject->triangle_count);
    if (figure != NULL && figure->source == cor_cuts[cut].source)
    {
        row[15].number = figure->seconds;
    }
}

static void keep_record(cor_suite* suite, const char* rig, const cor_subject* subject, cor_cut cut,
                        const cor_time* times)
{
    // Models on the curve differ in size only.
    bool is_human = suite->options->input_count == 0 && strcmp(rig, "human") == 0 &&
                    subject->max_influences <= 4;
    cor_record record = {
        .cut = cut, .is_on_curve = is_human, .vertex_count = subject->vertex_count};
    memcpy(record.times, times, sizeof record.times);
    cor_summary_add(&suite->summary, &record);
}

// About a second for each slow solver, or a small part of it.
static const cor_effort efforts[PELT_COR_SOLVER_COUNT] = {
    [PELT_COR_FULL] = {1.5e9, 1024, 2, 0.5},
    [PELT_COR_PAPER] = {5e8, 1024, 2, 0.5},
};
static const cor_effort quick_effort = {1e7, 64, 1, 0.01};

static pelt_result time_solvers(cor_time* out, cor_suite* suite, const char* rig,
                                cor_subject* subject, float epsilon)
{
    bool is_quick = suite->options->is_quick;
    tell(suite, "fast on", rig);
    pelt_result result =
        cor_subject_time_fast(&out[PELT_COR_FAST], subject, epsilon, is_quick ? 0.01 : 1.0);
    for (int s = PELT_COR_FULL; result == PELT_OK && s < PELT_COR_SOLVER_COUNT; ++s)
    {
        pelt_cor_options options = {.solver = (pelt_cor_solver)s, .epsilon = epsilon};
        tell(suite, s == PELT_COR_FULL ? "full on" : "paper on", rig);
        result =
            cor_subject_time_slow(&out[s], subject, &options, is_quick ? quick_effort : efforts[s]);
    }
    return result;
}

static pelt_result measure_solves(cor_suite* suite, const char* rig, const char* model,
                                  cor_subject* subject)
{
    for (int c = 0; c < COR_CUT_COUNT; ++c)
    {
        cor_time times[PELT_COR_SOLVER_COUNT];
        PELT_TRY(time_solvers(times, suite, rig, subject, cor_cuts[c].epsilon));
        add_solve_row(suite, rig, model, subject, (cor_cut)c, times);
        keep_record(suite, rig, subject, (cor_cut)c, times);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Updates

static uint32_t find_joint(const pelt_scene* scene, const char* name)
{
    uint32_t joint = 0;
    while (joint < scene->skins[0].joint_count &&
           strcmp(scene->nodes[scene->skins[0].joints[joint]].name, name) != 0)
    {
        ++joint;
    }
    PELT_ASSERT(joint < scene->skins[0].joint_count);
    return joint;
}

static pelt_result measure_updates(cor_suite* suite, const char* rig, const pelt_scene* scene)
{
    const pelt_mesh* mesh = &scene->meshes[0];
    uint32_t joint = find_joint(scene, "thigh_l");
    tell(suite, "updates of", rig);
    for (int c = 0; c < COR_CUT_COUNT; ++c)
    {
        cor_stroke stroke = {0};
        PELT_TRY(cor_stroke_measure(&stroke, mesh, joint, cor_cuts[c].epsilon,
                                    suite->options->is_quick ? 0.01 : 1.0));
        bench_cell* row = bench_row_add(suite->updates);
        bench_cell_set(&row[0], rig);
        row[1].number = mesh->vertex_count;
        bench_cell_set(&row[2], cor_cuts[c].name);
        row[3].number = stroke.changed_count;
        row[4].number = stroke.solved_count;
        row[5].number = stroke.update_seconds;
        row[6].number = stroke.whole_seconds;
        row[7].number = stroke.whole_seconds / stroke.update_seconds;
        row[8].number = stroke.difference;
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

// Every skin with meshes has its rows; `name` is that of the rig or file.
static pelt_result measure_scene(cor_suite* suite, const char* name, const char* model,
                                 const pelt_scene* scene)
{
    pelt_result result = PELT_OK;
    for (uint32_t skin = 0; result == PELT_OK && skin < scene->skin_count; ++skin)
    {
        if (suite->solves->row_count + COR_CUT_COUNT > SOLVE_ROW_MAX)
        {
            pelt_log(PELT_LOG_WARNING, "%s has %u skins: the first %u are measured", name,
                     scene->skin_count, skin);
            break;
        }
        cor_subject subject;
        result = cor_subject_create(&subject, scene, skin);
        if (result == PELT_OK && subject.input.mesh_count > 0)
        {
            result = measure_solves(suite, name, model, &subject);
        }
        cor_subject_destroy(&subject);
    }
    return result;
}

static pelt_result measure_case(cor_suite* suite, const cor_case* in, pelt_error* error)
{
    pelt_scene* scene;
    tell(suite, "building", in->rig);
    PELT_TRY(pelt_rig_build(&scene, in->rig, error));
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(in->rig, "?"), in->rig);
    pelt_result result = measure_scene(suite, name, in->model, scene);
    if (result == PELT_OK && in->is_painted)
    {
        result = measure_updates(suite, name, scene);
    }
    pelt_scene_destroy(scene);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

static pelt_result measure_file(cor_suite* suite, pelt_error* error)
{
    const char* path = suite->options->inputs[0];
    pelt_scene* scene;
    PELT_TRY(pelt_load(&scene, path, NULL, error));
    pelt_result result = measure_scene(suite, bench_file_name(path), NULL, scene);
    pelt_scene_destroy(scene);
    if (result == PELT_OK && suite->solves->row_count == 0)
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "%s has no skinned mesh to measure", path);
    }
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

static pelt_result measure_cases(cor_suite* suite, pelt_error* error)
{
    for (uint32_t i = 0; i < COUNT_OF(cases); ++i)
    {
        if (cases[i].is_quick || !suite->options->is_quick)
        {
            ++suite->case_number;
            PELT_TRY(measure_case(suite, &cases[i], error));
        }
    }
    return PELT_OK;
}

pelt_result bench_cor(bench_report* out, const bench_options* options, pelt_error* error)
{
    cor_suite suite = {.options = options, .case_number = 1, .case_count = 1};
    suite.solves = bench_table_add(out, "rows", solve_columns, COUNT_OF(solve_columns));
    pelt_result result;
    if (options->input_count > 0)
    {
        result = measure_file(&suite, error);
    }
    else
    {
        suite.case_number = suite.case_count = 0;
        for (uint32_t i = 0; i < COUNT_OF(cases); ++i)
        {
            suite.case_count += cases[i].is_quick || !options->is_quick;
        }
        suite.updates = bench_table_add(out, "updates", update_columns, COUNT_OF(update_columns));
        result = measure_cases(&suite, error);
        cor_summary_fit(out, &suite.summary);
    }
    cor_summary_draw(&out->plot, &suite.summary);
    bench_tell(options, NULL);
    return result;
}
