// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "benchmark.h"

#include "bench.h"
#include "bench_json.h"
#include "clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Seconds of the benchmark between two frames of the interface.
static const double slice = 0.03;

const crowd_schedule* benchmark_schedule(const benchmark* in)
{
    return in->state == BENCHMARK_RUNNING ? &in->run.schedule : &in->schedule;
}

// ---------------------------------------------------------------------------------------------
// The character

void benchmark_take(benchmark* inout, pelt_gl* gl, const char* name, const pelt_scene* scene)
{
    if (inout->subject != NULL)
    {
        return;
    }
    pelt_error error = {0};
    inout->subject = name;
    inout->reason[0] = '\0';
    pelt_result result =
        inout->target.gl != NULL ? PELT_OK : draw_target_attach(&inout->target, gl, &error);
    if (result == PELT_OK)
    {
        result = crowd_subject_create(&inout->character, scene, name, &error);
    }
    if (result != PELT_OK)
    {
        snprintf(inout->reason, sizeof inout->reason, "%.199s", error.message);
    }
}

static void drop_crowd(benchmark* inout)
{
    ++inout->revision;
    crowd_cast_destroy(&inout->cast);
    crowd_instances_destroy(&inout->instances);
}

void benchmark_forget(benchmark* inout)
{
    if (inout->subject == NULL)
    {
        return;
    }
    if (inout->state == BENCHMARK_RUNNING)
    {
        benchmark_cancel(inout);
    }
    drop_crowd(inout);
    crowd_subject_destroy(&inout->character);
    inout->subject = NULL;
}

bool benchmark_leave(benchmark* inout)
{
    if (inout->state == BENCHMARK_RUNNING || inout->target.gl == NULL)
    {
        return false;
    }
    benchmark_forget(inout);
    draw_target_destroy(&inout->target);
    return true;
}

void benchmark_destroy(benchmark* inout)
{
    benchmark_forget(inout);
    draw_target_destroy(&inout->target);
}

// ---------------------------------------------------------------------------------------------
// The crowd on show

static pelt_result create_crowd(benchmark* inout, crowd_technique technique, pelt_error* error)
{
    drop_crowd(inout);
    crowd_cast_options options = {.capacity = BENCHMARK_INSTANCE_MAX};
    if (crowd_instances_create(&inout->instances, BENCHMARK_INSTANCE_MAX) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = crowd_cast_create(&inout->cast, technique, &inout->target,
                                           &inout->character, &options, error);
    // The texture may be too large, for instance: another technique may work.
    snprintf(inout->note, sizeof inout->note, "%.199s", result != PELT_OK ? error->message : "");
    return result == PELT_ERROR_UNSUPPORTED ? PELT_OK : result;
}

static void arrange_crowd(benchmark* inout, const crowd_draw* draw, float spacing)
{
    uint32_t count = draw->instance_count;
    count = count < inout->cast.capacity ? count : inout->cast.capacity;
    crowd_instances_arrange(&inout->instances, count, spacing * inout->character.spacing);
    crowd_cast_arrange(&inout->cast, &inout->instances);
}

// Nothing is drawn that would be the same.
static pelt_result draw_crowd(benchmark* inout, const view_settings* settings, int32_t width,
                              int32_t height, pelt_error* error)
{
    crowd_draw draw = {.technique = (crowd_technique)settings->bench_technique,
                       .instance_count = (uint32_t)settings->bench_instances,
                       .off = settings->bench_updates ? 0 : CROWD_UPLOAD | CROWD_SKELETON,
                       .time = inout->time};
    const crowd_draw* shown = &inout->shown;
    bool is_new = inout->instances.capacity == 0 || shown->technique != draw.technique;
    pelt_result result = is_new ? create_crowd(inout, draw.technique, error) : PELT_OK;
    if (result != PELT_OK || inout->cast.part_count == 0)
    {
        inout->shown = draw;
        return result;
    }
    bool is_resized = inout->target.width != width || inout->target.height != height;
    if (is_resized)
    {
        draw_target_resize(&inout->target, width, height);
    }
    bool is_moved = is_new || is_resized || shown->instance_count != draw.instance_count ||
                    inout->spacing != settings->bench_spacing;
    if (is_moved)
    {
        inout->spacing = settings->bench_spacing;
        arrange_crowd(inout, &draw, inout->spacing);
    }
    bool is_same = !is_moved && shown->off == draw.off && shown->time == draw.time;
    inout->shown = draw;
    inout->is_drawn = !is_same;
    return is_same ? PELT_OK : crowd_cast_draw(&inout->cast, draw.time, draw.off, error);
}

void benchmark_count(const benchmark* in, uint32_t* draw_count, uint64_t* vertex_count)
{
    const crowd_technique_info* info = crowd_technique_describe(in->shown.technique);
    uint32_t instances = in->is_drawn ? in->instances.count : 0;
    uint32_t draws = info->kind == CROWD_SINGLY ? instances : instances > 0 ? 1 : 0;
    *draw_count = draws * in->cast.part_count;
    *vertex_count = (uint64_t)instances * in->character.vertex_count;
}

// ---------------------------------------------------------------------------------------------
// The benchmark

bool benchmark_free_folder(char out[BENCHMARK_PATH_BYTES], const char* folder)
{
    for (int i = 1; i < 1000; ++i)
    {
        char number[8] = "", path[BENCHMARK_PATH_BYTES + 32];
        if (i > 1)
        {
            snprintf(number, sizeof number, "-%d", i);
        }
        int length = snprintf(out, BENCHMARK_PATH_BYTES, "%.1000s%s", folder, number);
        snprintf(path, sizeof path, "%s/crowd.json", out);
        if (length > 0 && access(path, F_OK) != 0)
        {
            return true;
        }
    }
    return false;
}

static crowd_plan plan_of(const view_settings* settings)
{
    crowd_plan plan = {.rounds = settings->bench_seconds < 1.0f ? 1 : 4,
                       .pace = crowd_pace_of((double)settings->bench_seconds)};
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        plan.is_wanted[i] = settings->bench_tests[i];
        plan.is_tested[i] = crowd_plan_tests((crowd_technique)i);
    }
    for (int i = 0; i < CROWD_STAGE_COUNT; ++i)
    {
        plan.stages |= settings->bench_stages[i] ? 1u << i : 0u;
    }
    return plan;
}

