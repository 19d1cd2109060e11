// SPDX-License-Identifier: MIT
#include "helper_request.h"

#include "clock.h"
#include "helper_curve.h"
#include "output.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Options

static const char* motion_name(uint32_t choice)
{
    return choice == 0 ? "baked" : "driven";
}

const arg_option helper_request_options[] = {
    {.name = "helpers",
     .kind = ARG_COUNT,
     .value = "N",
     .minimum = 1,
     .maximum = 1024,
     .help = "helper joints that bring linear blending close to the method of --like, for engines "
             "that have nothing else; with --max-error, N at most"},
    {.name = "like",
     .kind = ARG_CHOICE,
     .value = "METHOD",
     .choice_name = pelt_method_name,
     .choice_count = PELT_METHOD_COUNT,
     .help = "with --helpers: the method to come close to; default crs; one of"},
    {.name = "max-error",
     .kind = ARG_TEXT,
     .value = "LENGTH",
     .help = "as many helper joints as keep every vertex within this distance of the method, as "
             "1mm, 0.5cm, 0.002m, or relative to the height as 1mm/m"},
    {.name = "max-joints",
     .kind = ARG_COUNT,
     .value = "N",
     .minimum = 1,
     .maximum = PELT_MAX_JOINTS,
     .help =
         "with --helpers: joints of a skin at most, such as 75, 128 or 256 where the engine has "
         "a limit"},
    {.name = "plot",
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "with --helpers: draw the error by number of helper joints as SVG"},
    {.name = "helper-motion",
     .kind = ARG_CHOICE,
     .value = "HOW",
     .choice_name = motion_name,
     .choice_count = 2,
     .help = "baked (default): tracks of helper joints in every clip, so that any program plays "
             "the file; driven: only rules, for programs that know them, such as pelt; one of"},
    {0},
};

static int choose_error(helper_request* out, const char* text)
{
    double error = 0.0;
    const char* rest = "";
    bool is_valid = args_read_length(&error, &out->is_relative, &rest, text) && *rest == '\0';
    out->options.max_error = (float)error;
    return is_valid ? EXIT_DONE
                    : message_usage("--max-error needs a length such as 1mm, 0.5cm or 0.002m, or "
                                    "1mm/m of the height, not \"%s\"",
                                    text);
}

int helper_request_choose(helper_request* out, const args* arguments)
{
    static const char* const others[] = {"like", "max-joints", "helper-motion", "plot"};
    const char* error = args_text(arguments, "max-error", NULL);
    *out = (helper_request){
        .is_wanted = args_is_set(arguments, "helpers") || error != NULL,
        .plot = args_text(arguments, "plot", NULL),
        .options = {.count = (uint32_t)args_number(arguments, "helpers", 0.0f),
                    .max_joints = (uint32_t)args_number(arguments, "max-joints", 0.0f),
                    .max_influences = (uint32_t)args_number(arguments, "max-influences", 0.0f),
                    .target = {.method = PELT_METHOD_CRS, .mix = 0.5f}}};
    for (size_t i = 0; i < sizeof others / sizeof *others && !out->is_wanted; ++i)
    {
        if (args_is_set(arguments, others[i]))
        {
            return message_usage("--%s has no effect without --helpers", others[i]);
        }
    }
    if (args_is_set(arguments, "like"))
    {
        out->options.target.method = (pelt_method)args_choice(arguments, "like");
    }
    if (out->is_wanted && out->options.target.method == PELT_METHOD_LBS)
    {
        return message_usage("--like lbs needs no helper joints; choose another method");
    }
    if (out->is_wanted && out->options.max_influences > 16)
    {
        return message_usage("--max-influences is at most 16 with --helpers");
    }
    out->options.is_rule_only =
        args_is_set(arguments, "helper-motion") && args_choice(arguments, "helper-motion") == 1;
    return error != NULL ? choose_error(out, error) : EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// The work

static bool show_part(float part, void* user)
{
    (void)user;
    progress_show(part);
    return true;
}

// The height of the character in its stored pose.
static double find_height(const pelt_scene* scene)
{
    pelt_pose pose = {0};
    pelt_frame frame = {0};
    pelt_bounds box = pelt_bounds_empty();
    if (pelt_pose_create(&pose, scene) == PELT_OK && pelt_frame_create(&frame, scene) == PELT_OK)
    {
        pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){0});
        for (uint32_t i = 0; i < scene->instance_count; ++i)
        {
            pelt_bounds_add(&box, frame.surfaces[i].positions,
                            scene->meshes[scene->instances[i].mesh].vertex_count);
        }
    }
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    return box.max.y > box.min.y ? (double)(box.max.y - box.min.y) : 0.0;
}

int helper_request_add(helper_report* out, pelt_scene** scene, const helper_request* request,
                       pelt_arena* arena)
{
    *out = (helper_report){.request = *request};
    if (!request->is_wanted)
    {
        return EXIT_DONE;
    }
    pelt_error error = {0};
    pelt_scene* helped = NULL;
    pelt_helpers_options options = request->options;
    options.progress = show_part;
    if (request->is_relative)
    {
        options.max_error *= (float)find_height(*scene);
        out->request.options.max_error = options.max_error;
    }
    double start = clock_seconds();
    progress_begin("fitting helper joints");
    pelt_result result = pelt_helpers_add(&helped, *scene, &options, &out->found, arena, &error);
    progress_end();
    out->seconds = clock_seconds() - start;
    if (result == PELT_OK)
    {
        out->read = *scene;
        *scene = helped;
    }
    if (result == PELT_OK && request->plot != NULL)
    {
        plot curve;
        helper_curve_draw(&curve, &out->found);
        result = plot_save(request->plot, &curve, &error);
    }
    return message_error(result, &error);
}

