// SPDX-License-Identifier: MIT
#include "ddm_request.h"

#include "terminal.h"

#include <math.h>

const arg_option ddm_request_options[] = {
    {.name = "ddm",
     .kind = ARG_CHOICE,
     .value = "VARIANT",
     .choice_name = pelt_ddm_variant_name,
     .choice_count = PELT_DDM_VARIANT_COUNT,
     .help = "variant of method ddm, from the full one to the smallest; default v0; one of"},
    {.name = "ddm-iterations",
     .kind = ARG_COUNT,
     .value = "N",
     .minimum = 1,
     .maximum = PELT_DDM_MAX_ITERATIONS,
     .help = "for method ddm: how often the surface is smoothed; default 20"},
    {.name = "ddm-lambda",
     .kind = ARG_NUMBER,
     .value = "L",
     .minimum = 1e-6,
     .maximum = (double)PELT_DDM_MAX_LAMBDA,
     .has_off = true,
     .help = "for method ddm: smoothing of an iteration; default 1; off is lbs"},
    {.name = "ddm-kappa",
     .kind = ARG_NUMBER,
     .value = "K",
     .minimum = 1e-6,
     .maximum = (double)PELT_DDM_MAX_LAMBDA,
     .has_off = true,
     .help = "for method ddm: the same for the weights that move centers, up to lambda; default"
             " half of lambda"},
    {.name = "ddm-alpha",
     .kind = ARG_NUMBER,
     .value = "A",
     .minimum = 1e-6,
     .maximum = 1.0,
     .has_off = true,
     .help = "for method ddm: how far vertices follow centers instead of the smoothed surface,"
             " which keeps volume; default 0.5"},
    {0},
};

const char* ddm_request_find_given(const args* arguments)
{
    for (const arg_option* row = ddm_request_options; row->name != NULL; ++row)
    {
        if (args_is_set(arguments, row->name))
        {
            return row->name;
        }
    }
    return NULL;
}

int ddm_request_choose(pelt_ddm_options* out, const args* arguments)
{
    *out = (pelt_ddm_options){
        .variant = (pelt_ddm_variant)args_choice(arguments, "ddm"),
        .iterations = (uint32_t)args_number(arguments, "ddm-iterations", 0.0f),
        .lambda = args_number(arguments, "ddm-lambda", 0.0f),
        .kappa = args_number(arguments, "ddm-kappa", 0.0f),
        .alpha = args_number(arguments, "ddm-alpha", 0.0f),
    };
    float lambda = out->lambda == 0.0f ? 1.0f : fmaxf(out->lambda, 0.0f);
    return out->kappa > lambda
               ? message_usage("--ddm-kappa is %g, which is above --ddm-lambda %g; centers cannot "
                               "be smoother than the surface",
                               (double)out->kappa, (double)lambda)
               : EXIT_DONE;
}

static bool show_part(float part, void* user)
{
    (void)user;
    progress_show(part);
    return true;
}

int ddm_request_add(pelt_scene* inout, const pelt_ddm_options* options, pelt_arena* arena)
{
    pelt_ddm_options how = *options;
    how.progress = show_part;
    pelt_error error = {0};
    progress_begin("smoothing weights");
    pelt_result result = pelt_scene_add_ddm(inout, PELT_PREPARE_MISSING, &how, NULL, arena, &error);
    progress_end();
    return message_error(result, &error);
}
