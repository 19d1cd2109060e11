// SPDX-License-Identifier: MIT
// pelt convert: read a character and write all of it as glTF.
#include "commands.h"
#include "output.h"
#include "output_file.h"
#include "packed_scene.h"
#include "pelt/tangents.h"
#include "requests/clip_request.h"
#include "requests/export_request.h"
#include "requests/pack_request.h"
#include "requests/texture_request.h"
#include "source.h"
#include "terminal.h"

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

typedef struct conversion
{
    const args* arguments;
    output_file file;
    pelt_source source; // kept, for a glTF input
    pelt_scene* scene;  // with the clips of other files
    pelt_scene read;    // as it was read
    clip_report clips;
    export_report exported;
    packed_scene written;
    pelt_tangents_report tangents;
    pelt_source packed; // a smaller file, if there is a request
    pack_result packing;
} conversion;

static int prepare_summary(output* out, const conversion* in)
{
    const char* input = in->arguments->operands[0];
    const pelt_scene* scene = &in->written.scene;
    json_t* summary = json_object();
    json_t* repairs = json_array();
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        json_array_append_new(repairs, output_string(scene->repairs[i].message));
    }
    json_object_set_new(summary, "input", output_string(input));
    output_file_describe_scene(summary, &in->file, scene);
    json_object_set_new(summary, "clip_files", clip_report_describe(&in->clips, scene));
    export_report_describe(summary, &in->exported);
    json_object_set_new(summary, "tangents",
                        json_pack("{s:I, s:I}", "meshes", (json_int_t)in->tangents.mesh_count,
                                  "split_vertices", (json_int_t)in->tangents.split_count));
    pack_request_describe(summary, &in->packing);
    json_object_set_new(summary, "repairs", repairs);
    json_object_set_new(summary, "lost", packed_scene_describe_lost(&in->written));
    return output_json_prepare(out, summary, NULL);
}

// A glTF file is copied with all its content.
static bool is_copy(const conversion* in)
{
    return output_file_holds_scene(in->read.format);
}

// The file in memory, and a smaller one of it.
static int make_smaller(conversion* inout)
{
    const pelt_scene* scene = &inout->written.scene;
    pelt_error error = {0};
    if (!pack_request_is_set(inout->arguments))
    {
        return EXIT_DONE;
    }
    pelt_result result = is_copy(inout) ? pelt_copy_to_glb(&inout->packed, &inout->source,
                                                           &inout->read, scene, &error)
                                        : pelt_scene_to_glb(&inout->packed, scene, &error);
    TRY(message_error(result, &error));
    inout->packed.path = inout->arguments->operands[0];
    return pack_request_apply(&inout->packing, &inout->packed, inout->arguments);
}

static int write_file(const conversion* in)
{
    const pelt_scene* scene = &in->written.scene;
    if (in->packed.bytes != NULL)
    {
        return output_file_save_source(&in->file, &in->packed, scene);
    }
    return is_copy(in) ? output_file_save_copy(&in->file, &in->source, &in->read, scene)
                       : output_file_save_scene(&in->file, scene);
}

static int save(const conversion* in)
{
    const pelt_scene* scene = &in->written.scene;
    output summary = {0};
    bool is_json = args_is_set(in->arguments, "json");
    int code = is_json ? prepare_summary(&summary, in) : EXIT_DONE;
    TRY(output_discard_on(&summary, code == EXIT_DONE ? write_file(in) : code));
    pack_request_print(&in->packing);
    packed_scene_print_lost(&in->written, "");
    if (!is_json && scene->repair_count > 0)
    {
        message_note("%u %s on reading; pelt info %s lists %s", scene->repair_count,
                     message_plural(scene->repair_count, "repair", "repairs"),
                     in->arguments->operands[0], message_plural(scene->repair_count, "it", "them"));
    }
    return output_deliver(&summary);
}

static int pack(conversion* inout)
{
    const args* arguments = inout->arguments;
    const char* input = arguments->operands[0];
    bool has_request = texture_request_is_set(arguments);
    if (is_copy(inout))
    {
        return has_request ? message_usage("--textures and --max-texture are for input that is not "
                                           "glTF: of a glTF file all images are kept as they are")
                           : packed_scene_create_copy(&inout->written, inout->scene);
    }
    return has_request
               ? texture_request_pack(&inout->written, inout->scene, input, &inout->file, arguments)
               : packed_scene_create(&inout->written, inout->scene, input, inout->file.path);
}

// Normal maps are drawn with the tangents of the file; without any, programs differ.
static int add_tangents(conversion* inout)
{
    pelt_tangents_report* report = &inout->tangents;
    packed_scene* written = &inout->written;
    if (pelt_scene_add_tangents(&written->scene, report, written->arena) != PELT_OK)
    {
        return message_memory();
    }
    if (report->mesh_count > 0)
    {
        message_note("computed tangents for %u %s with a normal map and none of its own",
                     report->mesh_count, message_plural(report->mesh_count, "mesh", "meshes"));
    }
    return EXIT_DONE;
}

static int run(const args* arguments)
{
    conversion state = {.arguments = arguments};
    TRY(choose_file(&state.file, arguments));
    TRY(export_request_check(arguments));
    TRY(pack_request_check(arguments, &state.file));
    TRY(source_load_keep(&state.scene, &state.source, arguments->operands[0]));
    state.read = *state.scene;
    int code = clip_request_add(&state.clips, state.scene, arguments);
    if (code == EXIT_DONE)
    {
        code = export_request_apply(&state.exported, state.scene, arguments);
    }
    code = code == EXIT_DONE ? pack(&state) : code;
    code = code == EXIT_DONE ? add_tangents(&state) : code;
    code = code == EXIT_DONE ? make_smaller(&state) : code;
    code = code == EXIT_DONE ? save(&state) : code;
    pelt_source_release(&state.packed);
    packed_scene_destroy(&state.written);
    pelt_scene_destroy(state.scene);
    pelt_source_release(&state.source);
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
    .tables = {options, clip_request_options, export_request_options, pack_request_options,
               texture_request_options, args_common},
    .run = run,
};
