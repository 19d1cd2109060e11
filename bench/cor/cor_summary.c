// SPDX-License-Identifier: MIT
// Growth laws and a plot of the times of many models, with times that papers report.
#include "cor_summary.h"

#include "statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cor_cut_info cor_cuts[COR_CUT_COUNT] = {
    [COR_WHOLE] = {-1.0f, "whole", COR_BITTNER},
    [COR_HALVED] = {0.1f, "0.1", COR_LE_HODGINS},
};

static const bench_column growth_columns[] = {
    {"solver", "SOLVER", BENCH_TEXT},     {"epsilon", "EPSILON", BENCH_TEXT},
    {"from_vertices", "FROM", 0},         {"to_vertices", "TO VERTICES", 0},
    {"exponent", "TIME ~ VERTICES ^", 2},
};

void cor_summary_add(cor_summary* out, const cor_record* record)
{
    if (out->record_count < COR_RECORD_MAX)
    {
        out->records[out->record_count++] = *record;
    }
}

// The growth law of the records on the curve with at least `least` vertices.
static void add_growth_row(bench_table* out, const cor_summary* summary, pelt_cor_solver solver,
                           cor_cut cut, double least)
{
    double sizes[COR_RECORD_MAX], seconds[COR_RECORD_MAX];
    double from = (double)INFINITY, to = 0.0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < summary->record_count; ++i)
    {
        const cor_record* in = &summary->records[i];
        double time = in->times[solver].seconds;
        if (in->is_on_curve && in->cut == cut && in->vertex_count >= least && isfinite(time))
        {
            sizes[count] = in->vertex_count;
            seconds[count++] = time;
            from = fmin(from, in->vertex_count);
            to = fmax(to, in->vertex_count);
        }
    }
    if (count > 1)
    {
        bench_cell* row = bench_row_add(out);
        bench_cell_set(&row[0], pelt_cor_solver_name(solver));
        bench_cell_set(&row[1], cor_cuts[cut].name);
        row[2].number = from;
        row[3].number = to;
        row[4].number = growth_exponent(sizes, seconds, count);
    }
}

void cor_summary_fit(bench_report* out, const cor_summary* in)
{
    bench_table* table = bench_table_add(out, "growth", growth_columns,
                                         sizeof growth_columns / sizeof growth_columns[0]);
    for (int c = 0; c < COR_CUT_COUNT; ++c)
    {
        for (int solver = 0; solver < PELT_COR_SOLVER_COUNT; ++solver)
        {
            add_growth_row(table, in, (pelt_cor_solver)solver, (cor_cut)c, 0.0);
        }
        // Beyond this size, constant costs of the solver do not affect the exponent.
        add_growth_row(table, in, PELT_COR_FAST, (cor_cut)c, 90000.0);
    }
}

static int compare_points(const void* a, const void* b)
{
    const plot_point *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x;
}

static void add_curve(plot* out, const cor_summary* summary, pelt_cor_solver solver, bool is_curve)
{
    static const plot_mark marks[PELT_COR_SOLVER_COUNT] = {PLOT_CIRCLE, PLOT_SQUARE, PLOT_TRIANGLE};
    static const plot_color colors[PELT_COR_SOLVER_COUNT] = {PLOT_BLUE, PLOT_VERMILION, PLOT_GREEN};
    static const char* const labels[PELT_COR_SOLVER_COUNT] = {"fast", "full: the definition",
                                                              "paper: a search"};
    const char* label = is_curve ? labels[solver] : NULL;
    plot_series* series = plot_series_add(out, label, marks[solver], colors[solver]);
    series->is_line = is_curve;
    for (uint32_t i = 0; i < summary->record_count; ++i)
    {
        const cor_record* in = &summary->records[i];
        if (in->cut == COR_HALVED && in->is_on_curve == is_curve)
        {
            plot_point_add(series, (plot_point){.x = in->vertex_count,
                                                .y = in->times[solver].seconds,
                                                .is_hollow = in->times[solver].is_estimate});
        }
    }
    qsort(series->points, series->point_count, sizeof series->points[0], compare_points);
}

void cor_summary_draw(plot* out, const cor_summary* in)
{
    *out = (plot){.title = "Time to compute centers of rotation",
                  .x_title = "vertices",
                  .y_title = "seconds",
                  .notes = {"lines: the built-in human", "loose marks: other models",
                            "hollow: scaled up from a sample"}};
    for (int solver = PELT_COR_SOLVER_COUNT - 1; solver >= 0; --solver)
    {
        add_curve(out, in, (pelt_cor_solver)solver, false);
        add_curve(out, in, (pelt_cor_solver)solver, true);
    }
    cor_figure_plot(out);
}

// ---------------------------------------------------------------------------------------------
// Published times

static const cor_figure figures[] = {
    {"Goliath", COR_LE_HODGINS, 39158, 15.7, PLOT_ABOVE},
    {"man", COR_LE_HODGINS, 20846, 5.6, PLOT_RIGHT},
    {"boy", COR_LE_HODGINS, 22459, 18.0, PLOT_RIGHT},
    {"horse", COR_LE_HODGINS, 8435, 10.9, PLOT_LEFT},
    {"cloth", COR_LE_HODGINS, 2601, 0.7, PLOT_RIGHT},
    {"cuboid", COR_BITTNER, 16800, 18.6, PLOT_LEFT},
    {"wolf", COR_BITTNER, 1291, 0.6, PLOT_ABOVE},
    {"raptor", COR_BITTNER, 15005, 16.2 * 60.0, PLOT_LEFT},
};

enum
{
    FIGURE_COUNT = sizeof figures / sizeof figures[0],
};

const cor_figure* cor_figure_find(const char* model)
{
    for (int i = 0; model != NULL && i < FIGURE_COUNT; ++i)
    {
        if (strcmp(figures[i].model, model) == 0)
        {
            return &figures[i];
        }
    }
    return NULL;
}

void cor_figure_plot(plot* out)
{
    plot_series* series[COR_SOURCE_COUNT] = {
        plot_series_add(out, "Le and Hodgins, 8 cores", PLOT_DIAMOND, PLOT_PURPLE),
        plot_series_add(out, "Bittner et al., 4 cores", PLOT_STAR, PLOT_BLACK),
    };
    for (int i = 0; i < FIGURE_COUNT; ++i)
    {
        const cor_figure* figure = &figures[i];
        plot_point_add(series[figure->source], (plot_point){.x = figure->vertex_count,
                                                            .y = figure->seconds,
                                                            .label = figure->model,
                                                            .anchor = figure->anchor});
    }
}
