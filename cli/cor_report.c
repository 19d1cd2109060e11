// SPDX-License-Identifier: MIT
#include "cor_report.h"

#include "message.h"
#include "output.h"

static uint32_t computed_vertices(const cor_report* in)
{
    return in->found.total.solved_count - in->found.total.dissimilar_count;
}

void cor_report_print(const cor_report* in)
{
    const uint32_t* bins = in->influences;
    const pelt_cor_report* total = &in->found.total;
    message_note("vertices by number of influences: none %u, one %u, two %u, three %u, more %u",
                 bins[0], bins[1], bins[2], bins[3], bins[4] + bins[5]);
    message_note("computed %u centers in %.2f ms with solver %s; %u vertices with fewer than two "
                 "influences keep their positions, as do %u that no triangle resembles",
                 computed_vertices(in), 1e3 * in->seconds, pelt_cor_solver_name(in->options.solver),
                 total->single_count, total->dissimilar_count);
    message_note("%u triangles, %llu samples after halving, at most %.2f MB of memory",
                 total->triangle_count, (unsigned long long)total->sample_count,
                 1e-6 * (double)total->peak_bytes);
}

static json_t* describe_options(const pelt_cor_options* options)
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

json_t* cor_report_describe(const cor_report* in)
{
    const pelt_cor_report* total = &in->found.total;
    const struct
    {
        const char* name;
        uint64_t value;
    } counts[] = {
        {"meshes", in->found.mesh_count},
        {"problems", in->found.problem_count},
        {"vertices", total->vertex_count},
        {"triangles", total->triangle_count},
        {"samples", total->sample_count},
        {"computed", computed_vertices(in)},
        {"few_influences", total->single_count},
        {"dissimilar", total->dissimilar_count},
        {"pairs", total->pair_count},
        {"tabulated_pairs", total->tabulated_count},
        {"exact_vertices", total->exact_count},
        {"peak_bytes", total->peak_bytes},
    };
    json_t* out = describe_options(&in->options);
    json_object_set_new(out, "seconds", output_real(in->seconds));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    {
        json_object_set_new(out, counts[i].name, json_integer((json_int_t)counts[i].value));
    }
    json_object_set_new(out, "influences", scene_statistics_describe(in->influences));
    return out;
}
