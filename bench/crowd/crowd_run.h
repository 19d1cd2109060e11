// SPDX-License-Identifier: MIT
// The benchmark of crowds on a real renderer, one frame per call, and its report.
#ifndef PELT_CROWD_RUN_H
#define PELT_CROWD_RUN_H

#include "bench.h"
#include "crowd_cast.h"
#include "crowd_schedule.h"

typedef struct crowd_run
{
    crowd_schedule schedule;
    draw_target* target;
    crowd_subject* subject;
    crowd_instances instances;
    /// By technique and limit of influences, 0 for none; part_count 0: not created.
    crowd_cast casts[CROWD_TECHNIQUE_COUNT][PELT_GPU_INFLUENCE_MAX];
    crowd_cast* arranged; ///< the cast that has the transforms of instances; NULL: none
} crowd_run;

/// @param out      free with crowd_run_end()
/// @param target, subject  must outlive it
pelt_result crowd_run_begin(crowd_run* out, const crowd_plan* plan, draw_target* target,
                            crowd_subject* subject, pelt_error* error);

/// Create the next cast, or draw and time one frame. Has no effect when the run is done.
pelt_result crowd_run_step(crowd_run* run, pelt_error* error);

bool crowd_run_is_done(const crowd_run* run);

/// All tables and the plot, with the results so far.
/// @param title  of the plot; must outlive the report
void crowd_run_report(bench_report* out, const crowd_run* run, const char* name, const char* title);

void crowd_run_end(crowd_run* run); ///< {0} is allowed, and remains

// ---------------------------------------------------------------------------------------------
// Tables and plot

/// Add all tables, empty.
void crowd_tables_begin(bench_report* out);

/// One row for each technique: ratings and breakpoints, also relative to control.
void crowd_table_techniques(bench_report* out, const crowd_curve* curves);

/// Breakpoints in percent of control: Tables 9 and 10 of the animation texture thesis (2021).
void crowd_table_breakpoints(bench_report* out, const crowd_curve* curves);

/// Welch's t-tests between techniques that were measured: Tables 11, 12 and 14 of the
/// animation texture thesis (2021).
void crowd_table_tests(bench_report* out, const crowd_curve* curves);

/// Every sample that was kept; not for the terminal.
void crowd_table_points(bench_report* out, const crowd_curve* curves);

/// A row for each of the A/B tests.
void crowd_table_trials(bench_report* out, const crowd_schedule* schedule);

/// The style of a technique in plots: the color shows the representation of a joint, the mark where
/// it is stored.
typedef struct crowd_style
{
    plot_mark mark;
    plot_color color;
} crowd_style;

crowd_style crowd_technique_style(crowd_technique technique);

/// Frame time over instances.
void crowd_plot(plot* out, const crowd_curve* curves, const char* title);

#endif
