// SPDX-License-Identifier: MIT
// Results of a suite of benchmarks as files of a folder: JSON, a CSV file for each table, SVG.
#ifndef PELT_BENCH_FOLDER_H
#define PELT_BENCH_FOLDER_H

#include "bench.h"

/// Say that a folder cannot be, before minutes are spent.
/// @return the exit code
int bench_folder_check(const char* folder);

/// Write all files, or none. The folder is made if it is not there.
/// @return the exit code
int bench_folder_save(const char* folder, const bench_suite* suite, const bench_report* report,
                      bool is_quick);

#endif
