// SPDX-License-Identifier: MIT
// pelt info: the content of a character.
#include "commands.h"
#include "info.h"
#include "output.h"
#include "requests/clip_request.h"
#include "source.h"
#include "terminal.h"

static const arg_option options[] = {
    {.name = "joints",
     .kind = ARG_FLAG,
     .help = "list every joint with its parent joint (JSON always does)"},
    {.name = "bounds", .kind = ARG_FLAG, .help = "add the boxes of joints and clips in the file"},
    {.name = "gpu", .kind = ARG_FLAG, .help = "add the GPU memory of each method"},
    {0},
};

static int print_text(const args* arguments, const pelt_scene* scene, const scene_statistics* facts,
                      const pelt_joint_scale* scale)
{
    output out;
    TRY(output_open(&out, args_text(arguments, "output", NULL)));
    bool is_whole = info_as_text(out.stream, scene, facts, scale, args_is_set(arguments, "joints"));
    if (is_whole && args_is_set(arguments, "gpu"))
    {
        is_whole = info_gpu_as_text(out.stream, scene, scale);
    }
    if (is_whole && args_is_set(arguments, "bounds"))
    {
        is_whole = info_bounds_as_text(out.stream, scene);
    }
    return is_whole ? output_close(&out) : output_fail(&out);
}

static int print_json(const args* arguments, const pelt_scene* scene, const scene_statistics* facts,
                      const pelt_joint_scale* scale)
{
    json_t* report = info_as_json(arguments->operands[0], scene, facts, scale);
    if (report != NULL && args_is_set(arguments, "gpu"))
    {
        json_object_set_new(report, "gpu", info_gpu_as_json(scene, scale));
    }
    if (report != NULL && args_is_set(arguments, "bounds"))
    {
        json_object_set_new(report, "bounds", info_bounds_as_json(scene));
    }
    return output_json(report, args_text(arguments, "output", NULL));
}

static int run(const args* arguments)
{
    pelt_scene* scene;
    TRY(source_load(&scene, arguments->operands[0]));
    scene_statistics facts = {0};
    pelt_joint_scale scale;
    int code = clip_request_add(NULL, scene, arguments);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    if (scene_statistics_create(&facts, scene) != PELT_OK ||
        pelt_joint_scale_measure(&scale, scene) != PELT_OK)
    {
        code = message_memory();
        goto cleanup;
    }
    code = args_is_set(arguments, "json") ? print_json(arguments, scene, &facts, &scale)
                                          : print_text(arguments, scene, &facts, &scale);
cleanup:
    scene_statistics_destroy(&facts);
    pelt_scene_destroy(scene);
    return code;
}

const args_command cmd_info = {
    .name = "info",
    .summary = "show what is in a character: meshes, influences, skins, joints, clips",
    .operands = "INPUT",
    .description =
        "Prints the size of the character in its stored pose, its meshes, the number of\n"
        "influences per vertex, its skins and whether their joints scale, its clips, and what\n"
        "was repaired on reading.",
    .example = "pelt info character.glb --json",
    .min_operands = 1,
    .max_operands = 1,
    .tables = {options, clip_request_options, args_output_file, args_common},
    .run = run,
};
