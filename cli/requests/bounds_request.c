// SPDX-License-Identifier: MIT
#include "bounds_request.h"

#include "clock.h"
#include "ddm_request.h"
#include "output.h"
#include "terminal.h"

#include <string.h>

const arg_option bounds_request_options[] = {
    {.name = "bounds",
     .kind = ARG_FLAG,
     .help = "boxes of joints and clips as extras, so that engines cull the character correctly"},
    {.name = "method",
     .kind = ARG_CHOICE,
     .value = "METHOD",
     .choice_name = pelt_method_name,
     .choice_count = PELT_METHOD_COUNT,
     .help = "that deforms the character, for --bounds; default lbs"},
    {0},
};

int bounds_request_choose(bounds_request* out, const args* arguments)
{
    *out = (bounds_request){.is_wanted = args_is_set(arguments, "bounds"), .options.mix = 0.5f};
    if (!out->is_wanted && args_is_set(arguments, "method"))
    {
        return message_usage("--method has no effect without --bounds");
    }
    if (args_is_set(arguments, "method"))
    {
        out->options.method = (pelt_method)args_choice(arguments, "method");
    }
    return EXIT_DONE;
}

int bounds_request_add(bounds_report* out, pelt_scene* inout, const bounds_request* request,
                       pelt_arena* arena)
{
    *out = (bounds_report){.method = request->options.method};
    pelt_error error = {0};
    double start = clock_seconds();
    if (pelt_method_info(out->method)->needs_smoothing)
    {
        TRY(ddm_request_add(inout, &(pelt_ddm_options){0}, arena));
    }
    pelt_result result =
        pelt_scene_add_bounds(inout, &request->options, &out->found, arena, &error);
    out->seconds = clock_seconds() - start;
    if (result == PELT_ERROR_DATA && strstr(error.message, "centers") != NULL)
    {
        message_note("%s; add --cor", error.message);
        return EXIT_INPUT;
    }
    return message_error(result, &error);
}

void bounds_report_print(const bounds_report* in)
{
    const pelt_scene_bounds_report* found = &in->found;
    if (found->mesh_count > 0)
    {
        message_note("computed boxes for method %s in %.1f s from %u frames; vertices leave the "
                     "boxes of their joints by up to %.4g mm, for which there is room",
                     pelt_method_name(in->method), in->seconds, found->frame_count,
                     1e3 * (double)found->margin);
    }
}

json_t* bounds_report_describe(const bounds_report* in)
{
    return json_pack("{s:o, s:I, s:I, s:o, s:o}", "method",
                     output_string(pelt_method_name(in->method)), "meshes",
                     (json_int_t)in->found.mesh_count, "frames", (json_int_t)in->found.frame_count,
                     "margin", output_float(in->found.margin), "seconds", output_real(in->seconds));
}

json_t* bounds_describe_box(const pelt_bounds* box)
{
    const float numbers[6] = {box->min.x, box->min.y, box->min.z,
                              box->max.x, box->max.y, box->max.z};
    json_t* list = json_array();
    for (size_t i = 0; i < 6; ++i)
    {
        json_array_append_new(list, output_float(numbers[i]));
    }
    return list;
}
