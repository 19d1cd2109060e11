// SPDX-License-Identifier: MIT
#include "cor_request.h"

#include "clock.h"
#include "output.h"
#include "source.h"
#include "terminal.h"

const arg_option cor_request_options[] = {
    {.name = "solver",
     .kind = ARG_CHOICE,
     .value = "SOLVER",
     .choice_name = pelt_cor_solver_name,
     .choice_count = PELT_COR_SOLVER_COUNT,
     .help =
         "solver for centers of rotation: full is the definition, and slow; default fast; one of"},
    {.name = "sigma",
     .kind = ARG_NUMBER,
     .value = "S",
     .minimum = 0.001,
     .maximum = 1e6,
     .help = "width of the weight similarity; default 0.1"},
    {.name = "epsilon",
     .kind = ARG_NUMBER,
     .value = "E",
     .minimum = 0.001,
     .maximum = 2.0,
     .has_off = true,
     .help = "bisect triangles until no edge spans more than this in weights; default 0.1; off"
             " leaves them whole"},
    {.name = "omega",
     .kind = ARG_NUMBER,
     .value = "W",
     .minimum = 1e-6,
     .maximum = 2.0,
     .help = "for solver paper: how far apart in weight space its search begins; default 0.1"},
    {.name = "cutoff",
     .kind = ARG_NUMBER,
     .value = "C",
     .minimum = 1e-30,
     .maximum = 1.0,
     .help = "for solver paper: the similarity at which its search ends; default 1e-6"},
    {0},
};

const char* cor_request_find_given(const args* arguments)
{
    for (const arg_option* row = cor_request_options; row->name != NULL; ++row)
    {
        if (args_is_set(arguments, row->name))
        {
            return row->name;
        }
    }
    return NULL;
}

int cor_request_choose(pelt_cor_options* out, const args* arguments)
{
    *out = (pelt_cor_options){
        .solver = (pelt_cor_solver)args_choice(arguments, "solver"),
        .sigma = args_number(arguments, "sigma", 0.1f),
        .epsilon = args_number(arguments, "epsilon", 0.1f),
        .omega = args_number(arguments, "omega", 0.1f),
        .cutoff = args_number(arguments, "cutoff", 1e-6f),
    };
    static const char* const of_paper[] = {"omega", "cutoff"};
    for (size_t i = 0; i < sizeof of_paper / sizeof of_paper[0]; ++i)
    {
        if (args_is_set(arguments, of_paper[i]) && out->solver != PELT_COR_PAPER)
        {
            return message_usage("--%s has no effect on solver %s; it goes with --solver paper",
                                 of_paper[i], pelt_cor_solver_name(out->solver));
        }
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------

static int refuse(pelt_result result, const pelt_error* cause)
{
    pelt_error error = {0};
    pelt_error_set(&error, result, "cannot compute centers of rotation: %s", cause->message);
    return message_error(result, &error);
}

static void count_influences(cor_report* out, const pelt_scene* before, const pelt_scene* after)
{
    for (uint32_t i = 0; i < after->mesh_count; ++i)
    {
        uint32_t bins[STATISTICS_BIN_COUNT];
        if (after->meshes[i].cors == before->meshes[i].cors)
        {
            continue;
        }
        scene_statistics_histogram(bins, &after->meshes[i]);
        for (uint32_t k = 0; k < STATISTICS_BIN_COUNT; ++k)
        {
            out->influences[k] += bins[k];
        }
    }
}

int cor_request_add(cor_report* out, pelt_scene* inout, pelt_prepare_scope scope,
                    const pelt_cor_options* options, pelt_arena* arena)
{
    *out = (cor_report){.options = *options};
    if (scope == PELT_PREPARE_MISSING)
    {
        source_note_stale(inout, PELT_REPAIR_CORS_DROPPED);
    }
    pelt_cor_options how = *options;
    how.progress = progress_part;
    const pelt_scene before = *inout;
    double start = clock_seconds();
    progress_begin("computing centers of rotation");
    pelt_error error = {0};
    pelt_result result = pelt_scene_add_cors(inout, scope, &how, &out->found, arena, &error);
    progress_end();
    out->seconds = clock_seconds() - start;
    if (result != PELT_OK)
    {
        return refuse(result, &error);
    }
    count_influences(out, &before, inout);
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// Report

static uint32_t computed_vertices(const cor_report* in)
{
    return in->found.total.solved_count - in->found.total.dissimilar_count;
}

static void print_own_centers(uint32_t count, const char* what)
{
    if (count > 0)
    {
        message_note("%u %s %s, so %s", count, message_plural(count, "vertex has", "vertices have"),
                     what,
                     message_plural(count, "its center is its position",
                                    "their centers are their positions"));
    }
}

void cor_report_print(const cor_report* in)
{
    const uint32_t* bins = in->influences;
    const pelt_cor_report* total = &in->found.total;
    message_note("vertices by number of influences: none %u, one %u, two %u, three %u, more %u",
                 bins[0], bins[1], bins[2], bins[3], bins[4] + bins[5]);
    message_note("computed %u %s in %.2f ms with solver %s", computed_vertices(in),
                 message_plural(computed_vertices(in), "center", "centers"), 1e3 * in->seconds,
                 pelt_cor_solver_name(in->options.solver));
    print_own_centers(total->single_count, "fewer than two influences");
    print_own_centers(total->dissimilar_count, "no similar triangle");
    if (total->epsilon > in->options.epsilon && in->options.epsilon > 0.0f)
    {
        message_note("adjacent vertices have unrelated weights: triangles were bisected to epsilon "
                     "%g only",
                     (double)total->epsilon);
    }
    if (total->coarse_count > 0)
    {
        message_note("%u %s next to none of the surface, and %s less accurate", total->coarse_count,
                     message_plural(total->coarse_count, "vertex resembles", "vertices resemble"),
                     message_plural(total->coarse_count, "its center is", "their centers are"));
    }
    message_note("%u %s, %llu %s after bisection, peak memory %.2f MB", total->triangle_count,
                 message_plural(total->triangle_count, "triangle", "triangles"),
                 (unsigned long long)total->sample_count,
                 message_plural(total->sample_count, "sample", "samples"),
                 1e-6 * (double)total->peak_bytes);
}

// @param epsilon  that was used
static json_t* describe_options(const pelt_cor_options* options, float epsilon)
{
    json_t* out = json_object();
    json_object_set_new(out, "solver", output_string(pelt_cor_solver_name(options->solver)));
    json_object_set_new(out, "sigma", output_float(options->sigma));
    json_object_set_new(out, "epsilon",
                        options->epsilon > 0.0f ? output_float(epsilon) : json_null());
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
        {"coarse_vertices", total->coarse_count},
        {"peak_bytes", total->peak_bytes},
    };
    json_t* out = describe_options(&in->options, fmaxf(in->options.epsilon, total->epsilon));
    json_object_set_new(out, "seconds", output_real(in->seconds));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    {
        json_object_set_new(out, counts[i].name, json_integer((json_int_t)counts[i].value));
    }
    json_object_set_new(out, "influences", scene_statistics_describe(in->influences));
    return out;
}