static bool has_technique(const crowd_plan* plan)
{
    bool has_any = false;
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        has_any = has_any || plan->is_wanted[i];
    }
    return has_any;
}

pelt_result benchmark_start(benchmark* inout, const view_settings* settings, pelt_error* error)
{
    if (inout->subject == NULL || inout->reason[0] != '\0')
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "%s",
                              inout->reason[0] != '\0' ? inout->reason : "there is no character");
    }
    crowd_plan plan = plan_of(settings);
    if (!has_technique(&plan))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "check some technique to test");
    }
    PELT_TRY(bench_folder_check(inout->folder, error));
    // Two crowds at once would cost memory, and the picture is that of the benchmark.
    drop_crowd(inout);
    draw_target_resize(&inout->target, DRAW_WIDTH, DRAW_HEIGHT);
    pelt_result result =
        crowd_run_begin(&inout->run, &plan, &inout->target, &inout->character, error);
    if (result != PELT_OK)
    {
        crowd_run_end(&inout->run);
        return result;
    }
    inout->state = BENCHMARK_RUNNING;
    return PELT_OK;
}

static void end_run(benchmark* inout, benchmark_state state)
{
    inout->schedule = inout->run.schedule;
    inout->state = state;
    crowd_run_end(&inout->run);
}

void benchmark_cancel(benchmark* inout)
{
    if (inout->state == BENCHMARK_RUNNING)
    {
        end_run(inout, BENCHMARK_CANCELED);
    }
}

// The files that `pelt bench crowd -o FOLDER` writes.
static pelt_result save(const benchmark* in, const bench_report* report, pelt_error* error)
{
    static const bench_suite suite = {.name = "crowd", .has_plot = true};
    json_t* object = bench_json(&suite, report, false);
    char* text =
        object != NULL ? json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(object);
    if (text == NULL || !bench_report_is_whole(report))
    {
        free(text);
        return pelt_error_memory(error);
    }
    size_t size = strlen(text);
    text[size] = '\n'; // in place of the final zero
    pelt_result result = bench_folder_save(in->folder, &suite, report, text, size + 1, error);
    free(text);
    return result;
}

static pelt_result finish(benchmark* inout, pelt_error* error)
{
    char title[160];
    bench_report report = {0};
    const char* name = bench_file_name(inout->subject);
    snprintf(title, sizeof title, "Crowds of %.120s", name);
    crowd_run_report(&report, &inout->run, name, title);
    pelt_result result = save(inout, &report, error);
    bench_report_destroy(&report);
    end_run(inout, result == PELT_OK ? BENCHMARK_WRITTEN : BENCHMARK_CANCELED);
    return result;
}

static pelt_result run_slice(benchmark* inout, bool waits, pelt_error* error)
{
    double start = clock_seconds();
    pelt_result result = PELT_OK;
    do
    {
        result = crowd_run_step(&inout->run, error);
    } while (result == PELT_OK && !crowd_run_is_done(&inout->run) &&
             (waits || clock_seconds() - start < slice));
    if (result != PELT_OK)
    {
        benchmark_cancel(inout);
        return result;
    }
    return crowd_run_is_done(&inout->run) ? finish(inout, error) : PELT_OK;
}

pelt_result benchmark_update(benchmark* inout, const view_settings* settings, int32_t width,
                             int32_t height, bool waits, pelt_error* error)
{
    inout->is_drawn = false;
    if (inout->state == BENCHMARK_RUNNING)
    {
        return run_slice(inout, waits, error);
    }
    bool has_picture =
        inout->subject != NULL && inout->reason[0] == '\0' && width > 0 && height > 0;
    return has_picture ? draw_crowd(inout, settings, width, height, error) : PELT_OK;
}
