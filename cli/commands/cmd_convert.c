// SPDX-License-Identifier: MIT
// pelt convert: read a character and write all of it as glTF.
#include "commands.h"
#include "output.h"
#include "output_file.h"
#include "packed_scene.h"
#include "source.h"
#include "terminal.h"
#include "texture_request.h"

#include <string.h>

static const char* const format_names[] = {"glb", "gltf", NULL};

static const arg_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "file to write: .glb or .gltf; - for the standard output"},
    {.name = "format",
     .kind = ARG_CHOICE,
     .value = "FORMAT",
     .choices = format_names,
     .help = "format, if the file name does not tell; one of"},
    {0},
};

static int choose_file(output_file* out, const args* arguments)
{
    const char* path = args_text(arguments, "output", "");
    pelt_format format = pelt_format_of(path);
    bool is_mesh = format == PELT_FORMAT_OBJ || format == PELT_FORMAT_PLY;
    if (is_mesh && !args_is_set(arguments, "format"))
    {
        return message_usage(
            "%s: this format cannot hold a skeleton; pelt convert writes .glb or .gltf, "
            "pelt deform writes meshes",
            path);
    }
    return output_file_choose_among(out, arguments, format_names);
}

static int prepare_summary(output* out, const args* arguments, const packed_scene* written,
                           const output_file* file)
{
    const char* input = arguments->operands[0];
    const pelt_scene* scene = &written->scene;
    json_t* summary = json_object();
    json_t* repairs = json_array();
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        json_array_append_new(repairs, output_string(scene->repairs[i].message));
    }
    json_object_set_new(summary, "input", output_string(input));
    output_file_describe_scene(summary, file, scene);
    json_object_set_new(summary, "repairs", repairs);
    json_object_set_new(summary, "lost", packed_scene_describe_lost(written));
    return output_json_prepare(out, summary, NULL);
}

// @param source  the file, when it is glTF and all of it is kept; NULL: it is not
static int convert(const args* arguments, const packed_scene* written, const pelt_source* source,
                   const output_file* file)
{
    const pelt_scene* scene = &written->scene;
    output summary = {0};
    bool is_json = args_is_set(arguments, "json");
    int code = is_json ? prepare_summary(&summary, arguments, written, file) : EXIT_DONE;
    if (code == EXIT_DONE)
    {
        code = source != NULL ? output_file_save_copy(file, source, scene, scene)
                              : output_file_save_scene(file, scene);
    }
    if (code != EXIT_DONE)
    {
        output_discard(&summary);
        return code;
    }
    packed_scene_print_lost(written, "");
    if (!is_json && scene->repair_count > 0)
    {
        message_note("%u %s on reading; pelt info %s lists %s", scene->repair_count,
                     message_plural(scene->repair_count, "repair", "repairs"),
                     arguments->operands[0], message_plural(scene->repair_count, "it", "them"));
    }
    return output_deliver(&summary);
}

static int run(const args* arguments)
{
    output_file file;
    int code = choose_file(&file, arguments);
    if (code != EXIT_DONE)
    {
        return code;
    }
    pelt_scene* scene;
    pelt_source source;
    code = source_load_keep(&scene, &source, arguments->operands[0]);
    if (code != EXIT_DONE)
    {
        return code;
    }
    packed_scene written = {0};
    bool is_copy = output_file_holds_scene(scene->format);
    if (is_copy && texture_request_is_set(arguments))
    {
        code = message_usage("--textures and --max-texture are for input that is not glTF: of a "
                             "glTF file all images are kept as they are");
    }
    else if (is_copy)
    {
        code = packed_scene_create_copy(&written, scene);
    }
    else
    {
        const char* input = arguments->operands[0];
        code = texture_request_is_set(arguments)
                   ? texture_request_pack(&written, scene, input, &file, arguments)
                   : packed_scene_create(&written, scene, input, file.path);
    }
    if (code == EXIT_DONE)
    {
        code = convert(arguments, &written, is_copy ? &source : NULL, &file);
    }
    packed_scene_destroy(&written);
    pelt_scene_destroy(scene);
    pelt_source_release(&source);
    return code;
}

const args_command cmd_convert = {
    .name = "convert",
    .summary = "convert a whole character to glTF",
    .operands = "INPUT",
    .description =
        "Writes nodes, meshes, skins, clips, morph targets and materials as glTF 2.0, in meters\n"
        "and Y up, with what was repaired on reading. A glTF input keeps everything else that it\n"
        "has: textures, cameras, extras and extensions, known or not; a .glb holds the files that\n"
        "it refers to. For other formats, image files next to the input are embedded if the "
        "output\n"
        "goes to another folder, else referenced, and what cannot be kept is listed. With --json\n"
        "a summary goes to the standard output.",
    .example = "pelt convert character.fbx -o character.glb",
    .min_operands = 1,
    .max_operands = 1,
    .may_replace_input = true,
    .tables = {options, texture_request_options, args_common},
    .run = run,
};
