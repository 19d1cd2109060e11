// SPDX-License-Identifier: MIT
// The benchmark of crowds on a real renderer, and its report.
#include "crowd_run.h"

#include "clock.h"

#include <math.h>
#include <stdio.h>

pelt_result crowd_run_begin(crowd_run* out, const crowd_plan* plan, draw_target* target,
                            crowd_subject* subject, pelt_error* error)
{
    *out = (crowd_run){.target = target, .subject = subject};
    crowd_schedule_begin(&out->schedule, plan);
    return crowd_instances_create(&out->instances, CROWD_INSTANCE_MAX) == PELT_OK
               ? PELT_OK
               : pelt_error_memory(error);
}

void crowd_run_end(crowd_run* run)
{
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        for (uint32_t k = 0; k < PELT_GPU_INFLUENCE_MAX; ++k)
        {
            crowd_cast_destroy(&run->casts[i][k]);
        }
    }
    crowd_instances_destroy(&run->instances);
    *run = (crowd_run){0};
}

bool crowd_run_is_done(const crowd_run* run)
{
    return run->schedule.phase == CROWD_DONE;
}

// The first cast of a technique describes it to the schedule. Casts with fewer influences are made
// later, for one size of the crowd.
static pelt_result prepare(crowd_run* run, crowd_cast* cast, const crowd_draw* draw,
                           pelt_error* error)
{
    bool is_whole = draw->max_influences == 0;
    crowd_cast_options options = {.capacity =
                                      is_whole ? run->instances.capacity : draw->instance_count,
                                  .max_influences = draw->max_influences};
    pelt_result result =
        crowd_cast_create(cast, draw->technique, run->target, run->subject, &options, error);
    if (!is_whole)
    {
        return result;
    }
    if (result == PELT_ERROR_UNSUPPORTED)
    {
        // For instance, a texture of vertices can be too large: the row of the technique is empty.
        crowd_schedule_describe(&run->schedule, draw->technique, NULL);
        return PELT_OK;
    }
    if (result == PELT_OK)
    {
        crowd_facts facts = {.max_instances = cast->capacity,
                             .part_count = cast->part_count,
                             .influence_count = crowd_cast_influences(cast),
                             .has_metadata = cast->metadata.texel_count > 0,
                             .texture_bytes = crowd_cast_texture_bytes(cast)};
        crowd_schedule_describe(&run->schedule, draw->technique, &facts);
    }
    return result;
}

pelt_result crowd_run_step(crowd_run* run, pelt_error* error)
{
    crowd_draw draw;
    if (!crowd_schedule_next(&run->schedule, &draw))
    {
        return PELT_OK;
    }
    crowd_cast* cast = &run->casts[draw.technique][draw.max_influences];
    if (cast->part_count == 0)
    {
        return prepare(run, cast, &draw, error);
    }
    if (run->arranged != cast || run->instances.count != draw.instance_count)
    {
        crowd_instances_arrange(&run->instances, draw.instance_count, run->subject->spacing);
        crowd_cast_arrange(cast, &run->instances);
        run->arranged = cast;
    }
    double start = clock_seconds();
    pelt_result result = crowd_cast_draw(cast, draw.time, draw.off, error);
    if (result == PELT_ERROR_UNSUPPORTED && run->schedule.phase == CROWD_TESTING)
    {
        // A driver may fail to build a shader without a stage: the row of the test is left out.
        crowd_schedule_skip(&run->schedule);
        return PELT_OK;
    }
    draw_target_finish();
    crowd_schedule_tell(&run->schedule, clock_seconds() - start);
    return result;
}

// ---------------------------------------------------------------------------------------------

static void describe(bench_report* out, const crowd_run* run, const char* name)
{
    const crowd_subject* subject = run->subject;
    pelt_gl_info info = pelt_gl_describe(run->target->gl);
    snprintf(out->renderer, sizeof out->renderer, "%s", info.renderer);
    snprintf(out->subject, sizeof out->subject,
             "%s, clip %s: %u vertices, %u triangles, %u joints, %u %s", name,
             subject->source->clips[subject->clip].name, subject->vertex_count,
             subject->triangle_count, subject->joint_count, subject->part_count,
             subject->part_count == 1 ? "mesh" : "meshes");
}

