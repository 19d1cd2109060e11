// SPDX-License-Identifier: MIT
// The six methods by the reference, one thread, against lbs, a plain loop and memory.
#ifndef PELT_REFERENCE_ROWS_H
#define PELT_REFERENCE_ROWS_H

#include "bench.h"

pelt_result bench_references(bench_report* out, const bench_options* options, pelt_error* error);

#endif
