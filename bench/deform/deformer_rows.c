// SPDX-License-Identifier: MIT
// Times of deformers, relative to the reference and to copying the bytes that they move.
#include "bench_json.h"
#include "deform_job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const bench_column columns[] = {
    {"method", "METHOD", BENCH_TEXT},
    {"vertices", "VERTICES", 0},
    {"influences", "JOINTS", BENCH_TEXT},
    {"isa", "ISA", BENCH_TEXT},
    {"normals", "NORMALS", BENCH_TEXT},
    {"order", "ORDER", BENCH_TEXT},
    {"threads", "THREADS", 0},
    {"ns_per_vertex", "NS/VERTEX", 2},
    {"speedup", "SPEEDUP", 1},
    {"memory_percent", "% MEMORY", 1},
    {"bytes_per_vertex", "BYTES", 1},
};

static const bench_column scaling_columns[] = {
    {"method", "METHOD", BENCH_TEXT},
    {"vertices", "VERTICES", 0},
    {"influences", "JOINTS", BENCH_TEXT},
    {"isa", "ISA", BENCH_TEXT},
    {"normals", "NORMALS", BENCH_TEXT},
    {"order", "ORDER", BENCH_TEXT},
    {"threads", "THREADS", 0},
    {"times_one_thread", "TIMES ONE THREAD", 2},
    {"memory_times_one_thread", "MEMORY", 2},
};

static const bench_column preparation_columns[] = {
    {"vertices", "VERTICES", 0},
    {"influences", "JOINTS", BENCH_TEXT},
    {"reference_frames", "FRAMES OF REFERENCE", 1},
    {"bytes_per_vertex", "BYTES/VERTEX", 1},
    {"bytes_to_mesh", "TO MESH", 2},
};

typedef struct deformer_suite
{
    const deform_plan* plan;
    const bench_options* options;
    bench_table *rows, *scalings, *preparations;
    plot_series* curves[PELT_METHOD_COUNT]; ///< NULL: none
    plot_series* references[PELT_METHOD_COUNT];
    plot_series* memory;
    double budget;
    deform_subject subject;
    deform_job job;
    double reference;        ///< seconds for each vertex, of the job
    deform_times one_thread; ///< of the same point on one thread
    uint32_t point_number, point_count;
    char label[128]; ///< of the progress line
} deformer_suite;

// ---------------------------------------------------------------------------------------------
// Plot

static void begin_plot(deformer_suite* suite, plot* out)
{
    static char machine[128], point[5 * DEFORM_TEXT];
    char isa[DEFORM_TEXT], influences[DEFORM_TEXT], normals[DEFORM_TEXT], order[DEFORM_TEXT];
    bench_machine_write(machine, sizeof machine);
    deform_value_write(isa, DEFORM_ISA, deform_plan_usual(suite->plan, DEFORM_ISA));
    deform_value_write(influences, DEFORM_INFLUENCES,
                       deform_plan_usual(suite->plan, DEFORM_INFLUENCES));
    deform_value_write(normals, DEFORM_NORMALS, deform_plan_usual(suite->plan, DEFORM_NORMALS));
    deform_value_write(order, DEFORM_ORDER, deform_plan_usual(suite->plan, DEFORM_ORDER));
    snprintf(point, sizeof point, "%s, %s joints, %s, %s", isa, influences, normals, order);
    out->title = "Skinning a character on the CPU: positions and normals";
    out->x_title = "vertices";
    out->y_title = "nanoseconds per vertex, one thread";
    out->notes[0] = machine;
    out->notes[1] = point;
    out->notes[2] = "hollow: the reference";
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        const pelt_method_traits* traits = pelt_method_info((pelt_method)i);
        plot_mark mark = (plot_mark)(i % PLOT_STAR);
        if (traits->has_kernels)
        {
            suite->curves[i] = plot_series_add(out, traits->name, mark, (plot_color)i);
            suite->references[i] = plot_series_add(out, NULL, mark, (plot_color)i);
            suite->curves[i]->is_line = suite->references[i]->is_line = true;
        }
    }
    suite->memory = plot_series_add(out, "memory, for lbs", PLOT_STAR, PLOT_BLACK);
    suite->memory->is_line = true;
}

// Plot points that differ in method and size only.
static void draw_point(deformer_suite* suite, const deform_times* times)
{
    const deform_point* point = &suite->job.point;
    const deform_plan* plan = suite->plan;
    double count = suite->subject.mesh.vertex_count;
    plot_series* curve = suite->curves[point->method];
    bool is_usual = point->influences == deform_plan_usual(plan, DEFORM_INFLUENCES) &&
                    point->order == deform_plan_usual(plan, DEFORM_ORDER) &&
                    point->normals == deform_plan_usual(plan, DEFORM_NORMALS) &&
                    point->isa == deform_plan_usual(plan, DEFORM_ISA) && point->threads == 1;
    if (!is_usual || curve->point_count == PLOT_POINT_MAX)
    {
        return;
    }
    plot_point_add(curve, (plot_point){.x = count, .y = 1e9 * times->own / count});
    plot_point_add(suite->references[point->method],
                   (plot_point){.x = count, .y = 1e9 * suite->reference, .is_hollow = true});
    if (point->method == PELT_METHOD_LBS)
    {
        plot_point_add(suite->memory, (plot_point){.x = count, .y = 1e9 * times->touch / count});
    }
}

