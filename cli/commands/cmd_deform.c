// SPDX-License-Identifier: MIT
// pelt deform: pose a character and write its deformed mesh.
#include "commands.h"
#include "method_frame.h"
#include "method_list.h"
#include "output.h"
#include "output_file.h"
#include "packed_scene.h"
#include "requests/clip_request.h"
#include "requests/pose_request.h"
#include "source.h"
#include "terminal.h"

static const arg_option options[] = {
    {.name = "method",
     .kind = ARG_CHOICE,
     .value = "METHOD",
     .choice_name = pelt_method_name,
     .choice_count = PELT_METHOD_COUNT,
     .help = "skinning method; default that of the file, or else lbs; one of"},
    {.name = "normals",
     .kind = ARG_CHOICE,
     .value = "RULE",
     .choice_name = method_list_normal_name,
     .choice_count = METHOD_LIST_RULE_MAX,
     .help =
         "how normals are computed: with constant weights, by the derivative of the method, by the"
         " formula of Tarini et al., or from the deformed triangles; default that of the"
         " convention; one of"},
    {0},
};

typedef struct deform_job
{
    const args* arguments;
    output_file file;
    method_list how;
    pelt_scene* scene;
    pelt_frame frame;
    pose_request pose;
    cor_report cors;
} deform_job;

static int prepare_summary(output* out, const deform_job* job, uint32_t mixed_count)
{
    const pelt_deform_options* how = &job->how.methods[0];
    json_t* summary = json_object();
    json_object_set_new(summary, "input", output_string(job->arguments->operands[0]));
    json_object_set_new(summary, "method", output_string(method_list_name(&job->how, 0)));
    json_object_set_new(summary, "mesh_methods", method_list_describe_file(&job->how, job->scene));
    if (method_list_has(&job->how, METHOD_LIST_WITH(has_mix_factor)))
    {
        json_object_set_new(summary, "mix", output_float(how->mix));
    }
    json_object_set_new(summary, "correct_distance", output_float(how->distance_correction));
    if (method_list_has(&job->how, METHOD_LIST_WITH(needs_centers)))
    {
        bool is_computed = job->cors.found.mesh_count > 0;
        json_object_set_new(summary, "cor",
                            is_computed ? cor_report_describe(&job->cors) : json_null());
    }
    json_object_set_new(summary, "normals",
                        output_string(method_frame_rule_name(job->scene, &job->how)));
    json_object_set_new(summary, "mixed_handedness_vertices", json_integer(mixed_count));
    pose_request_describe(summary, &job->pose);
    output_file_describe_mesh(summary, &job->file, job->scene, &job->frame);
    return output_json_prepare(out, summary, NULL);
}

static int prepare_scene(pelt_scene* inout, deform_job* job, pelt_arena* arena)
{
    const method_list* how = &job->how;
    if (method_list_has(how, METHOD_LIST_WITH(needs_centers)))
    {
        TRY(cor_request_add(&job->cors, inout, how->cor_scope, &how->cor, arena));
    }
    return method_frame_prepare(inout, how, arena);
}

// Images are copied with a mesh as with a scene. Other losses are expected for a mesh.
static int save(const deform_job* job)
{
    if (!output_file_holds_scene(job->file.format))
    {
        return output_file_save_mesh(&job->file, job->scene, &job->frame);
    }
    pelt_scene scene = *job->scene;
    packed_scene written;
    scene.clip_count = scene.loss_count = 0;
    TRY(packed_scene_create(&written, &scene, job->arguments->operands[0], job->file.path));
    int code = output_file_save_mesh(&job->file, &written.scene, &job->frame);
    if (code == EXIT_DONE)
    {
        packed_scene_print_lost(&written, "");
    }
    packed_scene_destroy(&written);
    return code;
}

static int save_with_summary(const deform_job* job)
{
    uint32_t mixed_count = method_frame_count_mixed(job->scene, &job->frame);
    output summary = {0};
    TRY(args_is_set(job->arguments, "json") ? prepare_summary(&summary, job, mixed_count)
                                            : EXIT_DONE);
    TRY(output_discard_on(&summary, save(job)));
    method_list_note_file(&job->how);
    method_frame_note_mixed(mixed_count, &job->how);
    method_frame_note_unused(job->scene, &job->how);
    return output_deliver(&summary);
}

static int deform_scene(deform_job* job)
{
    pelt_scene prepared = *job->scene;
    pelt_arena* arena = NULL;
    TRY(method_list_settle(&job->how, job->arguments, 0, job->scene));
    TRY(pose_request_choose(&job->pose, job->scene, job->arguments));
    TRY(pose_request_create(&job->pose, job->scene, job->arguments));
    arena = pelt_arena_create();
    int code = arena != NULL ? prepare_scene(&prepared, job, arena) : message_memory();
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    if (pelt_frame_create(&job->frame, &prepared) != PELT_OK)
    {
        code = message_memory();
        goto cleanup;
    }
    method_list_attach_methods(&job->frame, job->scene, &job->how);
    method_list_attach_mix(&job->frame, job->scene, &job->how);
    code = method_frame_update(&job->frame, job->scene, &job->pose.pose, &job->how, 0);
    if (code == EXIT_DONE)
    {
        code = save_with_summary(job);
    }
cleanup:
    pelt_frame_destroy(&job->frame);
    pelt_arena_destroy(arena);
    pose_request_destroy(&job->pose);
    return code;
}

static int run(const args* arguments)
{
    deform_job job = {.arguments = arguments};
    TRY(output_file_choose(&job.file, arguments));
    TRY(method_list_choose(&job.how, arguments, 0));
    if (job.how.mix.count > 1)
    {
        return message_usage("pelt deform writes one mesh: give --mix one factor");
    }
    TRY(source_load_mesh(&job.scene, arguments->operands[0]));
    int code = clip_request_add(NULL, job.scene, arguments);
    code = code == EXIT_DONE ? deform_scene(&job) : code;
    pelt_scene_destroy(job.scene);
    return code;
}

const args_command cmd_deform = {
    .name = "deform",
    .summary = "pose a character and write its deformed mesh",
    .operands = "INPUT",
    .description =
        "Writes the mesh in the pose given by --clip, --time and --pose, default the stored pose.\n"
        "With --json a summary goes to the standard output.\n"
        "Methods: lbs linear blend, dqs dual quaternions, mix between the two, crs centers of\n"
        "rotation, lms log-matrix blend, sbs spherical blend, ddm direct delta mush.",
    .example = "pelt deform character.glb --clip Walk --time 0.4 --method dqs -o walk.obj",
    .min_operands = 1,
    .max_operands = 1,
    .tables = {options, method_list_options, cor_request_options, ddm_request_options,
               pose_request_options, pose_request_moment, clip_request_options, output_file_options,
               args_common},
    .run = run,
};
