// SPDX-License-Identifier: MIT
// pelt enhance: compute what better skinning needs, and write it into the user's own file.
#include "centres.h"
#include "commands.h"
#include "message.h"
#include "output.h"
#include "pelt/io.h"
#include "source.h"
#include "twists.h"

#include <stdlib.h>
#include <string.h>

static const arg_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "file to write: .glb or .gltf; may be the input; - is the standard output"},
    {.name = "cor",
     .kind = ARG_FLAG,
     .help = "centres of rotation for method crs, as the vertex attribute _PELT_COR"},
    {0},
};

// Enhancements come one after the other, each working on the scene that the one before has left:
// twist joints change weights, and centres of rotation follow from weights.
typedef struct enhancement
{
    const args* arguments;
    const char* input;
    const char* path;
    bool is_gltf; // the input
    bool has_cor; // asked for
    pelt_cor_options cor;
    pelt_scene* scene;
    twists twists;
    centres centres;
} enhancement;

// Additions go into the user's own file. A changed skeleton is more than that, and any other input
// is no file to add to: then the scene is written anew.
static bool is_addition(const enhancement* in)
{
    return in->is_gltf && in->twists.count == 0;
}

// ---------------------------------------------------------------------------------------------
// Before any work, so that mistakes show early

static int choose_output(enhancement* out)
{
    out->path = args_text(out->arguments, "output", NULL);
    if (out->path == NULL)
    {
        return message_usage("there is no output: give -o FILE.glb or FILE.gltf");
    }
    bool is_stdout = strcmp(out->path, "-") == 0;
    if (is_stdout && args_is_set(out->arguments, "json"))
    {
        return message_usage("-o - and --json both want the standard output");
    }
    pelt_format format = pelt_format_of(out->path);
    if (!is_stdout && format != PELT_FORMAT_GLB && format != PELT_FORMAT_GLTF)
    {
        return message_usage("%s: the name does not end in .glb or .gltf, which enhance writes",
                             out->path);
    }
    return EXIT_DONE;
}

static int choose_additions(enhancement* out)
{
    const args* arguments = out->arguments;
    const char* of_cor = centres_find_given(arguments);
    out->has_cor = args_is_set(arguments, "cor");
    if (!out->has_cor && !args_is_set(arguments, "twist"))
    {
        return message_usage("there is nothing to add: say what; valid are --cor, centres of "
                             "rotation, and --twist, twist joints");
    }
    if (!out->has_cor && of_cor != NULL)
    {
        return message_usage("--%s has no effect without --cor", of_cor);
    }
    int code = twists_check(arguments);
    return code == EXIT_DONE ? centres_choose(&out->cor, arguments) : code;
}

static int choose(enhancement* out)
{
    int code = choose_output(out);
    return code == EXIT_DONE ? choose_additions(out) : code;
}

// ---------------------------------------------------------------------------------------------
// Writing

// How the centres came about, for whoever asks the file later.
static char* make_extras(const enhancement* in)
{
    json_t* how = centres_describe_options(&in->cor);
    json_object_set_new(how, "version", json_string(PELT_VERSION_STRING));
    json_t* extras = json_pack("{s:o}", "pelt_cor", how);
    char* text = extras != NULL ? json_dumps(extras, JSON_REAL_PRECISION(9)) : NULL;
    json_decref(extras);
    return text;
}

static pelt_result save_additions(const enhancement* in, pelt_error* error)
{
    const centres* found = &in->centres;
    pelt_addition* additions = calloc((size_t)found->mesh_count + 1, sizeof *additions);
    char* extras = make_extras(in);
    uint32_t count = 0;
    for (uint32_t i = 0; additions != NULL && i < found->mesh_count; ++i)
    {
        if (found->computed[i] != NULL)
        {
            additions[count++] = (pelt_addition){
                .mesh = i,
                .vertex_count = in->scene->meshes[i].vertex_count,
                .name = "_PELT_COR",
                .width = 3,
                .values = &found->computed[i][0].x,
                .extras = extras,
            };
        }
    }
    pelt_result result = additions != NULL && extras != NULL
                             ? pelt_save_additions(in->path, in->input, additions, count, error)
                             : pelt_error_memory(error);
    free(extras);
    free(additions);
    return result;
}

static pelt_result save_scene(const enhancement* in, pelt_error* error)
{
    pelt_scene scene = *in->scene;
    pelt_mesh* meshes = calloc((size_t)scene.mesh_count + 1, sizeof *meshes);
    if (meshes == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < scene.mesh_count; ++i)
    {
        meshes[i] = scene.meshes[i];
        meshes[i].cors = in->has_cor ? in->centres.computed[i] : meshes[i].cors;
    }
    scene.meshes = meshes;
    bool is_text = pelt_format_of(in->path) == PELT_FORMAT_GLTF;
    pelt_result result =
        pelt_save_scene(in->path, is_text ? PELT_FORMAT_GLTF : PELT_FORMAT_GLB, &scene, error);
    free(meshes);
    return result;
}

