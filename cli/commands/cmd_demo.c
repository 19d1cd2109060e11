// SPDX-License-Identifier: MIT
// pelt demo: one character in one pose, deformed by every method, and how they differ.
#include "bake/bake_job.h"
#include "commands.h"
#include "compare/compare_job.h"
#include "demo_measure.h"
#include "demo_pictures.h"
#include "method_frame.h"
#include "output.h"
#include "output_file.h"
#include "requests/cor_request.h"
#include "requests/ddm_request.h"
#include "requests/pose_request.h"
#include "scene_statistics.h"
#include "source.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

static const arg_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "DIR",
     .help = "folder for the results, created if missing; default pelt-demo"},
    {0},
};

typedef struct demo
{
    const args* arguments;
    const char* input;
    const char* folder;
    pelt_scene* scene;
    pelt_frame frame;
    pose_request pose;
    cor_report cors;
    pelt_arena* arena; // of the centers
    pelt_vec3* rest;   // positions of all instances, as stored
    pelt_vec3* lbs;    // the same under linear blending
    float diagonal;    // meters, at rest
    demo_row rows[PELT_METHOD_COUNT];
} demo;

static int save(const demo* in, const char* name)
{
    char path[4096];
    pelt_error error = {0};
    snprintf(path, sizeof path, "%s/%s.obj", in->folder, name);
    pelt_result result =
        pelt_save_surfaces(path, PELT_FORMAT_OBJ, in->scene, in->frame.surfaces, &error);
    return message_error(result, &error);
}

static int take_rest(demo* inout)
{
    pelt_pose pose;
    if (pelt_pose_create(&pose, inout->scene) != PELT_OK)
    {
        return message_memory();
    }
    pelt_frame_update(&inout->frame, inout->scene, &pose, &(pelt_deform_options){0});
    pelt_pose_destroy(&pose);

    mesh_totals totals = mesh_totals_of(inout->scene, &inout->frame);
    inout->diagonal = pelt_bounds_diagonal(&totals.bounds);
    inout->rest = demo_positions_copy(inout->scene, &inout->frame);
    return inout->rest != NULL ? save(inout, "rest") : message_memory();
}

// The default is a twist, in which methods differ most, or else the default clip.
static int pick_moment(demo* inout)
{
    const pelt_scene* scene = inout->scene;
    bool is_time_given = args_is_set(inout->arguments, "time");
    bool is_pose_given = is_time_given || args_is_set(inout->arguments, "pose");
    if (inout->pose.clip == NULL && !is_pose_given && scene->clip_count > 0)
    {
        uint32_t twist = pelt_scene_find_clip(scene, "twist");
        if (twist != PELT_NONE)
        {
            inout->pose.clip = &scene->clips[twist];
            message_note("no --clip given: using twist, where methods differ most");
        }
        else
        {
            pose_request_choose_default(&inout->pose, scene);
        }
    }
    if (inout->pose.clip == NULL || is_time_given)
    {
        return EXIT_DONE;
    }
    pelt_pose scratch;
    if (pelt_pose_create(&scratch, scene) != PELT_OK)
    {
        return message_memory();
    }
    inout->pose.time =
        demo_pick_time(&inout->frame, scene, &scratch, inout->pose.clip, inout->rest);
    pelt_pose_destroy(&scratch);
    return EXIT_DONE;
}

static int deform_all(demo* inout)
{
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        pelt_method method = (pelt_method)i;
        inout->rows[i] = demo_measure(&inout->frame, inout->scene, &inout->pose.pose, method,
                                      inout->rest, inout->lbs);
        TRY(save(inout, pelt_method_name(method)));
        if (method == PELT_METHOD_LBS)
        {
            inout->lbs = demo_positions_copy(inout->scene, &inout->frame);
        }
        if (inout->lbs == NULL)
        {
            return message_memory();
        }
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// Report

static json_t* describe_row(const demo* in, const demo_row* row)
{
    char file[32];
    snprintf(file, sizeof file, "%s.obj", pelt_method_name(row->method));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "method",
                     output_string(pelt_method_name(row->method)), "file", output_string(file),
                     "mean_to_lbs", output_real(row->mean), "max_to_lbs", output_real(row->max),
                     "max_to_lbs_of_diagonal", output_real(row->max / (double)in->diagonal),
                     "volume_of_rest", output_real(row->volume_ratio), "seconds",
                     output_real(row->seconds));
}