void crowd_run_report(bench_report* out, const crowd_run* run, const char* name, const char* title)
{
    const crowd_schedule* schedule = &run->schedule;
    crowd_tables_begin(out);
    describe(out, run, name);
    crowd_table_techniques(out, schedule->curves);
    crowd_table_breakpoints(out, schedule->curves);
    crowd_table_tests(out, schedule->curves);
    crowd_table_trials(out, schedule);
    crowd_table_points(out, schedule->curves);
    crowd_plot(&out->plot, schedule->curves, title);
}

// ---------------------------------------------------------------------------------------------
// Tables and plot

// Ratings are frames per second * instances; percentages are relative to control. "many" draws are
// one for each mesh and instance, "few" are one for each mesh.
static const bench_column technique_columns[] = {
    {"technique", "TECHNIQUE", BENCH_TEXT},
    {"draws", "DRAWS", BENCH_TEXT},
    {"texture_bytes", "TEXTURE", 0},
    {"points", "N", 0},
    {"rating", "RATING", 0},
    {"rating_deviation", "SD", 0},
    {"rating_to_control_percent", "RATING %", 1},
    {"at_120_fps", "120 FPS", 0},
    {"at_60_fps", "60 FPS", 0},
    {"at_30_fps", "30 FPS", 0},
    {"at_30_fps_to_control_percent", "30 FPS %", 1},
};

static const bench_column breakpoint_columns[] = {
    {"technique", "TECHNIQUE", BENCH_TEXT},
    {"at_120_fps_percent", "120 FPS, % OF CONTROL", 1},
    {"at_60_fps_percent", "60 FPS", 1},
    {"at_30_fps_percent", "30 FPS", 1},
};

static const bench_column test_columns[] = {
    {"technique", "TECHNIQUE", BENCH_TEXT},
    {"against", "AGAINST", BENCH_TEXT},
    {"mean_difference_percent", "R.M.D. %", 1},
    {"t", "T", 2},
    {"freedom", "D.F.", 1},
    {"p", "P", BENCH_DIGITS},
    {"differs", "DIFFERS (P < 0.05)", BENCH_TEXT},
};

static const bench_column point_columns[] = {
    {"technique", "TECHNIQUE", BENCH_TEXT},
    {"instances", "INSTANCES", 0},
    {"frame_ms", "FRAME MS", BENCH_DIGITS},
    {"frame_ms_median", "MEDIAN", BENCH_DIGITS},
    {"frame_ms_mean", "MEAN", BENCH_DIGITS},
    {"frame_ms_deviation", "SD", BENCH_DIGITS},
    {"frame_ms_p95", "P95", BENCH_DIGITS},
    {"frames", "FRAMES", 0},
    {"fps", "FPS", BENCH_DIGITS},
    {"rating", "RATING", 0},
};

static const bench_column toggle_columns[] = {
    {"technique", "TECHNIQUE", BENCH_TEXT},
    {"off", "OFF", BENCH_TEXT},
    {"instances", "INSTANCES", 0},
    {"frame_ms", "FRAME MS", BENCH_DIGITS},
    {"rating", "RATING", 0},
    {"to_all_on_percent", "% OF ALL ON", 1},
};

enum
{
    TECHNIQUES = 0,
    BREAKPOINTS,
    TESTS,
    TOGGLES,
    POINTS,
};

void crowd_tables_begin(bench_report* out)
{
    PELT_ASSERT(out->table_count == 0);
    bench_table_add(out, "techniques", technique_columns, COUNT_OF(technique_columns));
    bench_table_add(out, "breakpoints", breakpoint_columns, COUNT_OF(breakpoint_columns));
    bench_table_add(out, "tests", test_columns, COUNT_OF(test_columns));
    bench_table_add(out, "toggles", toggle_columns, COUNT_OF(toggle_columns));
    bench_table_add(out, "points", point_columns, COUNT_OF(point_columns))->is_detail = true;
}

static const char* name_of(crowd_technique technique)
{
    return crowd_technique_describe(technique)->name;
}

