// SPDX-License-Identifier: MIT
// What the suite `crowd` reports: tables and a plot of curves.
#ifndef PELT_CROWD_TABLES_H
#define PELT_CROWD_TABLES_H

#include "bench.h"
#include "crowd_schedule.h"

/// Add all tables, empty, in the order of reading.
void crowd_tables_begin(bench_report* out);

/// One row for each technique: ratings and breakpoints, also relative to control.
void crowd_table_techniques(bench_report* out, const crowd_curve* curves);

/// Welch's t-tests between techniques that were measured: Tables 11, 12 and 14 of document 002.
void crowd_table_tests(bench_report* out, const crowd_curve* curves);

/// Every sample that was kept; not for the terminal.
void crowd_table_points(bench_report* out, const crowd_curve* curves);

/// A row for each of the A/B tests.
void crowd_table_trials(bench_report* out, const crowd_schedule* schedule);

/// How a technique looks in plots: a color for what is stored of a joint, a mark for where.
typedef struct crowd_style
{
    plot_mark mark;
    plot_color color;
} crowd_style;

crowd_style crowd_technique_style(crowd_technique technique);

/// Frame time over instances.
void crowd_plot(plot* out, const crowd_curve* curves, const char* title);

#endif
