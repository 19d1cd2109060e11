// SPDX-License-Identifier: MIT
// pelt unbake: converts an animation texture to clips of a glTF file.
#include "commands.h"
#include "output.h"
#include "output_file.h"
#include "packed_scene.h"
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
    {.name = "clip",
     .kind = ARG_TEXT,
     .value = "NAME",
     .may_repeat = true,
     .help = "clip to write, may be repeated; default all"},
    {.name = "rate",
     .kind = ARG_NUMBER,
     .value = "HZ",
     .minimum = 0.001,
     .maximum = 10000.0,
     .help = "keys per second; default those of the bake, and more where 0.1 mm per meter of height"
             " needs them"},
    {0},
};

typedef struct unbake_job
{
    const args* arguments;
    const char* input;
    output_file file;
    pelt_baked* baked;
    char* mesh_path;
    pelt_scene* mesh;
    uint32_t clips[ARGS_REPEAT_MAX];
    pelt_unbake_options options;
    pelt_scene* scene; // with the clips
    pelt_unbake_report report;
    packed_scene written;
} unbake_job;

static int load(unbake_job* inout)
{
    pelt_error error = {0};
    const pelt_load_options how = {.progress = progress_part};
    progress_begin("reading");
    pelt_result result = pelt_load_baked(&inout->baked, inout->input, &how, &error);
    progress_end();
    if (result == PELT_OK)
    {
        result = pelt_baked_mesh_path(&inout->mesh_path, inout->input, &error);
    }
    return result == PELT_OK ? source_load(&inout->mesh, inout->mesh_path)
                             : message_error(result, &error);
}

static int find_clips(unbake_job* inout)
{
    enum
    {
        MOST = 256,
    };
    const char *wanted[ARGS_REPEAT_MAX], *names[MOST];
    const pelt_baked* baked = inout->baked;
    uint32_t count = args_list(wanted, inout->arguments, "clip");
    uint32_t name_count = baked->clip_count < MOST ? baked->clip_count : MOST;
    for (uint32_t i = 0; i < name_count; ++i)
    {
        names[i] = baked->clips[i].name;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        inout->clips[i] = pelt_baked_find_clip(baked, wanted[i]);
        if (inout->clips[i] == PELT_NONE)
        {
            return args_unknown_name("clip", wanted[i], names, name_count);
        }
    }
    inout->options.clips = inout->clips;
    inout->options.clip_count = count;
    return EXIT_DONE;
}

static int unbake(unbake_job* inout)
{
    pelt_error error = {0};
    inout->options.progress = progress_part;
    inout->options.rate = args_number(inout->arguments, "rate", 0.0f);
    progress_begin("unbaking");
    pelt_result result = pelt_unbake_scene(&inout->scene, &inout->report, inout->baked, inout->mesh,
                                           &inout->options, &error);
    progress_end();
    // A size above the limits is an error of the input, not of this build.
    int code = message_error(result, &error);
    return result == PELT_ERROR_UNSUPPORTED ? EXIT_INPUT : code;
}

// ---------------------------------------------------------------------------------------------
// Words

static void print_report(const unbake_job* in)
{
    const pelt_unbake_report* report = &in->report;
    const pelt_scene* scene = in->scene;
    double height = (double)in->baked->height_meters;
    if (in->baked->encoding == PELT_ENCODING_VERTEX)
    {
        message_note("%u %s, one for each key", report->key_count,
                     message_plural(report->key_count, "morph target", "morph targets"));
        return;
    }
    message_note("%u %s; vertices are at most %.3g mm off the bake, %.3g mm per meter of height, "
                 "in clip %s at %.2f s",
                 report->key_count, message_plural(report->key_count, "key", "keys"),
                 1e3 * report->max, 1e3 * report->max / height,
                 scene->clips[report->worst_clip].name, (double)report->worst_time);
    if (report->sheared_count > 0)
    {
        message_note("%u %s, which glTF cannot hold%s %s", report->sheared_count,
                     message_plural(report->sheared_count, "node is sheared", "nodes are sheared"),
                     report->sheared_count == 1 ? ":" : ", most of all",
                     scene->nodes[report->worst_sheared].name);
    }
}

