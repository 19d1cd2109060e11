// SPDX-License-Identifier: MIT
// Suite `crowd`: how many instances of a character a machine draws by each technique; the benchmark
// of the animation texture thesis (2021), section 3.6.5.
#include "bench.h"
#include "crowd_merge.h"
#include "crowd_run.h"

#include <stdio.h>
#include <string.h>

static pelt_result refuse_technique(const char* name, pelt_error* error)
{
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT && used < sizeof list; ++i)
    {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i + 1 == CROWD_TECHNIQUE_COUNT ? " and " : ", ",
                                 crowd_technique_describe((crowd_technique)i)->name);
    }
    return pelt_error_set(error, PELT_ERROR_ARGUMENT, "unknown technique \"%s\"; choose from all%s",
                          name, list);
}

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
            return refuse_technique(name, error);
        }
        is_wanted[technique] = true;
        at += length + (at[length] == ',');
    }
    return PELT_OK;
}

// Quick runs have one A/B test, of the stages on the CPU.
static void plan_tests(crowd_plan* out, bool is_quick, bool is_merged)
{
    if (is_merged) // the second benchmark of the animation texture thesis (2021), section 4.13
    {
        out->never = CROWD_SKELETON;
        return;
    }
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        out->is_tested[i] = is_quick ? i == CROWD_GPU_MATRIX : crowd_plan_tests((crowd_technique)i);
    }
    out->stages = is_quick ? CROWD_UPLOAD | CROWD_SKELETON : CROWD_STAGES_ALL;
    out->rounds = is_quick ? 1 : 4;
}

static void tell(const bench_options* options, const crowd_schedule* schedule)
{
    static const char* const phases[] = {
        [CROWD_WARMING] = "preparing ", [CROWD_CLIMBING] = "", [CROWD_TESTING] = "parts of "};
    crowd_draw draw;
    if (options->progress != NULL && crowd_schedule_next(schedule, &draw))
    {
        char label[128];
        snprintf(label, sizeof label, "crowd: %s%s", phases[schedule->phase],
                 crowd_technique_describe(draw.technique)->name);
        options->progress(label);
    }
}

static pelt_result measure(bench_report* out, const bench_options* options, crowd_run* run,
                           const char* name, pelt_error* error)
{
    static char title[160]; // outlives the plot
    bool is_new = true;
    while (!crowd_run_is_done(run))
    {
        if (is_new)
        {
            tell(options, &run->schedule);
        }
        PELT_TRY(crowd_run_step(run, error));
        is_new = run->schedule.sample.elapsed == 0.0; // the next sample begins
    }
    snprintf(title, sizeof title, "Crowds of %s", name);
    crowd_run_report(out, run, name, title);
    return PELT_OK;
}

static pelt_result run_subject(bench_report* out, const bench_options* options,
                               const crowd_plan* plan, crowd_subject* subject, const char* name,
                               pelt_error* error)
{
    static crowd_run run; // large
    draw_target target;
    PELT_TRY(draw_target_create(&target, error));
    pelt_result result = crowd_run_begin(&run, plan, &target, subject, error);
    result = result == PELT_OK ? measure(out, options, &run, name, error) : result;
    crowd_run_end(&run);
    draw_target_destroy(&target);
    return result;
}

static pelt_result run_scene(bench_report* out, const bench_options* options,
                             const crowd_plan* plan, const pelt_scene* scene, const char* input,
                             pelt_error* error)
{
    crowd_subject subject;
    pelt_result result = crowd_subject_create(&subject, scene, input, error);
    if (result == PELT_OK)
    {
        result = run_subject(out, options, plan, &subject, bench_file_name(input), error);
        crowd_subject_destroy(&subject);
    }
    return result;
}

static pelt_result run_merged(bench_report* out, const bench_options* options,
                              const crowd_plan* plan, const pelt_scene* scene, const char* input,
                              pelt_error* error)
{
    pelt_scene merged = *scene;
    pelt_arena* arena = pelt_arena_create();
    pelt_result result =
        arena != NULL ? crowd_merge_vertices(&merged, arena, error) : pelt_error_memory(error);
    if (result == PELT_OK)
    {
        result = run_scene(out, options, plan, &merged, input, error);
    }
    pelt_arena_destroy(arena);
    return result;
}

pelt_result bench_crowd(bench_report* out, const bench_options* options, pelt_error* error)
{
    double seconds = options->seconds > 0.0 ? options->seconds : options->is_quick ? 0.3 : 10.0;
    crowd_plan plan = {.pace = crowd_pace_of(seconds)};
    plan_tests(&plan, options->is_quick, options->is_merged);
    const char* input = options->input_count > 0 ? options->inputs[0] : "rig:box";
    pelt_scene* scene;
    pelt_result result = find_techniques(plan.is_wanted, options->techniques, error);
    if (result == PELT_OK)
    {
        result = bench_scene_load(&scene, input, error);
    }
    if (result == PELT_OK)
    {
        result = options->is_merged ? run_merged(out, options, &plan, scene, input, error)
                                    : run_scene(out, options, &plan, scene, input, error);
        pelt_scene_destroy(scene);
    }
    bench_tell(options, NULL);
    return result;
}