static json_t* describe(const demo* in)
{
    json_t* report = json_object();
    json_t* rows = json_array();
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        json_array_append_new(rows, describe_row(in, &in->rows[i]));
    }
    mesh_totals totals = mesh_totals_of(in->scene, &in->frame);
    json_object_set_new(report, "input", output_string(in->input));
    pose_request_describe(report, &in->pose);
    json_object_set_new(report, "vertices", json_integer((json_int_t)totals.vertex_count));
    json_object_set_new(report, "diagonal", output_float(in->diagonal));
    json_object_set_new(report, "center_seconds", output_real(in->cors.seconds));
    json_object_set_new(report, "exact", json_boolean(args_is_set(in->arguments, "exact")));
    json_object_set_new(report, "rest", output_string("rest.obj"));
    json_object_set_new(report, "methods", rows);
    return report;
}

static int print_table(const demo* in)
{
    output out;
    TRY(output_open(&out, NULL));
    table list;
    table_begin(&list, "lrrrrr",
                (const char* const[]){"METHOD", "MEAN TO LBS", "MAX TO LBS", "OF DIAGONAL",
                                      "VOLUME OF REST", "TIME"});
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        const demo_row* row = &in->rows[i];
        table_cell(&list, "%s", pelt_method_name(row->method));
        table_cell(&list, "%.2f mm", 1e3 * row->mean);
        table_cell(&list, "%.2f mm", 1e3 * row->max);
        table_cell(&list, "%.2f %%",
                   in->diagonal > 0.0f ? 100.0 * row->max / (double)in->diagonal : 0.0);
        table_cell(&list, isnan(row->volume_ratio) ? "not closed" : "%.2f %%",
                   100.0 * row->volume_ratio);
        table_cell(&list, "%.2f ms", 1e3 * row->seconds);
    }
    bool is_whole = table_end(&list, out.stream);
    return is_whole ? output_close(&out) : output_fail(&out);
}

static int report(const demo* in)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/report.json", in->folder);
    json_t* all = describe(in);
    bool is_json = args_is_set(in->arguments, "json");
    TRY(output_json(is_json ? json_incref(all) : all, path));
    int code = is_json ? output_json(all, NULL) : print_table(in);
    message_note("wrote meshes and report.json to %s", in->folder);
    return code;
}

// ---------------------------------------------------------------------------------------------

// The built-in human is among the pictures anyway.
static int draw(demo* inout)
{
    demo_pictures pictures = {.folder = inout->folder};
    if (inout->arguments->operand_count > 0)
    {
        bool is_rig = strncmp(inout->input, "rig:", 4) == 0;
        pictures.scene = inout->scene;
        pictures.source = is_rig ? NULL : inout->input;
        pictures.pose = &inout->pose;
    }
    return demo_pictures_make(&pictures);
}

// The built-in human as an animation texture.
static int bake(const demo* in)
{
    // Three times between two keys, to keep the demo short.
    bake_job job = {
        .input = in->input,
        .scene = in->scene,
        .measure = {.between = 3, .deform.is_exact = args_is_set(in->arguments, "exact")}};
    (void)bake_job_name(job.name, job.input);
    snprintf(job.folder, sizeof job.folder, "%s/human_bake", in->folder);
    int code = bake_job_run(&job);
    code = code == EXIT_DONE ? bake_job_save(&job) : code;
    if (code == EXIT_DONE)
    {
        message_note("baked %u clips into %s: a texture of %zu bytes, vertices at most %.2f mm off",
                     job.baked->clip_count, job.folder, pelt_baked_bytes(job.baked),
                     1e3 * job.report.error.max);
    }
    bake_job_destroy(&job);
    return code;
}

static bool has_skin(const pelt_scene* scene)
{
    uint32_t i = 0;
    while (i < scene->instance_count && scene->instances[i].skin == PELT_NONE)
    {
        ++i;
    }
    return i < scene->instance_count;
}