static int prepare_summary(output* out, const unbake_job* in)
{
    const pelt_unbake_report* report = &in->report;
    bool has_shear = report->sheared_count > 0;
    json_t* summary = json_object();
    json_object_set_new(summary, "input", output_string(in->input));
    json_object_set_new(summary, "mesh", output_string(in->mesh_path));
    output_file_describe_scene(summary, &in->file, &in->written.scene);
    json_object_set_new(summary, "encoding",
                        output_string(pelt_encoding_name(in->baked->encoding)));
    json_object_set_new(summary, "keys", json_integer(report->key_count));
    json_object_set_new(summary, "max", output_real(report->max));
    json_object_set_new(summary, "max_per_meter",
                        output_real(report->max / (double)in->baked->height_meters));
    json_object_set_new(summary, "worst_clip",
                        output_string(in->scene->clips[report->worst_clip].name));
    json_object_set_new(summary, "worst_time", output_float(report->worst_time));
    json_object_set_new(summary, "sheared_nodes", json_integer(report->sheared_count));
    json_object_set_new(
        summary, "worst_sheared",
        output_string(has_shear ? in->scene->nodes[report->worst_sheared].name : NULL));
    json_object_set_new(summary, "lost", packed_scene_describe_lost(&in->written));
    return output_json_prepare(out, summary, NULL);
}

// ---------------------------------------------------------------------------------------------

static int save(unbake_job* inout)
{
    output summary = {0};
    bool is_json = args_is_set(inout->arguments, "json");
    int code =
        packed_scene_create(&inout->written, inout->scene, inout->mesh_path, inout->file.path);
    code = code == EXIT_DONE && is_json ? prepare_summary(&summary, inout) : code;
    TRY(output_discard_on(
        &summary,
        code == EXIT_DONE ? output_file_save_scene(&inout->file, &inout->written.scene) : code));
    packed_scene_print_lost(&inout->written, "");
    if (!is_json)
    {
        print_report(inout);
    }
    return output_deliver(&summary);
}

static int refuse_unfit(const unbake_job* in)
{
    if (output_is_same_file(in->file.path, in->mesh_path))
    {
        return message_usage("-o %s is the mesh of the bake, which unbake would overwrite; give "
                             "another name",
                             in->file.path);
    }
    bool has_vertices = in->baked->encoding == PELT_ENCODING_VERTEX;
    return has_vertices && args_is_set(in->arguments, "rate")
               ? message_usage("--rate has no effect on a bake of vertices, which has one morph "
                               "target for each key")
               : EXIT_DONE;
}

static int run(const args* arguments)
{
    unbake_job job = {.arguments = arguments, .input = arguments->operands[0]};
    int code = output_file_choose_among(&job.file, arguments, format_names);
    if (code == EXIT_DONE && strcmp(job.input, "-") == 0)
    {
        code = message_usage("a bake names files next to it, which the standard input does not "
                             "have: give FILE.json");
    }
    if (code != EXIT_DONE)
    {
        return code;
    }
    code = load(&job);
    code = code == EXIT_DONE ? refuse_unfit(&job) : code;
    code = code == EXIT_DONE ? find_clips(&job) : code;
    code = code == EXIT_DONE ? unbake(&job) : code;
    code = code == EXIT_DONE ? save(&job) : code;
    packed_scene_destroy(&job.written);
    pelt_scene_destroy(job.scene);
    pelt_scene_destroy(job.mesh);
    pelt_release(job.mesh_path);
    pelt_baked_destroy(job.baked);
    return code;
}

const args_command cmd_unbake = {
    .name = "unbake",
    .summary = "convert an animation texture back into clips",
    .operands = "FILE.json",
    .description =
        "Reads what pelt bake wrote, FILE.json and what it names, and writes the mesh with its\n"
        "clips as glTF 2.0. Joints become rotations, translations and scales of their nodes;\n"
        "jumps and keys that are held stay so. Vertices become morph targets, one for each key.\n"
        "It says how far vertices are off the bake.",
    .example = "pelt unbake baked/character.json -o character.glb",
    .min_operands = 1,
    .max_operands = 1,
    .tables = {options, args_common},
    .run = run,
};