void crowd_table_techniques(bench_report* out, const crowd_curve* curves)
{
    bench_table* table = &out->tables[TECHNIQUES];
    const crowd_curve* control = &curves[CROWD_CONTROL];
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        const crowd_curve* curve = &curves[i];
        if (!curve->is_measured)
        {
            continue;
        }
        crowd_kind kind = crowd_technique_describe(curve->technique)->kind;
        bool is_single = kind == CROWD_SINGLY || kind == CROWD_SKINNED;
        bench_cell* row = bench_row_add(table);
        bench_cell_set(&row[0], name_of(curve->technique));
        bench_cell_set(&row[1], is_single ? "many" : "few");
        row[2].number = curve->texture_bytes > 0 ? (double)curve->texture_bytes : (double)NAN;
        row[3].number = curve->point_count;
        row[4].number = curve->rating.mean;
        row[5].number = curve->rating.deviation;
        for (int k = 0; k < CROWD_BREAKPOINT_COUNT; ++k)
        {
            row[7 + k].number = curve->breakpoints[k];
        }
        if (control->is_measured)
        {
            row[6].number = 100.0 * curve->rating.mean / control->rating.mean;
            row[10].number = 100.0 * curve->breakpoints[2] / control->breakpoints[2];
        }
    }
}

void crowd_table_breakpoints(bench_report* out, const crowd_curve* curves)
{
    const crowd_curve* control = &curves[CROWD_CONTROL];
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT && control->is_measured; ++i)
    {
        if (!curves[i].is_measured)
        {
            continue;
        }
        bench_cell* row = bench_row_add(&out->tables[BREAKPOINTS]);
        bench_cell_set(&row[0], name_of(curves[i].technique));
        for (int k = 0; k < CROWD_BREAKPOINT_COUNT; ++k)
        {
            row[1 + k].number = 100.0 * curves[i].breakpoints[k] / control->breakpoints[k];
        }
    }
}

void crowd_table_tests(bench_report* out, const crowd_curve* curves)
{
    static const crowd_technique pairs[][2] = {
        {CROWD_GPU_DQ, CROWD_GPU_MATRIX},
        {CROWD_GPU_CRS, CROWD_GPU_MATRIX},
        {CROWD_CPU_MATRIX, CROWD_GPU_MATRIX},
        {CROWD_DQ_TEXTURE, CROWD_MATRIX_TEXTURE},
        {CROWD_QT_TEXTURE, CROWD_MATRIX_TEXTURE},
        {CROWD_MATRIX_TEXTURE, CROWD_GPU_MATRIX},
        {CROWD_DQ_TEXTURE, CROWD_GPU_DQ},
        {CROWD_MATRIX_POSED, CROWD_MATRIX_TEXTURE},
        {CROWD_MATRIX_POSED, CROWD_GPU_MATRIX},
        {CROWD_QT_POSED, CROWD_GPU_MATRIX},
        {CROWD_VERTEX_TEXTURE, CROWD_QT_TEXTURE},
        {CROWD_VERTEX_TEXTURE, CROWD_DQ_TEXTURE},
        {CROWD_VERTEX_TEXTURE, CROWD_CONTROL},
        {CROWD_THESIS_DQ_TEXTURE, CROWD_THESIS_MATRIX_TEXTURE},
        {CROWD_THESIS_MATRIX_TEXTURE, CROWD_GPU_MATRIX},
        {CROWD_THESIS_DQ_TEXTURE, CROWD_GPU_DQ},
        {CROWD_THESIS_VERTEX_TEXTURE, CROWD_THESIS_MATRIX_TEXTURE},
        {CROWD_THESIS_VERTEX_TEXTURE, CROWD_THESIS_DQ_TEXTURE},
        {CROWD_THESIS_VERTEX_TEXTURE, CROWD_CONTROL},
    };
    bench_table* table = &out->tables[TESTS];
    for (uint32_t i = 0; i < COUNT_OF(pairs); ++i)
    {
        const crowd_curve *a = &curves[pairs[i][0]], *b = &curves[pairs[i][1]];
        if (!a->is_measured || !b->is_measured)
        {
            continue;
        }
        welch_test test = welch_compare(&a->rating, &b->rating);
        bench_cell* row = bench_row_add(table);
        bench_cell_set(&row[0], name_of(a->technique));
        bench_cell_set(&row[1], name_of(b->technique));
        row[2].number = 100.0 * (a->rating.mean / b->rating.mean - 1.0);
        row[3].number = test.t;
        row[4].number = test.freedom;
        row[5].number = test.p;
        bench_cell_set(&row[6], isnan(test.p) ? "" : test.p < 0.05 ? "yes" : "no");
    }
}