static int save(const enhancement* in)
{
    pelt_error error = {0};
    pelt_result result = is_addition(in) ? save_additions(in, &error) : save_scene(in, &error);
    return message_error(result, &error);
}

// ---------------------------------------------------------------------------------------------

static void print_wrote(const enhancement* in)
{
    const pelt_twist_report* twist = &in->twists.report;
    char joints[96] = "", centres_in[96] = "";
    if (in->twists.count > 0)
    {
        snprintf(joints, sizeof joints, "twist joints %u along bones %u, with tracks %u%s",
                 twist->joint_count, in->twists.count, twist->track_count, in->has_cor ? "; " : "");
    }
    if (in->has_cor)
    {
        snprintf(centres_in, sizeof centres_in, "centres of rotation in meshes %u of %u",
                 in->centres.computed_count, in->scene->mesh_count);
    }
    message_note("wrote %s%s: %s%s",
                 strcmp(in->path, "-") == 0 ? "to the standard output" : in->path,
                 is_addition(in) ? "" : ", all of the character as glTF", joints, centres_in);
    if (in->is_gltf && !is_addition(in))
    {
        message_note("as the skeleton has changed, the file was written anew; not carried over: "
                     "cameras, lights, points and lines, extras, extensions, transparency, glow, "
                     "textures but that of the base colour, further UVs and colours");
    }
    if (!in->has_cor && twist->cors_count > 0)
    {
        message_note("centres of rotation were left out in meshes %u, since weights have changed; "
                     "--cor computes new ones",
                     twist->cors_count);
    }
}

static int report(const enhancement* in)
{
    print_wrote(in);
    if (args_is_set(in->arguments, "json"))
    {
        json_t* cor = in->has_cor ? centres_describe(&in->centres) : json_null();
        return output_json(json_pack("{s:o, s:o, s:o, s:o}", "input", output_string(in->input),
                                     "output", output_string(in->path), "cor", cor, "twist",
                                     twists_describe(&in->twists, in->scene)),
                           NULL);
    }
    if (in->twists.count > 0)
    {
        twists_print(&in->twists, in->scene);
    }
    if (in->has_cor)
    {
        centres_print(&in->centres);
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// The work

static int add_twists(enhancement* inout)
{
    int code = twists_create(&inout->twists, &inout->scene, inout->arguments);
    // `auto` that has found nothing has said so.
    return code == EXIT_DONE && inout->twists.count == 0 && !inout->has_cor ? EXIT_INPUT : code;
}

static int add_centres(enhancement* inout)
{
    if (!inout->has_cor)
    {
        return EXIT_DONE;
    }
    int code = centres_create(&inout->centres, inout->scene, CENTRES_COMPUTE, &inout->cor);
    if (code == EXIT_DONE && inout->centres.computed_count == 0)
    {
        message_note("%s: there is no skinned mesh in it, so there are no centres to compute; pelt "
                     "info shows what there is",
                     inout->input);
        code = EXIT_INPUT;
    }
    return code;
}

static int enhance_scene(enhancement* inout)
{
    int code = add_twists(inout);
    code = code == EXIT_DONE ? add_centres(inout) : code;
    code = code == EXIT_DONE ? save(inout) : code;
    code = code == EXIT_DONE ? report(inout) : code;
    centres_destroy(&inout->centres);
    twists_destroy(&inout->twists);
    return code;
}

static int find_kind(enhancement* inout)
{
    if (strncmp(inout->input, "rig:", 4) == 0)
    {
        return EXIT_DONE;
    }
    pelt_error error = {0};
    pelt_format format;
    pelt_result result = pelt_format_find(&format, inout->input, &error);
    inout->is_gltf = format == PELT_FORMAT_GLB || format == PELT_FORMAT_GLTF;
    return message_error(result, &error);
}

static int run(const args* arguments)
{
    enhancement state = {.arguments = arguments, .input = arguments->operands[0]};
    int code = choose(&state);
    code = code == EXIT_DONE ? source_load(&state.scene, state.input) : code;
    if (code != EXIT_DONE)
    {
        return code;
    }
    code = find_kind(&state);
    code = code == EXIT_DONE ? enhance_scene(&state) : code;
    pelt_scene_destroy(state.scene);
    return code;
}

const args_command cmd_enhance = {
    .name = "enhance",
    .summary = "add centres of rotation and twist joints to a character's own file",
    .operands = "INPUT",
    .description =
        "Computes what better skinning needs and writes it into a copy of the file, or onto the\n"
        "file itself. With --cor a glTF file keeps all else as it was: materials, textures, "
        "clips,\n"
        "extras and extensions, known or not; what it had of the kind is replaced. With --twist\n"
        "nodes, skins, weights and clips change, and the character is written anew, as is any\n"
        "other input. Given both, centres are those of the new weights. With --json a summary\n"
        "goes to the standard output.",
    .example = "pelt enhance character.glb --twist auto --cor -o better.glb",
    .min_operands = 1,
    .max_operands = 1,
    .tables = {options, twists_options, centres_options, args_common},
    .run = run,
};
