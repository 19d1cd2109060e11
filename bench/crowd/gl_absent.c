// SPDX-License-Identifier: MIT
// Replaces the suites that draw in a build without OpenGL.
#include "bench.h"

static pelt_result refuse(pelt_error* error)
{
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                          "this build has no OpenGL, which the suite measures; build it with "
                          "-DPELT_GL=ON");
}

pelt_result bench_crowd(bench_report* out, const bench_options* options, pelt_error* error)
{
    (void)out;
    (void)options;
    return refuse(error);
}

pelt_result bench_gpu(bench_report* out, const bench_options* options, pelt_error* error)
{
    (void)out;
    (void)options;
    return refuse(error);
}
