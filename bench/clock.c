// SPDX-License-Identifier: MIT
// Time for measurements.
#define _POSIX_C_SOURCE 200809L

#include "clock.h"

#include <math.h>
#include <time.h>

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
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
