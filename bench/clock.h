// SPDX-License-Identifier: MIT
// Time for measurements.
#ifndef PELT_CLOCK_H
#define PELT_CLOCK_H

/// Seconds since some moment, never going back.
double clock_seconds(void);

/// Seconds of the fastest of many runs within a budget of seconds, after one to warm up.
double bench_fastest(void (*run)(void* context), void* context, double budget);

#endif
