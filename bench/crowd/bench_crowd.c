// SPDX-License-Identifier: MIT
// Suite `crowd`: how many instances of a character a machine draws, by each technique; the
// benchmark of document 002, section 3.6.5.
#include "bench.h"
#include "crowd_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

typedef struct crowd_run
{
    bench_report* report;
    const bench_options* options;
    bool is_wanted[CROWD_TECHNIQUE_COUNT];
    crowd_pace pace;
    draw_target target;
    crowd_subject subject;
    crowd_instances instances;
    crowd_cast casts[CROWD_TECHNIQUE_COUNT]; // without parts: none
    crowd_climb climbs[CROWD_TECHNIQUE_COUNT];
    crowd_curve curves[CROWD_TECHNIQUE_COUNT];
    char title[160];
} crowd_run;

static void tell(const crowd_run* run, const char* what, crowd_technique technique)
{
    char label[128];
    snprintf(label, sizeof label, "%s %s", what, crowd_technique_describe(technique)->name);
    if (run->options->progress != NULL)
    {
        run->options->progress(label);
    }
}

// ---------------------------------------------------------------------------------------------
// A/B tests

typedef struct toggle_case
{
    const char* off;
    crowd_toggles toggles;
} toggle_case;

static const toggle_case single_cases[] = {
    {"nothing", {0}},
    {"upload", {.has_no_upload = true}},
    {"skeleton", {.has_no_skeleton = true}},
    {"skeleton, upload", {.has_no_skeleton = true, .has_no_upload = true}},
    {"switch", {.has_no_switch = true}},
    {"switch, upload", {.has_no_switch = true, .has_no_upload = true}},
    {"switch, skeleton", {.has_no_switch = true, .has_no_skeleton = true}},
    {"switch, skeleton, upload",
     {.has_no_switch = true, .has_no_skeleton = true, .has_no_upload = true}},
};

// Instances near 30 FPS with everything on, as in the document.
static uint32_t toggle_count(const crowd_curve* curve)
{
    double count = curve->breakpoints[CROWD_BREAKPOINT_COUNT - 1];
    if (!isfinite(count) && curve->point_count > 0)
    {
        count = curve->points[curve->point_count - 1].instance_count;
    }
    return count >= 1.0 ? (uint32_t)count : 1;
}

// In turns, so that whatever else the machine does meets all alike.
static pelt_result measure_rounds(crowd_run* run, crowd_cast* cast, crowd_point* points,
                                  uint32_t case_count, uint32_t instance_count, pelt_error* error)
{
    int rounds = run->options->is_quick ? 1 : 4;
    pelt_result result = PELT_OK;
    for (int round = 0; round < rounds; ++round)
    {
        for (uint32_t i = 0; result == PELT_OK && i < case_count; ++i)
        {
            crowd_point point;
            result = crowd_point_measure(&point, cast, &run->instances, instance_count,
                                         &single_cases[i].toggles, &run->pace, error);
            points[i] = round == 0 || point.best < points[i].best ? point : points[i];
        }
    }
    return result;
}

static pelt_result measure_toggles(crowd_run* run, crowd_cast* cast, crowd_point* on,
                                   pelt_error* error)
{
    crowd_point points[COUNT_OF(single_cases)] = {0};
    bool is_single = crowd_technique_describe(cast->technique)->kind == CROWD_SINGLY;
    bool has_switch = run->subject.part_count > 1 && !run->options->is_quick;
    uint32_t count = is_single ? (has_switch ? COUNT_OF(single_cases) : 4) : 2;
    pelt_result result = measure_rounds(run, cast, points, count,
                                        toggle_count(&run->curves[cast->technique]), error);
    *on = points[0];
    for (uint32_t i = 0; result == PELT_OK && i < count; ++i)
    {
        crowd_row_toggles(run->report, cast->technique, single_cases[i].off, &points[i], on);
    }
    return result;
}

