// SPDX-License-Identifier: MIT
// pelt enhance: compute what better skinning needs, and write it into the user's own file.
#include "commands.h"
#include "enhance.h"
#include "message.h"
#include "output.h"
#include "source.h"
#include "stale_data.h"

#include <string.h>

static const arg_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "file to write: .glb or .gltf; may be the input; - is the standard output"},
    {.name = "cor",
     .kind = ARG_FLAG,
     .help = "centers of rotation for method crs, as the vertex attribute _PELT_COR"},
    {0},
};

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
    const char* of_cor = centers_find_given(arguments);
    out->has_cor = args_is_set(arguments, "cor");
    if (!out->has_cor && !args_is_set(arguments, "twist") && !args_is_set(arguments, "normals"))
    {
        return message_usage("there is nothing to add: say what; valid are --cor, centers of "
                             "rotation, --normals, factors for accurate normals, and --twist, "
                             "twist joints");
    }
    if (!out->has_cor && of_cor != NULL)
    {
        return message_usage("--%s has no effect without --cor", of_cor);
    }
    int code = twists_check(arguments);
    code = code == EXIT_DONE ? factors_choose(&out->normals, arguments) : code;
    return code == EXIT_DONE ? centers_choose(&out->cor, arguments) : code;
}

static int choose(enhancement* out)
{
    int code = choose_output(out);
    return code == EXIT_DONE ? choose_additions(out) : code;
}

// ---------------------------------------------------------------------------------------------
// Words

// "; " between the parts.
static void add_part(char* list, size_t room, const char* part)
{
    size_t used = strlen(list);
    snprintf(list + used, room - used, "%s%s", used > 0 ? "; " : "", part);
}

static void print_wrote(const enhancement* in)
{
    const pelt_twist_report* twist = &in->twists.report;
    char part[96], list[320] = "";
    if (in->twists.count > 0)
    {
        snprintf(part, sizeof part, "twist joints %u along bones %u, with tracks %u",
                 twist->joint_count, in->twists.count, twist->track_count);
        add_part(list, sizeof list, part);
    }
    if (in->has_cor)
    {
        snprintf(part, sizeof part, "centers of rotation in meshes %u of %u",
                 in->centers.computed_count, in->scene->mesh_count);
        add_part(list, sizeof list, part);
    }
    if (in->normals.joints > 0)
    {
        snprintf(part, sizeof part, "normal factors in meshes %u of %u", in->factors.built_count,
                 in->scene->mesh_count);
        add_part(list, sizeof list, part);
    }
    message_note("wrote %s%s: %s", strcmp(in->path, "-") == 0 ? "to the standard output" : in->path,
                 enhance_is_addition(in) ? "" : ", all of the character as glTF", list);
}

// Meshes whose factors were made for other weights or centers.
static uint32_t count_stale_factors(const enhancement* in)
{
    uint32_t count =
        in->twists.report.factors_count + stale_data_count(in->scene, PELT_REPAIR_NORMALS_DROPPED);
    for (uint32_t i = 0; in->has_cor && i < in->scene->mesh_count; ++i)
    {
        count += in->centers.computed[i] != NULL && in->scene->meshes[i].normal_factors != NULL;
    }
    return count;
}

static void print_lost(const enhancement* in)
{
    uint32_t cors = in->twists.report.cors_count, stale = count_stale_factors(in);
    if (!enhance_is_addition(in))
    {
        packed_scene_print_lost(
            &in->written,
            in->is_gltf ? "as the skeleton has changed, the file was written anew; " : "");
    }
    if (!in->has_cor && cors > 0)
    {
        message_note("centers of rotation were left out in meshes %u, since weights have changed; "
                     "--cor computes new ones",
                     cors);
    }
    if (in->normals.joints == 0 && stale > 0)
    {
        message_note("normal factors were left out in meshes %u, since weights or centers have "
                     "changed; --normals computes new ones",
                     stale);
    }
}

static int prepare_summary(output* out, const enhancement* in)
{
    json_t* cor = in->has_cor ? centers_describe(&in->centers) : json_null();
    json_t* normals = in->normals.joints > 0 ? factors_describe(&in->factors) : json_null();
    return output_json_prepare(out,
                               json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "input",
                                         output_string(in->input), "output",
                                         output_string(in->path), "cor", cor, "normals", normals,
                                         "twist", twists_describe(&in->twists, in->scene), "lost",
                                         packed_scene_describe_lost(&in->written)),
                               NULL);
}

static void print_figures(const enhancement* in)
{
    if (in->twists.count > 0)
    {
        twists_print(&in->twists, in->scene);
    }
    if (in->has_cor)
    {
        centers_print(&in->centers);
    }
    if (in->normals.joints > 0)
    {
        factors_print(&in->factors);
    }
}

