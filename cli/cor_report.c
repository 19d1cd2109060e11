// SPDX-License-Identifier: MIT
// What there is to say about centers of rotation that were computed: words and JSON.
#include "cor_request.h"

#include "message.h"
#include "output.h"

static uint32_t computed_vertices(const centers* in)
{
    return in->report.solved_count - in->report.dissimilar_count;
}

void centers_print(const centers* in)
{
    const uint32_t* bins = in->influences;
    const pelt_cor_report* report = &in->report;
    message_note("vertices by number of influences: none %u, one %u, two %u, three %u, more %u",
                 bins[0], bins[1], bins[2], bins[3], bins[4] + bins[5]);
    message_note("centers computed: %u in %.2f ms, solver %s; vertices that keep their position: "
                 "%u with fewer than two influences, %u that no triangle resembles",
                 computed_vertices(in), 1e3 * in->seconds, pelt_cor_solver_name(in->options.solver),
                 report->single_count, report->dissimilar_count);
    message_note("triangles %u, samples after halving %llu, memory at most %.2f MB",
                 report->triangle_count, (unsigned long long)report->sample_count,
                 1e-6 * (double)report->peak_bytes);
}

json_t* centers_describe_options(const pelt_cor_options* options)
{
    json_t* out = json_object();
    json_object_set_new(out, "solver", output_string(pelt_cor_solver_name(options->solver)));
    json_object_set_new(out, "sigma", output_float(options->sigma));
    json_object_set_new(out, "epsilon",
                        options->epsilon > 0.0f ? output_float(options->epsilon) : json_null());
    if (options->solver == PELT_COR_PAPER)
    {
        json_object_set_new(out, "omega", output_float(options->omega));
        json_object_set_new(out, "cutoff", output_float(options->cutoff));
    }
    return out;
}

json_t* centers_describe(const centers* in)
{
    const pelt_cor_report* report = &in->report;
    const struct
    {
        const char* name;
        uint64_t value;
    } counts[] = {
        {"meshes", in->computed_count},
        {"problems", in->problem_count},
        {"vertices", report->vertex_count},
        {"triangles", report->triangle_count},
        {"samples", report->sample_count},
        {"computed", computed_vertices(in)},
        {"few_influences", report->single_count},
        {"dissimilar", report->dissimilar_count},
        {"pairs", report->pair_count},
        {"tabulated_pairs", report->tabulated_count},
        {"exact_vertices", report->exact_count},
        {"peak_bytes", report->peak_bytes},
    };
    json_t* out = centers_describe_options(&in->options);
    json_object_set_new(out, "seconds", output_real(in->seconds));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    {
        json_object_set_new(out, counts[i].name, json_integer((json_int_t)counts[i].value));
    }
    json_object_set_new(out, "influences", scene_statistics_describe(in->influences));
    return out;
}
