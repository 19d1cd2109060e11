// SPDX-License-Identifier: MIT
// The benchmark of crowds on a real renderer, a frame at a time.
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
    /// By technique and limit of influences, 0 for none; without parts: not there.
    crowd_cast casts[CROWD_TECHNIQUE_COUNT][PELT_GPU_INFLUENCE_MAX];
    crowd_cast* arranged; ///< as instances are; NULL: none
} crowd_run;

/// @param out      free with crowd_run_end()
/// @param target, subject  must outlive it
pelt_result crowd_run_begin(crowd_run* out, const crowd_plan* plan, draw_target* target,
                            crowd_subject* subject, pelt_error* error);

/// Prepare what comes next, or draw and time one frame of it. Does nothing once it is done.
pelt_result crowd_run_step(crowd_run* run, pelt_error* error);

bool crowd_run_is_done(const crowd_run* run);

/// All tables and the plot, of what was measured so far.
/// @param title  of the plot; must outlive the report
void crowd_run_report(bench_report* out, const crowd_run* run, const char* name, const char* title);

void crowd_run_end(crowd_run* run); ///< {0} is allowed, and remains

#endif