void helper_report_destroy(helper_report* in)
{
    pelt_scene_destroy(in->read);
    *in = (helper_report){0};
}

// ---------------------------------------------------------------------------------------------
// Report

static double millimeters(float meters)
{
    return 1e3 * (double)meters;
}

static double ratio_of(const pelt_helpers_error* error)
{
    return error->lbs_rms > 0.0f ? (double)error->rms / (double)error->lbs_rms : 1.0;
}

static const char* clip_name(const pelt_helpers_clip* clip, const pelt_scene* scene)
{
    return clip->clip == PELT_NONE ? "bends and twists of all joints"
                                   : scene->clips[clip->clip].name;
}

void helper_report_print(const helper_report* in, const pelt_scene* scene)
{
    const pelt_helpers_report* found = &in->found;
    const pelt_helpers_options* options = &in->request.options;
    const pelt_helpers_error* held = &found->held_out;
    if (in->read == NULL)
    {
        return;
    }
    if (found->step_count == 0)
    {
        message_note(
            "no vertex follows more than one joint: linear blending is exact, and no helper "
            "joints were added");
        return;
    }
    message_note("added %u %s on %u of %u pairs of joints and changed the weights of %u %s, in "
                 "%.1f s",
                 found->count, message_plural(found->count, "helper joint", "helper joints"),
                 found->pair_count, found->all_pairs, found->changed_count,
                 message_plural(found->changed_count, "vertex", "vertices"), in->seconds);
    message_note("distance to %s at %u poses that were held out: rms %.3g mm, p99 %.3g, max %.3g; "
                 "plain lbs %.3g, %.3g and %.3g (rms ratio %.3f; %.3f at the %u poses of the fit)",
                 pelt_method_name(options->target.method), held->pose_count, millimeters(held->rms),
                 millimeters(held->p99), millimeters(held->max), millimeters(held->lbs_rms),
                 millimeters(held->lbs_p99), millimeters(held->lbs_max), ratio_of(held),
                 ratio_of(&found->training), found->training.pose_count);
    for (uint32_t i = 0; i < found->clip_count; ++i)
    {
        const pelt_helpers_error* error = &found->clips[i].held_out;
        message_note("  %s: rms %.3g mm, max %.3g; plain lbs %.3g and %.3g",
                     clip_name(&found->clips[i], scene), millimeters(error->rms),
                     millimeters(error->max), millimeters(error->lbs_rms),
                     millimeters(error->lbs_max));
    }
    if (options->max_error > 0.0f && !found->is_reached)
    {
        message_note("the error of %.3g mm that --max-error asks for was not reached with %u %s",
                     millimeters(options->max_error), found->count,
                     message_plural(found->count, "helper joint", "helper joints"));
    }
    if (found->shared_count > 0)
    {
        message_note("%u %s several skins and keep their weights", found->shared_count,
                     message_plural(found->shared_count, "mesh has", "meshes have"));
    }
}

static json_t* describe_error(const pelt_helpers_error* error)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "poses", (json_int_t)error->pose_count,
                     "rms", output_float(error->rms), "p99", output_float(error->p99), "max",
                     output_float(error->max), "lbs_rms", output_float(error->lbs_rms), "lbs_p99",
                     output_float(error->lbs_p99), "lbs_max", output_float(error->lbs_max));
}

static json_t* describe_item(const pelt_helpers_item* item, const pelt_scene* scene)
{
    const pelt_helper* helper = &scene->helpers[item->helper];
    return json_pack("{s:o, s:o, s:o, s:o, s:I}", "joint",
                     output_string(scene->nodes[helper->node].name), "parent",
                     output_string(scene->nodes[scene->nodes[helper->node].parent].name), "source",
                     output_string(scene->nodes[helper->source].name), "factor",
                     output_float(helper->factor), "vertices", (json_int_t)item->vertex_count);
}

json_t* helper_report_describe(const helper_report* in, const pelt_scene* scene)
{
    const pelt_helpers_report* found = &in->found;
    if (in->read == NULL)
    {
        return json_null();
    }
    json_t *clips = json_array(), *steps = json_array(), *items = json_array();
    for (uint32_t i = 0; i < found->clip_count; ++i)
    {
        const pelt_helpers_clip* clip = &found->clips[i];
        json_t* name =
            clip->clip == PELT_NONE ? json_null() : output_string(scene->clips[clip->clip].name);
        json_array_append_new(clips, json_pack("{s:o, s:o, s:o}", "clip", name, "training",
                                               describe_error(&clip->training), "held_out",
                                               describe_error(&clip->held_out)));
    }
    for (uint32_t i = 0; i < found->step_count; ++i)
    {
        json_array_append_new(steps, json_pack("{s:I, s:o, s:o}", "helpers",
                                               (json_int_t)found->steps[i].count, "rms",
                                               output_float(found->steps[i].rms), "held_out_rms",
                                               output_float(found->steps[i].held_out_rms)));
    }
    for (uint32_t i = 0; i < found->item_count; ++i)
    {
        json_array_append_new(items, describe_item(&found->items[i], scene));
    }
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "like",
        pelt_method_name(in->request.options.target.method), "motion",
        motion_name(in->request.options.is_rule_only ? 1 : 0), "count", (json_int_t)found->count,
        "pairs", (json_int_t)found->pair_count, "all_pairs", (json_int_t)found->all_pairs, "tracks",
        (json_int_t)found->track_count, "changed_vertices", (json_int_t)found->changed_count,
        "kept_vertices", (json_int_t)found->kept_count, "is_reached", found->is_reached ? 1 : 0,
        "training", describe_error(&found->training), "held_out", describe_error(&found->held_out),
        "clips", clips, "curve", steps, "joints", items, "seconds", output_real(in->seconds));
}
