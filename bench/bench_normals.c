// SPDX-License-Identifier: MIT
// Suite `normals`: angles between the normals of each rule and those of the deformed triangles, in
// the clips of built-in rigs.
#include "bench.h"
#include "normal_error.h"
#include "rigs.h"

#include <stdio.h>

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

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
static const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                      PELT_METHOD_CRS};

static void add_row(bench_table* out, const char* rig, const char* clip, pelt_method method,
                    const normal_error* errors, uint32_t pose_count)
{
    static const pelt_normal_rule order[] = {PELT_NORMAL_STANDARD, PELT_NORMAL_PAPER,
                                             PELT_NORMAL_ACCURATE};
    bench_cell* row = bench_row_add(out);
    snprintf(row[0].text, sizeof row[0].text, "%s", rig);
    snprintf(row[1].text, sizeof row[1].text, "%s", clip);
    snprintf(row[2].text, sizeof row[2].text, "%s", pelt_method_name(method));
    row[3].number = (double)errors[0].count / pose_count;
    for (uint32_t i = 0; i < COUNT_OF(order); ++i)
    {
        row[4 + 2 * i].number = normal_error_mean(&errors[order[i]]);
        row[5 + 2 * i].number = errors[order[i]].max;
    }
    row[10].number = row[4].number / row[8].number;
}

static pelt_result measure_clip(bench_table* out, normal_subject* subject, const char* rig,
                                const pelt_clip* clip, uint32_t pose_count)
{
    for (uint32_t i = 0; i < COUNT_OF(methods); ++i)
    {
        normal_error errors[PELT_NORMAL_RULE_COUNT] = {0};
        for (uint32_t pose = 1; pose <= pose_count; ++pose)
        {
            // To the very end: the clips of the simple rigs are at their strongest there.
            float time = clip->duration * (float)pose / (float)pose_count;
            pelt_pose_sample(&subject->pose, subject->scene, clip, time, PELT_WRAP_CLAMP);
            pelt_result result = normal_subject_measure(errors, subject, methods[i]);
            if (result != PELT_OK)
            {
                return result;
            }
        }
        add_row(out, rig, clip->name, methods[i], errors, pose_count);
    }
    return PELT_OK;
}

static pelt_result measure_rig(bench_table* out, const char* name, const bench_options* options,
                               pelt_error* error)
{
    pelt_scene* scene;
    pelt_result result = pelt_rig_build(&scene, name, error);
    if (result != PELT_OK)
    {
        return result;
    }
    normal_subject subject;
    result = normal_subject_create(&subject, scene);
    for (uint32_t i = 0; result == PELT_OK && i < scene->clip_count; ++i)
    {
        char label[64];
        snprintf(label, sizeof label, "%s %s", name, scene->clips[i].name);
        if (options->progress != NULL)
        {
            options->progress(label);
        }
        result = measure_clip(out, &subject, name, &scene->clips[i], options->is_quick ? 2 : 8);
    }
    normal_subject_destroy(&subject);
    pelt_scene_destroy(scene);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

pelt_result bench_normals(bench_report* out, const bench_options* options, pelt_error* error)
{
    bench_table* table = bench_table_add(out, "rows", columns, COUNT_OF(columns));
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < COUNT_OF(rig_names); ++i)
    {
        result = measure_rig(table, rig_names[i], options, error);
    }
    if (options->progress != NULL)
    {
        options->progress(NULL);
    }
    return result;
}
