// SPDX-License-Identifier: MIT
#include "mix_request.h"

#include "clock.h"
#include "output.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>

const arg_option mix_request_options[] = {
    {.name = "mix-map",
     .kind = ARG_FLAG,
     .help = "a factor between lbs and dqs for each vertex, for method mix, computed from the "
             "clips of the file, as the vertex attribute _PELT_MIX"},
    {.name = "mix-weights",
     .kind = ARG_TEXT,
     .value = "V,B,R,S",
     .help = "weights of volume, bulge, rigidity and smoothness; 0 leaves a term out; default "
             "1,1,0.1,1"},
    {.name = "mix-frames",
     .kind = ARG_COUNT,
     .value = "N",
     .minimum = 1,
     .maximum = 10000,
     .help = "frames of all clips together at which the energy is measured; default 48"},
    {0},
};

// 0 is a default in the library's options.
static float option_of(float weight)
{
    return weight > 0.0f ? weight : -1.0f;
}

static int read_weights(pelt_mix_options* out, const char* text)
{
    float w[4];
    char rest;
    bool is_list = sscanf(text, "%f,%f,%f,%f%c", &w[0], &w[1], &w[2], &w[3], &rest) == 4;
    for (int i = 0; i < 4 && is_list; ++i)
    {
        is_list = isfinite(w[i]) && w[i] >= 0.0f;
    }
    if (!is_list || w[0] + w[1] + w[2] <= 0.0f)
    {
        return message_usage("--mix-weights cannot be \"%s\"; give four numbers that are not "
                             "negative, such as 1,1,1,1, the first three not all 0",
                             text);
    }
    out->volume = option_of(w[0]);
    out->bulge = option_of(w[1]);
    out->rigidity = option_of(w[2]);
    out->smoothness = option_of(w[3]);
    return EXIT_DONE;
}

int mix_request_choose(mix_request* out, const args* arguments)
{
    *out =
        (mix_request){.is_wanted = args_is_set(arguments, "mix-map"),
                      .options.max_frames = (uint32_t)args_number(arguments, "mix-frames", 0.0f)};
    const char* weights = args_text(arguments, "mix-weights", NULL);
    const char* useless = weights != NULL                        ? "mix-weights"
                          : args_is_set(arguments, "mix-frames") ? "mix-frames"
                                                                 : NULL;
    if (!out->is_wanted && useless != NULL)
    {
        return message_usage("--%s has no effect without --mix-map", useless);
    }
    return weights != NULL ? read_weights(&out->options, weights) : EXIT_DONE;
}

int mix_request_add(mix_report* out, pelt_scene* inout, const mix_request* request,
                    pelt_arena* arena)
{
    *out = (mix_report){.options = request->options};
    pelt_mix_options options = request->options;
    options.progress = progress_part;
    pelt_error error = {0};
    double start = clock_seconds();
    progress_begin("computing mix factors");
    pelt_result result = pelt_scene_add_mix_factors(inout, &options, &out->found, arena, &error);
    progress_end();
    out->seconds = clock_seconds() - start;
    for (uint32_t i = 0; i < inout->instance_count; ++i)
    {
        out->is_rigid = out->is_rigid || inout->instances[i].skin != PELT_NONE;
    }
    out->is_rigid = out->is_rigid && result == PELT_OK && !out->found.has_blend;
    return message_error(result, &error);
}

// ---------------------------------------------------------------------------------------------
// Report

static double millimeters(double energy)
{
    return 1e3 * sqrt(energy);
}

void mix_report_print(const mix_report* in)
{
    const pelt_scene_mix_report* found = &in->found;
    if (in->is_rigid)
    {
        message_note(
            "no vertex follows more than one joint, so that lbs and dqs deform equally and "
            "there are no mix factors to compute");
    }
    if (found->mesh_count == 0)
    {
        return;
    }
    message_note("computed mix factors from %.3g to %.3g, %.3g on average, in %.1f s from %u %s "
                 "of %s",
                 (double)found->least, (double)found->most, (double)found->mean, in->seconds,
                 found->frame_count, message_plural(found->frame_count, "frame", "frames"),
                 found->clip_count > 0 ? "the clips" : "bends and twists, as there are no clips");
    message_note("rms error %.4g mm, against %.4g under lbs, %.4g under dqs and %.4g with the "
                 "best common factor, %.2f; no vertex bulges more than %.4g mm, the worst of dqs",
                 millimeters(found->energy), millimeters(found->lbs_energy),
                 millimeters(found->dqs_energy), millimeters(found->fixed_energy),
                 (double)found->fixed_factor, 1e3 * (double)found->dqs_bulge);
}

json_t* mix_report_describe(const mix_report* in)
{
    const pelt_scene_mix_report* found = &in->found;
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
        "meshes", (json_int_t)found->mesh_count, "clips", (json_int_t)found->clip_count, "frames",
        (json_int_t)found->frame_count, "bound_frames", (json_int_t)found->bound_count, "steps",
        (json_int_t)found->step_count, "fixed_factor", output_float(found->fixed_factor),
        "lbs_energy", output_real(found->lbs_energy), "dqs_energy", output_real(found->dqs_energy),
        "fixed_energy", output_real(found->fixed_energy), "energy", output_real(found->energy),
        "smoothness", output_real(found->smoothness), "dqs_bulge", output_float(found->dqs_bulge),
        "least", output_float(found->least), "mean", output_float(found->mean), "most",
        output_float(found->most), "seconds", output_real(in->seconds));
}
