// SPDX-License-Identifier: MIT
// Rows of the suite `deform` for deformers.
#ifndef PELT_DEFORMER_ROWS_H
#define PELT_DEFORMER_ROWS_H

#include "bench.h"

/// Add a table: each method by a deformer, on characters of several sizes.
pelt_result bench_deformers(bench_report* out, const bench_options* options, pelt_error* error);

#endif