// ---------------------------------------------------------------------------------------------
// Rows

// The first columns of both tables of points.
static bench_cell* add_row(bench_table* out, const deformer_suite* suite)
{
    const deform_point* point = &suite->job.point;
    const uint32_t values[] = {point->method,     0,
                               point->influences, deform_job_kernels(&suite->job)->isa,
                               point->normals,    point->order};
    static const deform_axis axes[] = {DEFORM_METHOD, DEFORM_VERTICES, DEFORM_INFLUENCES,
                                       DEFORM_ISA,    DEFORM_NORMALS,  DEFORM_ORDER};
    bench_cell* row = bench_row_add(out);
    for (uint32_t i = 0; i < COUNT_OF(axes); ++i)
    {
        deform_value_write(row[i].text, axes[i], values[i]);
    }
    row[1].number = suite->subject.mesh.vertex_count;
    row[6].number = point->threads;
    return row;
}

static void measure_point(deformer_suite* suite)
{
    deform_job* job = &suite->job;
    double count = suite->subject.mesh.vertex_count;
    deform_times times = deform_job_measure(job, suite->budget);
    bench_cell* row = add_row(suite->rows, suite);
    row[7].number = 1e9 * times.own / count;
    row[8].number = suite->reference * count / times.own;
    row[9].number = 100.0 * times.touch / times.own;
    row[10].number = deform_job_bytes(job);
    if (job->point.threads == 1)
    {
        suite->one_thread = times;
    }
    else
    {
        row = add_row(suite->scalings, suite);
        row[7].number = suite->one_thread.own / times.own;
        row[8].number = suite->one_thread.touch / times.touch;
    }
    draw_point(suite, &times);
}

// Preparation of lbs, in frames of its reference, and its memory relative to pelt_mesh.
static void measure_preparation(deformer_suite* suite)
{
    const deform_job* job = &suite->job;
    const pelt_weights* weights = job->source.weights;
    double count = weights->vertex_count, bytes = (double)pelt_deformer_bytes(job->deformer);
    double mesh_bytes = count * (2.0 * sizeof(pelt_vec3) + sizeof *weights->first) +
                        weights->influence_count * (double)sizeof *weights->influences;
    bench_cell* row = bench_row_add(suite->preparations);
    row[0].number = count;
    deform_value_write(row[1].text, DEFORM_INFLUENCES, job->point.influences);
    row[2].number = deform_job_measure_create(job, suite->budget) / (suite->reference * count);
    row[3].number = bytes / count;
    row[4].number = bytes / mesh_bytes;
}

static pelt_result begin_job(deformer_suite* suite, const deform_point* point, pelt_error* error)
{
    deform_job_destroy(&suite->job); // before the mesh that it refers to
    PELT_TRY(deform_subject_prepare(&suite->subject, point->vertices, point->influences, error));
    if (deform_job_create(&suite->job, &suite->subject, point) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    suite->reference = deform_job_measure_reference(&suite->job, 0.5 * suite->budget);
    if (point->method == PELT_METHOD_LBS && point->order == PELT_ORDER_SORTED &&
        point->normals == PELT_NORMAL_STANDARD)
    {
        measure_preparation(suite);
    }
    return PELT_OK;
}

static uint32_t count_points(const deform_plan* plan)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < deform_plan_size(plan); ++i)
    {
        deform_point point;
        count += deform_plan_point(&point, plan, i);
    }
    return count;
}

static void tell(deformer_suite* suite, const deform_point* point)
{
    ++suite->point_number;
    if (suite->options->progress != NULL)
    {
        snprintf(suite->label, sizeof suite->label, "point %u of %u: %s on %u vertices",
                 suite->point_number, suite->point_count, pelt_method_name(point->method),
                 point->vertices);
        suite->options->progress(suite->label);
    }
}

pelt_result bench_deformers(bench_report* out, const deform_plan* plan,
                            const bench_options* options, pelt_error* error)
{
    deformer_suite suite = {
        .plan = plan,
        .options = options,
        .budget = options->is_quick ? 0.001 : 0.2,
        .rows = bench_table_add(out, "deformers", columns, COUNT_OF(columns)),
        .scalings = bench_table_add(out, "scaling", scaling_columns, COUNT_OF(scaling_columns)),
        .preparations =
            bench_table_add(out, "preparation", preparation_columns, COUNT_OF(preparation_columns)),
        .point_count = count_points(plan),
    };
    pelt_result result = PELT_OK;
    begin_plot(&suite, &out->plot);
    for (uint32_t i = 0; i < deform_plan_size(plan) && result == PELT_OK; ++i)
    {
        deform_point point;
        if (!deform_plan_point(&point, plan, i))
        {
            continue;
        }
        tell(&suite, &point);
        result = deform_job_fits(&suite.job, &point) ? PELT_OK : begin_job(&suite, &point, error);
        if (result == PELT_OK)
        {
            suite.job.point = point;
            measure_point(&suite);
        }
    }
    deform_job_destroy(&suite.job);
    deform_subject_destroy(&suite.subject);
    return result;
}
