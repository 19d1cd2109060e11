// SPDX-License-Identifier: MIT
// The list of documents, and what functions that measure have in common.
#include "reproduce.h"

#include "pelt/prepare.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const pelt_deform_options reproduce_lbs = {.method = PELT_METHOD_LBS};
const pelt_deform_options reproduce_dqs = {.method = PELT_METHOD_DQS};
const pelt_deform_options reproduce_crs = {.method = PELT_METHOD_CRS};

uint32_t reproduce_document_list(const reproduce_document* const** out)
{
    static const reproduce_document* const documents[] = {
        &reproduce_bittner2019, &reproduce_le2016, &reproduce_textures2021, &reproduce_mix2019,
        &reproduce_tarini2014};
    *out = documents;
    return COUNT_OF(documents);
}

const char* reproduce_verdict_name(reproduce_verdict verdict)
{
    static const char* const names[] = {"", "agrees", "differs"};
    return names[verdict];
}

void reproduction_destroy(reproduction* in)
{
    for (uint32_t i = 0; i < in->suite_count; ++i)
    {
        bench_report_destroy(&in->suites[i]);
    }
    free(in->rows);
    *in = (reproduction){0};
}

void* reproduce_allocate(reproduction* inout, size_t count, size_t size)
{
    void* out = pelt_allocate(count, size);
    inout->is_out_of_memory = inout->is_out_of_memory || out == NULL;
    return out;
}

// ---------------------------------------------------------------------------------------------
// Rows

const char* reproduce_label(reproduction* inout, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(inout->label, sizeof inout->label, format, arguments);
    va_end(arguments);
    return inout->label;
}

static reproduce_row* add_row(reproduction* inout, const char* what, const char* unit)
{
    static reproduce_row spare;
    if (inout->row_count == inout->row_capacity)
    {
        uint32_t capacity = inout->row_capacity > 0 ? 2 * inout->row_capacity : 32;
        reproduce_row* rows = realloc(inout->rows, capacity * sizeof *rows);
        if (rows == NULL)
        {
            inout->is_out_of_memory = true;
            return &spare;
        }
        inout->rows = rows;
        inout->row_capacity = capacity;
    }
    reproduce_row* row = &inout->rows[inout->row_count++];
    *row = (reproduce_row){.unit = unit, .published_number = (double)NAN, .measured = (double)NAN};
    snprintf(row->what, sizeof row->what, "%s", what);
    return row;
}

void reproduce_number(reproduction* inout, const char* what, const char* unit, double published,
                      double measured, double tolerance)
{
    reproduce_row* row = add_row(inout, what, unit);
    snprintf(row->published, sizeof row->published, "%.10g", published);
    row->published_number = published;
    row->measured = measured;
    if (tolerance >= 0.0)
    {
        bool agrees = fabs(published - measured) <= tolerance;
        row->verdict = agrees ? REPRODUCE_AGREES : REPRODUCE_DIFFERS;
    }
}

void reproduce_claim(reproduction* inout, const char* what, const char* unit, const char* claim,
                     double measured, bool holds)
{
    reproduce_row* row = add_row(inout, what, unit);
    snprintf(row->published, sizeof row->published, "%s", claim);
    row->measured = measured;
    row->verdict = holds ? REPRODUCE_AGREES : REPRODUCE_DIFFERS;
}

void reproduce_unjudged(reproduction* inout, const char* what, const char* unit,
                        const char* published, double measured)
{
    reproduce_row* row = add_row(inout, what, unit);
    snprintf(row->published, sizeof row->published, "%s", published);
    row->measured = measured;
}

// ---------------------------------------------------------------------------------------------
// Suites of pelt bench

