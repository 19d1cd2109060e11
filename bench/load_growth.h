// SPDX-License-Identifier: MIT
// How reading and writing grow with the length of a file's lists: each should be linear.
#ifndef PELT_LOAD_GROWTH_H
#define PELT_LOAD_GROWTH_H

#include "bench.h"

/// Add a table of exponents, one row for each kind of list and what is done with it.
/// @param path  a temporary file of the caller, written again and again
pelt_result load_growth_measure(bench_report* out, const bench_options* options, const char* path,
                                pelt_error* error);

#endif