// All methods on all clips, as a report.
static int compare(const demo* in)
{
    enum
    {
        FRAME_LIMIT = 40, // to keep the demo short
        FIGURE_LIMIT = 2,
    };
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/comparison", in->folder);
    compare_job job = {
        .request = {.input = in->input, .scene = in->scene, .frame_limit = FRAME_LIMIT},
        .folder = folder,
        .figure_count = FIGURE_LIMIT,
        .words = COMPARE_SILENT};
    contender_list_ready(&job.request.contenders, in->scene);
    return compare_job_run(&job);
}

// All files of the folder.
static int fill_folder(demo* inout)
{
    TRY(take_rest(inout));
    TRY(pick_moment(inout));
    pose_request_sample(&inout->pose, inout->scene, inout->pose.time);
    if (inout->pose.clip != NULL)
    {
        message_note("%s, clip %s at %.3g s", inout->input, inout->pose.clip->name,
                     (double)inout->pose.time);
    }
    else if (inout->pose.override_count == 0)
    {
        message_note("%s has no clips: using the stored pose; --pose changes it", inout->input);
    }
    TRY(deform_all(inout));
    int code = report(inout);
    if (code == EXIT_DONE && inout->arguments->operand_count == 0)
    {
        code = bake(inout);
    }
    code = code == EXIT_DONE ? draw(inout) : code;
    return code == EXIT_DONE && has_skin(inout->scene) ? compare(inout) : code;
}

static void release(demo* in)
{
    free(in->lbs);
    free(in->rest);
    pelt_frame_destroy(&in->frame);
    pelt_arena_destroy(in->arena);
    pose_request_destroy(&in->pose);
    pelt_scene_destroy(in->scene);
}

static int run(const args* arguments)
{
    demo state = {
        .arguments = arguments,
        // Few vertices, to keep the demo short.
        .input = arguments->operand_count > 0 ? arguments->operands[0] : "rig:human?vertices=6000",
        .folder = args_text(arguments, "output", "pelt-demo"),
    };
    TRY(source_load_mesh(&state.scene, state.input));
    int code = pose_request_choose(&state.pose, state.scene, arguments);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    code = pose_request_create(&state.pose, state.scene, arguments);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    pelt_scene prepared = *state.scene;
    state.arena = pelt_arena_create();
    code = state.arena != NULL ? cor_request_add(&state.cors, &prepared, PELT_PREPARE_MISSING,
                                                 &(pelt_cor_options){0}, state.arena)
                               : message_memory();
    if (code == EXIT_DONE)
    {
        code = ddm_request_add(&prepared, &(pelt_ddm_options){0}, state.arena);
    }
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    bool is_exact = args_is_set(arguments, "exact");
    if (pelt_frame_create(&state.frame, &prepared) != PELT_OK ||
        (!is_exact && pelt_frame_prepare(&state.frame, &prepared) != PELT_OK))
    {
        code = message_memory();
        goto cleanup;
    }
    output_folder results;
    code = output_folder_make(&results, state.folder);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    code = fill_folder(&state);
    if (code != EXIT_DONE)
    {
        output_folder_unmake(&results);
    }
cleanup:
    release(&state);
    return code;
}

const args_command cmd_demo = {
    .name = "demo",
    .summary = "compare all methods on a character",
    .operands = "[INPUT]",
    .description =
        "Poses a character (default: a built-in human, twisted), deforms it by all seven methods\n"
        "(mix at 0.5), writes each mesh and a report.json into a folder, and prints how far each\n"
        "is from lbs and how much volume it keeps. Without --time it picks the time at which the\n"
        "mesh moves most. Without INPUT it also bakes the clips of the human into an animation\n"
        "texture, in the folder human_bake. It ends with the report of pelt compare, in the "
        "folder\n"
        "comparison.",
    .example = "pelt demo rig:arm --clip bend -o arm-demo",
    .max_operands = 1,
    .tables = {options, method_frame_exact, pose_request_options, pose_request_moment, args_common},
    .run = run,
};