pelt_result reproduce_suite(const bench_report** out, reproduction* inout, const char* suite,
                            const bench_options* options, pelt_error* error)
{
    bool is_merged = options != NULL && options->is_merged;
    for (uint32_t i = 0; i < inout->suite_count; ++i)
    {
        if (strcmp(inout->suite_names[i], suite) == 0 && inout->is_suite_merged[i] == is_merged)
        {
            *out = &inout->suites[i];
            return PELT_OK;
        }
    }
    const bench_suite* suites;
    uint32_t count = bench_suite_list(&suites), found = 0;
    while (found < count && strcmp(suites[found].name, suite) != 0)
    {
        ++found;
    }
    PELT_ASSERT(found < count && inout->suite_count < COUNT_OF(inout->suites));
    bench_options how = options != NULL ? *options : (bench_options){0};
    how.is_quick = inout->is_quick;
    bench_report* report = &inout->suites[inout->suite_count];
    *report = (bench_report){0};
    pelt_result result = suites[found].run(report, &how, error);
    if (result != PELT_OK)
    {
        bench_report_destroy(report);
        return result;
    }
    inout->is_suite_merged[inout->suite_count] = is_merged;
    inout->suite_names[inout->suite_count++] = suites[found].name;
    *out = report;
    return bench_report_is_whole(report) ? PELT_OK : pelt_error_memory(error);
}

const bench_table* reproduce_table(const bench_report* report, const char* key)
{
    for (uint32_t i = 0; i < report->table_count; ++i)
    {
        if (strcmp(report->tables[i].key, key) == 0)
        {
            return &report->tables[i];
        }
    }
    return NULL;
}

static uint32_t find_column(const bench_table* table, const char* key)
{
    uint32_t i = 0;
    while (i < table->column_count && strcmp(table->columns[i].key, key) != 0)
    {
        ++i;
    }
    return i;
}

const bench_cell* reproduce_find_row(const bench_report* report, const char* table,
                                     const char* first_key, const char* first,
                                     const char* second_key, const char* second)
{
    const bench_table* in = reproduce_table(report, table);
    for (uint32_t i = 0; in != NULL && i < in->row_count; ++i)
    {
        uint32_t a = find_column(in, first_key);
        uint32_t b = second_key != NULL ? find_column(in, second_key) : a;
        if (a < in->column_count && b < in->column_count &&
            strcmp(in->cells[i][a].text, first) == 0 &&
            (second_key == NULL || strcmp(in->cells[i][b].text, second) == 0))
        {
            return in->cells[i];
        }
    }
    return NULL;
}

double reproduce_cell(const bench_report* report, const char* table, const bench_cell* row,
                      const char* key)
{
    const bench_table* in = reproduce_table(report, table);
    uint32_t column = in != NULL ? find_column(in, key) : 0;
    return row != NULL && in != NULL && column < in->column_count ? row[column].number
                                                                  : (double)NAN;
}

double reproduce_gpu_ratio(const bench_report* gpu, const char* method, const char* rule,
                           uint32_t influences)
{
    const bench_table* rows = &gpu->tables[0];
    for (uint32_t i = 0; i < rows->row_count; ++i)
    {
        const bench_cell* row = rows->cells[i];
        if (row[find_column(rows, "influences")].number == (double)influences &&
            strcmp(row[find_column(rows, "method")].text, method) == 0 &&
            strcmp(row[find_column(rows, "normals")].text, rule) == 0)
        {
            return row[find_column(rows, "ratio_to_lbs")].number;
        }
    }
    return (double)NAN;
}

// ---------------------------------------------------------------------------------------------
// Bodies

pelt_result reproduce_body_create(reproduce_body* out, const char* input, pelt_error* error)
{
    *out = (reproduce_body){0};
    PELT_TRY(bench_scene_load(&out->source, input, error));
    out->scene = *out->source;
    out->arena = pelt_arena_create();
    pelt_result result = out->arena != NULL ? pelt_scene_add_cors(&out->scene, PELT_PREPARE_MISSING,
                                                                  NULL, NULL, out->arena, error)
                                            : PELT_ERROR_MEMORY;
    result = result == PELT_OK ? pelt_pose_create(&out->pose, &out->scene) : result;
    result = result == PELT_OK ? pelt_frame_create(&out->frame, &out->scene) : result;
    if (result == PELT_OK)
    {
        result = pelt_body_create(&out->body, &out->scene, error);
        result = result == PELT_OK ? pelt_pose_metrics_create(&out->metrics, out->body) : result;
    }
    if (result != PELT_OK)
    {
        reproduce_body_destroy(out);
        return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
    }
    pelt_pose_rest(&out->pose, &out->scene);
    return PELT_OK;
}

