// SPDX-License-Identifier: MIT
// Suite `deform`: deformers at every size, number of influences, instruction set, number of threads
// and rule of normals that is asked for; what comes before them; and the reference.
#include "bench_json.h"
#include "deformer_rows.h"
#include "palette_rows.h"
#include "reference_rows.h"

pelt_result bench_deform(bench_report* out, const bench_options* options, pelt_error* error)
{
    deform_plan plan;
    pelt_result result = deform_plan_create(&plan, options, bench_thread_count(), error);
    if (result == PELT_OK)
    {
        result = bench_deformers(out, &plan, options, error);
    }
    // Who names points wants those.
    if (result == PELT_OK && plan.is_star)
    {
        result = bench_palettes(out, options, error);
    }
    if (result == PELT_OK && plan.is_star)
    {
        result = bench_references(out, options, error);
    }
    if (options->progress != NULL)
    {
        options->progress(NULL);
    }
    return result;
}
