// SPDX-License-Identifier: MIT
// Results of a suite of benchmarks as JSON.
#ifndef PELT_BENCH_JSON_H
#define PELT_BENCH_JSON_H

#include "bench.h"

#include <jansson.h>

/// @return NULL when out of memory
json_t* bench_json(const bench_suite* suite, const bench_report* report, bool is_quick);

/// The name of the processor, or else its architecture.
void bench_machine_write(char* out, size_t size);

uint32_t bench_thread_count(void);

json_t* json_value_real(double value);       ///< null when not finite
json_t* json_value_string(const char* text); ///< NULL: null; bytes that are not UTF-8 become '?'

#endif
