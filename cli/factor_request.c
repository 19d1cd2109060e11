// SPDX-License-Identifier: MIT
#include "factor_request.h"

#include "clock.h"
#include "commands/factors_error.h"
#include "message.h"

static const char* const joint_names[] = {"2", "3", "4", "8", NULL};
static const uint32_t joint_counts[] = {2, 3, 4, 8};
static const char* const bit_names[] = {"32", "16", "8", NULL};
static const uint32_t bit_counts[] = {0, 16, 8};

const arg_option factor_request_options[] = {
    {.name = "normals",
     .kind = ARG_FLAG,
     .help = "factors for accurate normals, as the vertex attributes _PELT_NORMAL_*"},
    {.name = "normal-joints",
     .kind = ARG_CHOICE,
     .value = "N",
     .choices = joint_names,
     .help = "how many joints of a vertex they know about, default 4; one of"},
    {.name = "normal-bits",
     .kind = ARG_CHOICE,
     .value = "B",
     .choices = bit_names,
     .help =
         "floats, or integers with fewer bits that take less room; how far this turns normals is"
         " measured; default 32; one of"},
    {0},
};

int factor_request_choose(factor_request* out, const args* arguments)
{
    *out = (factor_request){0};
    bool has_count = args_is_set(arguments, "normal-joints");
    if (!args_is_set(arguments, "normals"))
    {
        const char* useless = has_count                               ? "normal-joints"
                              : args_is_set(arguments, "normal-bits") ? "normal-bits"
                                                                      : NULL;
        return useless != NULL ? message_usage("--%s has no effect without --normals", useless)
                               : EXIT_DONE;
    }
    out->is_wanted = true;
    out->options.max_joints = has_count ? joint_counts[args_choice(arguments, "normal-joints")] : 4;
    out->options.bits = bit_counts[args_choice(arguments, "normal-bits")];
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------

// How far rounding turns normals can be told only beside exact ones.
static pelt_result measure_rounding(normal_error* out, const pelt_scene* source,
                                    const pelt_scene* rounded, uint32_t max_joints)
{
    pelt_scene exact = *source;
    const pelt_scene_normal_options options = {.max_joints = max_joints};
    pelt_arena* arena = pelt_arena_create();
    bool is_ok = arena != NULL && pelt_scene_add_normal_factors(&exact, PELT_PREPARE_ALL, &options,
                                                                NULL, arena) == PELT_OK;
    pelt_result result = is_ok ? factors_error_measure(out, &exact, rounded) : PELT_ERROR_MEMORY;
    pelt_arena_destroy(arena);
    return result;
}

int factor_request_add(factor_report* out, pelt_scene* inout, const factor_request* request,
                       pelt_arena* arena)
{
    const pelt_scene_normal_options* options = &request->options;
    *out = (factor_report){.options = *options};
    const pelt_scene before = *inout;
    double start = clock_seconds();
    pelt_result result =
        pelt_scene_add_normal_factors(inout, PELT_PREPARE_ALL, options, &out->found, arena);
    out->seconds = clock_seconds() - start;
    if (result == PELT_OK && options->bits != 0)
    {
        result = measure_rounding(&out->rounding, &before, inout, options->max_joints);
    }
    return result == PELT_OK ? EXIT_DONE : message_memory();
}
