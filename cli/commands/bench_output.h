// SPDX-License-Identifier: MIT
// Results of a suite of benchmarks as text.
#ifndef PELT_BENCH_OUTPUT_H
#define PELT_BENCH_OUTPUT_H

#include "bench.h"
#include "output.h"

/// Print or save tables for people; details are left out.
/// @return the exit code
int bench_output_text(const bench_suite* suite, const bench_report* report, const char* path);

#endif