void reproduce_body_destroy(reproduce_body* in)
{
    pelt_pose_metrics_destroy(&in->metrics);
    pelt_body_destroy(in->body);
    pelt_frame_destroy(&in->frame);
    pelt_pose_destroy(&in->pose);
    pelt_arena_destroy(in->arena);
    pelt_scene_destroy(in->source);
    *in = (reproduce_body){0};
}

void reproduce_body_pose(reproduce_body* inout, const char* clip, float time)
{
    uint32_t index = pelt_scene_find_clip(&inout->scene, clip);
    PELT_ASSERT(index != PELT_NONE);
    pelt_pose_sample(&inout->pose, &inout->scene, &inout->scene.clips[index], time,
                     PELT_WRAP_CLAMP);
}

const pelt_region_metrics* reproduce_body_measure(reproduce_body* inout,
                                                  const pelt_deform_options* options)
{
    pelt_frame_update(&inout->frame, &inout->scene, &inout->pose, options);
    const pelt_metric_input input = {
        .metrics = PELT_METRIC_BIT(PELT_METRIC_VOLUME) | PELT_METRIC_BIT(PELT_METRIC_RADIUS) |
                   PELT_METRIC_BIT(PELT_METRIC_BULGE) | PELT_METRIC_BIT(PELT_METRIC_COLLAPSE) |
                   PELT_METRIC_BIT(PELT_METRIC_EDGE) | PELT_METRIC_BIT(PELT_METRIC_RIGIDITY),
        .surfaces = inout->frame.surfaces,
        .palettes = inout->frame.palettes};
    pelt_body_measure(&inout->metrics, inout->body, &input);
    return &inout->metrics.regions[0];
}

reproduce_worst reproduce_body_play(reproduce_body* inout, const char* clip,
                                    const pelt_deform_options* options, uint32_t frame_count)
{
    reproduce_worst worst = {0};
    uint32_t index = pelt_scene_find_clip(&inout->scene, clip);
    PELT_ASSERT(index != PELT_NONE && frame_count > 1);
    float duration = inout->scene.clips[index].duration;
    for (uint32_t i = 0; i < frame_count; ++i)
    {
        reproduce_body_pose(inout, clip, duration * (float)i / (float)(frame_count - 1));
        const pelt_region_metrics* all = reproduce_body_measure(inout, options);
        const pelt_metric_summary* m = all->metrics;
        worst.radius_lost = fmax(worst.radius_lost, -100.0 * (double)m[PELT_METRIC_RADIUS].min);
        worst.bulge = fmax(worst.bulge, (double)m[PELT_METRIC_BULGE].max);
        worst.edge = fmax(worst.edge,
                          fmax((double)m[PELT_METRIC_EDGE].max, -(double)m[PELT_METRIC_EDGE].min));
    }
    return worst;
}

uint32_t reproduce_body_vertex_count(const reproduce_body* in)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->scene.instance_count; ++i)
    {
        count += in->scene.meshes[in->scene.instances[i].mesh].vertex_count;
    }
    return count;
}

static void copy_positions(pelt_vec3* out, reproduce_body* inout,
                           const pelt_deform_options* options)
{
    pelt_frame_update(&inout->frame, &inout->scene, &inout->pose, options);
    for (uint32_t i = 0; i < inout->scene.instance_count; ++i)
    {
        uint32_t count = inout->scene.meshes[inout->scene.instances[i].mesh].vertex_count;
        memcpy(out, inout->frame.surfaces[i].positions, count * sizeof *out);
        out += count;
    }
}

pelt_difference reproduce_body_compare(reproduction* job, reproduce_body* inout,
                                       const pelt_deform_options* a, const pelt_deform_options* b)
{
    uint32_t count = reproduce_body_vertex_count(inout);
    pelt_vec3* positions = reproduce_allocate(job, (size_t)2 * count, sizeof *positions);
    if (positions == NULL)
    {
        return (pelt_difference){0};
    }
    copy_positions(positions, inout, a);
    copy_positions(positions + count, inout, b);
    pelt_difference difference = pelt_positions_compare(positions, positions + count, count);
    pelt_release(positions);
    return difference;
}
