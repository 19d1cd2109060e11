// SPDX-License-Identifier: MIT
// Deformers against the reference, and against touching the bytes that they move.
#ifndef PELT_DEFORMER_ROWS_H
#define PELT_DEFORMER_ROWS_H

#include "deform_plan.h"

/// Measure every point of a plan: tables of deformers, of threads and of preparation, and a plot.
pelt_result bench_deformers(bench_report* out, const deform_plan* plan,
                            const bench_options* options, pelt_error* error);

#endif