// ---------------------------------------------------------------------------------------------
// The work

static int add_twists(enhancement* inout)
{
    int code = twists_create(&inout->twists, &inout->scene, inout->arguments);
    // `auto` that has found nothing has said so.
    bool has_more = inout->has_cor || inout->normals.joints > 0;
    return code == EXIT_DONE && inout->twists.count == 0 && !has_more ? EXIT_INPUT : code;
}

static int add_centers(enhancement* inout)
{
    if (!inout->has_cor)
    {
        return EXIT_DONE;
    }
    int code = centers_create(&inout->centers, inout->scene, CENTERS_COMPUTE, &inout->cor);
    if (code == EXIT_DONE && inout->centers.computed_count == 0)
    {
        message_note("%s: there is no skinned mesh in it, so there are no centers to compute; pelt "
                     "info shows what there is",
                     inout->input);
        code = EXIT_INPUT;
    }
    return code;
}

static int add_factors(enhancement* inout)
{
    if (inout->normals.joints == 0)
    {
        return EXIT_DONE;
    }
    int code =
        factors_create(&inout->factors, inout->scene, inout->centers.computed, &inout->normals);
    if (code == EXIT_DONE && inout->factors.built_count == 0)
    {
        message_note("%s: there is no skinned mesh with normals in it, so there are no factors to "
                     "compute; pelt info shows what there is",
                     inout->input);
        code = inout->has_cor || inout->twists.count > 0 ? EXIT_DONE : EXIT_INPUT;
    }
    return code;
}

// A file that has centers shall not lose them because other tools came between.
static void renew_centers(enhancement* inout)
{
    if (!inout->has_cor && stale_data_count(inout->scene, PELT_REPAIR_CORS_DROPPED) > 0)
    {
        stale_data_note(inout->scene, PELT_REPAIR_CORS_DROPPED);
        inout->has_cor = true;
    }
}

static int save(const enhancement* in)
{
    output summary = {0};
    bool is_json = args_is_set(in->arguments, "json");
    int code = is_json ? prepare_summary(&summary, in) : EXIT_DONE;
    if (code == EXIT_DONE)
    {
        code = enhance_save(in);
    }
    if (code != EXIT_DONE)
    {
        output_discard(&summary);
        return code;
    }
    print_wrote(in);
    print_lost(in);
    if (!is_json)
    {
        print_figures(in);
    }
    return output_deliver(&summary);
}

static int enhance_scene(enhancement* inout)
{
    renew_centers(inout);
    int code = add_twists(inout);
    code = code == EXIT_DONE ? add_centers(inout) : code;
    code = code == EXIT_DONE ? add_factors(inout) : code;
    if (code == EXIT_DONE && !enhance_is_addition(inout))
    {
        code = packed_scene_create(&inout->written, inout->scene, inout->input, inout->path);
    }
    code = code == EXIT_DONE ? save(inout) : code;
    packed_scene_destroy(&inout->written);
    factors_destroy(&inout->factors);
    centers_destroy(&inout->centers);
    twists_destroy(&inout->twists);
    return code;
}

static int run(const args* arguments)
{
    enhancement state = {.arguments = arguments, .input = arguments->operands[0]};
    int code = choose(&state);
    code = code == EXIT_DONE ? source_load_keep(&state.scene, &state.file, state.input) : code;
    if (code != EXIT_DONE)
    {
        return code;
    }
    pelt_format format = state.scene->format;
    state.is_gltf = format == PELT_FORMAT_GLB || format == PELT_FORMAT_GLTF;
    code = enhance_scene(&state);
    pelt_scene_destroy(state.scene);
    pelt_source_release(&state.file);
    return code;
}

const args_command cmd_enhance = {
    .name = "enhance",
    .summary = "add centers of rotation, twist joints and more to a character's own file",
    .operands = "INPUT",
    .description =
        "Computes what better skinning needs and writes it into a copy of the file, or onto the\n"
        "file itself. With --cor and --normals a glTF file keeps all else as it was: materials,\n"
        "textures, clips, extras and extensions, known or not; what it had of the kind is\n"
        "replaced. With --twist nodes, skins, weights and clips change, and the character is\n"
        "written anew, as is any other input. Given together, centers are those of the new\n"
        "weights, and factors for normals those of both. With --json a summary goes to the\n"
        "standard output.",
    .example = "pelt enhance character.glb --twist auto --cor --normals -o better.glb",
    .min_operands = 1,
    .max_operands = 1,
    .may_replace_input = true,
    .tables = {options, twists_options, centers_options, factors_options, args_common},
    .run = run,
};
