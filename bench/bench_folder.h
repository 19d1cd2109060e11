// SPDX-License-Identifier: MIT
// Results of a suite of benchmarks as files of a folder: JSON, a CSV file for each table, SVG.
#ifndef PELT_BENCH_FOLDER_H
#define PELT_BENCH_FOLDER_H

#include "bench.h"

/// Find out that a folder cannot be, before minutes are spent.
pelt_result bench_folder_check(const char* folder, pelt_error* error);

/// Write all files, or none. The folder is made if it is not there.
/// @param json  the text of bench_json()
pelt_result bench_folder_save(const char* folder, const bench_suite* suite,
                              const bench_report* report, const char* json, size_t size,
                              pelt_error* error);

#endif
