// SPDX-License-Identifier: MIT
// The list of suites, and how a time is taken.
#include "bench.h"

#include "clock.h"

#include <math.h>

static const bench_suite suites[] = {
    {"deform", "the six methods, one thread, against lbs and against memory speed", bench_deform,
     false},
    {"load", "reading files, against reading their bytes and a checksum of them", bench_load, true},
};

uint32_t bench_suite_list(const bench_suite** out)
{
    *out = suites;
    return sizeof suites / sizeof suites[0];
}

double bench_fastest(void (*run)(void* context), void* context, double budget)
{
    // The minimum is the run that other programs disturbed least.
    double best = (double)INFINITY;
    double end = clock_seconds() + budget;
    run(context);
    for (int i = 0; i < 5 || clock_seconds() < end; ++i)
    {
        double start = clock_seconds();
        run(context);
        best = fmin(best, clock_seconds() - start);
    }
    return best;
}