// The same textures with fewer joints for each vertex: Table 15 of the document skips bones.
static pelt_result measure_influences(crowd_run* run, crowd_technique technique,
                                      const crowd_point* on, uint32_t limit, pelt_error* error)
{
    crowd_cast cast;
    crowd_point point;
    crowd_cast_options options = {.capacity = run->instances.capacity, .max_influences = limit};
    pelt_result result =
        crowd_cast_create(&cast, technique, &run->target, &run->subject, &options, error);
    if (result != PELT_OK)
    {
        return result;
    }
    char off[32];
    snprintf(off, sizeof off, "joints from %u on", limit + 1);
    // The first one compiles.
    result = crowd_point_measure(&point, &cast, &run->instances, 1, &single_cases[0].toggles,
                                 &run->pace, error);
    if (result == PELT_OK)
    {
        result = measure_rounds(run, &cast, &point, 1, on->instance_count, error);
    }
    crowd_row_toggles(run->report, technique, off, &point, on);
    crowd_cast_destroy(&cast);
    return result;
}

static uint32_t most_influences(const crowd_cast* cast)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < cast->part_count; ++i)
    {
        uint32_t count = cast->parts[i].mesh.influence_count;
        most = count > most ? count : most;
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// Techniques

static bool has_toggles(const crowd_run* run, crowd_technique technique)
{
    bool is_bone_texture = technique == CROWD_MATRIX_TEXTURE || technique == CROWD_DQ_TEXTURE ||
                           technique == CROWD_QT_TEXTURE;
    bool is_quick = run->options->is_quick;
    return technique == CROWD_GPU_MATRIX || (technique == CROWD_GPU_DQ && !is_quick) ||
           (is_bone_texture && !is_quick);
}

static pelt_result begin_technique(crowd_run* run, crowd_technique technique, pelt_error* error)
{
    crowd_cast* cast = &run->casts[technique];
    crowd_cast_options options = {.capacity = run->instances.capacity};
    tell(run, "crowd: preparing", technique);
    pelt_result result =
        crowd_cast_create(cast, technique, &run->target, &run->subject, &options, error);
    if (result == PELT_OK)
    {
        return crowd_climb_begin(&run->climbs[technique], &run->curves[technique], cast,
                                 &run->instances, &run->pace, error);
    }
    // A texture of vertices, for instance, can be too large: its row stays empty.
    run->curves[technique] = crowd_curve_absent(technique);
    run->climbs[technique].is_done = true;
    return result == PELT_ERROR_UNSUPPORTED ? PELT_OK : result;
}

static pelt_result begin_all(crowd_run* run, pelt_error* error)
{
    pelt_result result = PELT_OK;
    for (int i = 0; result == PELT_OK && i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        run->climbs[i].is_done = !run->is_wanted[i];
        result = run->is_wanted[i] ? begin_technique(run, (crowd_technique)i, error) : result;
    }
    return result;
}

static pelt_result climb_all(crowd_run* run, pelt_error* error)
{
    pelt_result result = PELT_OK;
    bool is_done = false;
    while (result == PELT_OK && !is_done)
    {
        is_done = true;
        for (int i = 0; result == PELT_OK && i < CROWD_TECHNIQUE_COUNT; ++i)
        {
            if (!run->climbs[i].is_done)
            {
                tell(run, "crowd:", (crowd_technique)i);
                result = crowd_climb_step(&run->climbs[i], &run->instances, &run->pace, error);
                is_done = false;
            }
        }
    }
    return result;
}

static pelt_result measure_parts(crowd_run* run, crowd_technique technique, pelt_error* error)
{
    crowd_cast* cast = &run->casts[technique];
    crowd_point on = {0};
    if (cast->part_count == 0 || !has_toggles(run, technique))
    {
        return PELT_OK;
    }
    tell(run, "crowd: parts of", technique);
    pelt_result result = measure_toggles(run, cast, &on, error);
    bool is_baked = crowd_technique_describe(technique)->kind == CROWD_BAKED;
    for (uint32_t limit = most_influences(cast) - 1; is_baked && limit > 0; --limit)
    {
        result = result == PELT_OK ? measure_influences(run, technique, &on, limit, error) : result;
    }
    return result;
}

static pelt_result measure_all(crowd_run* run, pelt_error* error)
{
    pelt_result result = begin_all(run, error);
    result = result == PELT_OK ? climb_all(run, error) : result;
    for (int i = 0; result == PELT_OK && i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        result = measure_parts(run, (crowd_technique)i, error);
    }
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        crowd_cast_destroy(&run->casts[i]);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// The suite

static pelt_result find_techniques(bool is_wanted[CROWD_TECHNIQUE_COUNT], const char* list,
                                   pelt_error* error)
{
    bool is_all = list == NULL || strcmp(list, "all") == 0;
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        is_wanted[i] = is_all;
    }
    for (const char* at = is_all ? "" : list; *at != '\0';)
    {
        char name[64];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        crowd_technique technique = crowd_technique_find(name);
        if (technique == CROWD_TECHNIQUE_COUNT)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                  "unknown technique \"%s\"; there are all, control, gpu-matrix, "
                                  "gpu-dq, gpu-crs, matrix-texture, dq-texture, qt-texture, "
                                  "vertex-texture, matrix-posed and qt-posed",
                                  name);
        }
        is_wanted[technique] = true;
        at += length + (at[length] == ',');
    }
    return PELT_OK;
}