void crowd_table_points(bench_report* out, const crowd_curve* curves)
{
    bench_table* table = &out->tables[POINTS];
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        for (uint32_t k = 0; k < curves[i].point_count; ++k)
        {
            const crowd_point* point = &curves[i].points[k];
            bench_cell* row = bench_row_add(table);
            bench_cell_set(&row[0], name_of(curves[i].technique));
            row[1].number = point->instance_count;
            row[2].number = 1e3 * point->best;
            row[3].number = 1e3 * point->median;
            row[4].number = 1e3 * point->mean;
            row[5].number = 1e3 * point->deviation;
            row[6].number = 1e3 * point->p95;
            row[7].number = point->frame_count;
            row[8].number = 1.0 / point->best;
            row[9].number = point->rating;
        }
    }
}

void crowd_table_trials(bench_report* out, const crowd_schedule* schedule)
{
    for (uint32_t i = 0; i < schedule->trial_count; ++i)
    {
        const crowd_trial* trial = &schedule->trials[i];
        const crowd_point *point = &trial->point, *on = &schedule->trials[trial->whole].point;
        if (point->frame_count == 0)
        {
            continue;
        }
        bench_cell* row = bench_row_add(&out->tables[TOGGLES]);
        bench_cell_set(&row[0], name_of(trial->draw.technique));
        crowd_trial_write(row[1].text, sizeof row[1].text, trial);
        row[2].number = point->instance_count;
        row[3].number = 1e3 * point->best;
        row[4].number = point->rating;
        row[5].number = 100.0 * point->rating / on->rating;
    }
}

static const crowd_style styles[CROWD_TECHNIQUE_COUNT] = {
    [CROWD_CONTROL] = {PLOT_STAR, PLOT_BLACK},
    [CROWD_CPU_MATRIX] = {PLOT_CIRCLE, PLOT_BLACK},
    [CROWD_GPU_MATRIX] = {PLOT_CIRCLE, PLOT_BLUE},
    [CROWD_GPU_DQ] = {PLOT_CIRCLE, PLOT_VERMILION},
    [CROWD_GPU_CRS] = {PLOT_CIRCLE, PLOT_GREEN},
    [CROWD_MATRIX_TEXTURE] = {PLOT_SQUARE, PLOT_BLUE},
    [CROWD_DQ_TEXTURE] = {PLOT_SQUARE, PLOT_VERMILION},
    [CROWD_QT_TEXTURE] = {PLOT_SQUARE, PLOT_PURPLE},
    [CROWD_VERTEX_TEXTURE] = {PLOT_TRIANGLE, PLOT_BLACK},
    [CROWD_MATRIX_POSED] = {PLOT_DIAMOND, PLOT_BLUE},
    [CROWD_QT_POSED] = {PLOT_DIAMOND, PLOT_PURPLE},
    [CROWD_THESIS_MATRIX_TEXTURE] = {PLOT_SQUARE, PLOT_SKY_BLUE},
    [CROWD_THESIS_DQ_TEXTURE] = {PLOT_SQUARE, PLOT_GREEN},
    [CROWD_THESIS_VERTEX_TEXTURE] = {PLOT_TRIANGLE, PLOT_SKY_BLUE},
};

crowd_style crowd_technique_style(crowd_technique technique)
{
    return styles[technique];
}

void crowd_plot(plot* out, const crowd_curve* curves, const char* title)
{
    *out = (plot){.title = title,
                  .x_title = "instances",
                  .y_title = "milliseconds per frame",
                  .notes = {"circles: one draw per instance", "squares, triangles: textures",
                            "diamonds: textures, posed first"}};
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        if (!curves[i].is_measured)
        {
            continue;
        }
        plot_series* series =
            plot_series_add(out, name_of(curves[i].technique), styles[i].mark, styles[i].color);
        series->is_line = true;
        for (uint32_t k = 0; k < curves[i].point_count; ++k)
        {
            const crowd_point* point = &curves[i].points[k];
            plot_point_add(series,
                           (plot_point){.x = point->instance_count, .y = 1e3 * point->best});
        }
    }
}