static void describe(crowd_run* run, const char* name)
{
    const crowd_subject* subject = &run->subject;
    pelt_gl_info info = pelt_gl_describe(run->target.gl);
    snprintf(run->report->renderer, sizeof run->report->renderer, "%s", info.renderer);
    snprintf(run->report->subject, sizeof run->report->subject,
             "%s, clip %s: %u vertices, %u triangles, %u joints, %u %s", name,
             subject->source->clips[subject->clip].name, subject->vertex_count,
             subject->triangle_count, subject->joint_count, subject->part_count,
             subject->part_count == 1 ? "mesh" : "meshes");
    snprintf(run->title, sizeof run->title, "Crowds of %s", name);
}

static pelt_result run_subject(crowd_run* run, const char* name, pelt_error* error)
{
    if (crowd_instances_create(&run->instances, CROWD_INSTANCE_MAX) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    describe(run, name);
    pelt_result result = measure_all(run, error);
    crowd_instances_destroy(&run->instances);
    if (result == PELT_OK)
    {
        crowd_table_techniques(run->report, run->curves);
        crowd_table_tests(run->report, run->curves);
        crowd_table_points(run->report, run->curves);
        crowd_plot(&run->report->plot, run->curves, run->title);
    }
    return result;
}

static pelt_result run_scene(crowd_run* run, const pelt_scene* scene, const char* input,
                             pelt_error* error)
{
    pelt_result result = crowd_subject_create(&run->subject, scene, input, error);
    if (result != PELT_OK)
    {
        return result;
    }
    result = draw_target_create(&run->target, error);
    if (result == PELT_OK)
    {
        result = run_subject(run, bench_file_name(input), error);
        draw_target_destroy(&run->target);
    }
    crowd_subject_destroy(&run->subject);
    return result;
}

pelt_result bench_crowd(bench_report* out, const bench_options* options, pelt_error* error)
{
    // Large, and its title is the plot's.
    static crowd_run run;
    double seconds = options->seconds > 0.0 ? options->seconds : options->is_quick ? 0.3 : 10.0;
    run = (crowd_run){.report = out, .options = options, .pace = crowd_pace_of(seconds)};
    crowd_tables_begin(out);
    const char* input = options->input_count > 0 ? options->inputs[0] : "rig:box";
    pelt_scene* scene;
    pelt_result result = find_techniques(run.is_wanted, options->techniques, error);
    if (result == PELT_OK)
    {
        result = bench_scene_load(&scene, input, error);
    }
    if (result == PELT_OK)
    {
        result = run_scene(&run, scene, input, error);
        pelt_scene_destroy(scene);
    }
    if (options->progress != NULL)
    {
        options->progress(NULL);
    }
    return result;
}
