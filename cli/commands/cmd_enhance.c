// SPDX-License-Identifier: MIT
// pelt enhance: computes data for better skinning, and writes them into a copy of the user's file.
#include "commands.h"
#include "output.h"
#include "packed_scene.h"
#include "requests/bounds_request.h"
#include "requests/clip_request.h"
#include "requests/cor_request.h"
#include "requests/factor_request.h"
#include "requests/helper_request.h"
#include "requests/mix_request.h"
#include "requests/twist_request.h"
#include "source.h"
#include "terminal.h"

#include <string.h>

// Enhancements are applied one after the other, each to the result of the one before.
typedef struct enhancement
{
    const args* arguments;
    const char* input;
    const char* path;
    bool has_cor; // asked for
    pelt_cor_options cor;
    factor_request normals;
    mix_request mix;
    bounds_request bounds;
    pelt_source file; // the input; {0}: a rig
    bool is_gltf;     // the input
    pelt_scene* scene;
    pelt_scene read;     // the scene as it was read, without the clips of other files
    pelt_scene enhanced; // refers to the scene and to the arena
    pelt_arena* arena;
    packed_scene written; // when the whole scene is written, else {0}
    twist_report twists;
    helper_request helping;
    helper_report helpers;
    cor_report cors;
    factor_report factors;
    mix_report mixes;
    bounds_report boxes;
} enhancement;

// Additions go into a copy of the user's file. A changed skeleton needs more than additions, and
// other inputs are no glTF files: then the whole scene is written.
static bool is_addition(const enhancement* in)
{
    return in->is_gltf && in->twists.count == 0 && in->helpers.read == NULL &&
           !clip_request_is_set(in->arguments);
}

// Everything else in the file is kept, except meshes that twist joints need twice.
static bool is_copy(const enhancement* in)
{
    return in->is_gltf && in->twists.added.copied_count == 0;
}

static const arg_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "file to write: .glb or .gltf; may be the input; - for the standard output"},
    {.name = "cor",
     .kind = ARG_FLAG,
     .help = "centers of rotation for method crs, as the vertex attribute _PELT_COR"},
    {.name = "carrier",
     .kind = ARG_CHOICE,
     .value = "WHERE",
     .choice_name = pelt_carrier_name,
     .choice_count = PELT_CARRIER_COUNT,
     .help = "where centers and mix factors are: attributes of pelt's own (default), or texcoord, "
             "UV sets 2 and 3, which more programs keep"},
    {0},
};

// ---------------------------------------------------------------------------------------------
// Before any work, so that mistakes show early

static int choose_output(enhancement* out)
{
    out->path = args_text(out->arguments, "output", NULL);
    if (out->path == NULL)
    {
        return message_usage("missing output file: give -o FILE.glb or FILE.gltf");
    }
    bool is_stdout = strcmp(out->path, "-") == 0;
    if (is_stdout && args_is_set(out->arguments, "json"))
    {
        return message_usage("-o - and --json both need the standard output");
    }
    pelt_format format = pelt_format_of(out->path);
    if (!is_stdout && format != PELT_FORMAT_GLB && format != PELT_FORMAT_GLTF)
    {
        return message_usage("%s does not end in .glb or .gltf, the formats that enhance writes",
                             out->path);
    }
    return EXIT_DONE;
}

static int choose_additions(enhancement* out)
{
    const args* arguments = out->arguments;
    const char* of_cor = cor_request_find_given(arguments);
    out->has_cor = args_is_set(arguments, "cor");
    TRY(helper_request_choose(&out->helping, arguments));
    if (!out->has_cor && !args_is_set(arguments, "twist") && !args_is_set(arguments, "normals") &&
        !args_is_set(arguments, "mix-map") && !args_is_set(arguments, "bounds") &&
        !args_is_set(arguments, "carrier") && !out->helping.is_wanted)
    {
        return message_usage("nothing to add: give --cor (centers of rotation), --normals "
                             "(factors for accurate normals), --mix-map (factors for method mix), "
                             "--bounds (boxes for culling), --twist (twist joints) or --helpers "
                             "(helper joints)");
    }
    if (!out->has_cor && of_cor != NULL)
    {
        return message_usage("--%s has no effect without --cor", of_cor);
    }
    TRY(twist_request_check(arguments));
    TRY(mix_request_choose(&out->mix, arguments));
    TRY(bounds_request_choose(&out->bounds, arguments));
    TRY(factor_request_choose(&out->normals, arguments));
    return cor_request_choose(&out->cor, arguments);
}

static int choose(enhancement* out)
{
    TRY(choose_output(out));
    return choose_additions(out);
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
    const pelt_twist_report* twist = &in->twists.added;
    uint32_t mesh_count = in->scene->mesh_count;
    const char* meshes = message_plural(mesh_count, "mesh", "meshes");
    char part[96], list[320] = "";
    if (in->twists.count > 0)
    {
        snprintf(part, sizeof part, "%u %s on %u %s (%u %s)", twist->joint_count,
                 message_plural(twist->joint_count, "twist joint", "twist joints"),
                 in->twists.count, message_plural(in->twists.count, "bone", "bones"),
                 twist->track_count, message_plural(twist->track_count, "track", "tracks"));
        add_part(list, sizeof list, part);
    }
    if (in->helpers.read != NULL)
    {
        snprintf(part, sizeof part, "%u %s (%u %s)", in->helpers.found.count,
                 message_plural(in->helpers.found.count, "helper joint", "helper joints"),
                 in->helpers.found.track_count,
                 message_plural(in->helpers.found.track_count, "track", "tracks"));
        add_part(list, sizeof list, part);
    }
    if (in->has_cor)
    {
        snprintf(part, sizeof part, "centers of rotation for %u of %u %s",
                 in->cors.found.mesh_count, mesh_count, meshes);
        add_part(list, sizeof list, part);
    }
    if (in->normals.is_wanted)
    {
        snprintf(part, sizeof part, "normal factors for %u of %u %s", in->factors.found.mesh_count,
                 mesh_count, meshes);
        add_part(list, sizeof list, part);
    }
    if (in->mix.is_wanted)
    {
        snprintf(part, sizeof part, "mix factors for %u of %u %s", in->mixes.found.mesh_count,
                 mesh_count, meshes);
        add_part(list, sizeof list, part);
    }
    if (args_is_set(in->arguments, "carrier"))
    {
        bool is_texcoord = args_choice(in->arguments, "carrier") == PELT_CARRIER_TEXCOORD;
        snprintf(part, sizeof part, "centers and mix factors as %s",
                 is_texcoord ? "UV sets 2 and 3" : "attributes of pelt's own");
        add_part(list, sizeof list, part);
    }
    if (in->bounds.is_wanted)
    {
        snprintf(part, sizeof part, "boxes for %u of %u %s", in->boxes.found.mesh_count, mesh_count,
                 meshes);
        add_part(list, sizeof list, part);
    }
    message_note("wrote %s%s: %s", strcmp(in->path, "-") == 0 ? "to the standard output" : in->path,
                 is_copy(in) ? "" : ", the whole character as glTF",
                 list[0] != '\0' ? list : "nothing to add");
}

static void print_dropped(const char* what, uint32_t mesh_count, const char* why,
                          const char* option)
{
    message_note("dropped the %s of %u %s because %s changed; %s computes new ones", what,
                 mesh_count, message_plural(mesh_count, "mesh", "meshes"), why, option);
}

static void print_lost(const enhancement* in)
{
    // Computed for other weights or centers.
    uint32_t factors = in->twists.added.factors_count + in->helpers.found.factors_count +
                       in->cors.found.factors_count +
                       source_count_stale(in->scene, PELT_REPAIR_NORMALS_DROPPED);
    if (!is_copy(in))
    {
        packed_scene_print_lost(
            &in->written,
            in->is_gltf ? "some meshes are needed twice, so the whole file was rewritten; " : "");
    }
    uint32_t cors = in->twists.added.cors_count + in->helpers.found.cors_count;
    if (!in->has_cor && cors > 0)
    {
        print_dropped("centers of rotation", cors, "weights", "--cor");
    }
    if (!in->normals.is_wanted && factors > 0)
    {
        print_dropped("normal factors", factors, "weights or centers", "--normals");
    }
    uint32_t mixes = in->twists.added.mix_count + in->helpers.found.mix_count +
                     source_count_stale(in->scene, PELT_REPAIR_MIX_DROPPED);
    if (!in->mix.is_wanted && mixes > 0)
    {
        print_dropped("mix factors", mixes, "positions, triangles or weights", "--mix-map");
    }
    uint32_t boxes = source_count_stale(in->scene, PELT_REPAIR_BOUNDS_DROPPED);
    if (!in->bounds.is_wanted && boxes > 0)
    {
        print_dropped("boxes", boxes, "positions, triangles or weights", "--bounds");
    }
}

static int prepare_summary(output* out, const enhancement* in)
{
    json_t* cor = in->has_cor ? cor_report_describe(&in->cors) : json_null();
    json_t* normals = in->normals.is_wanted ? factor_report_describe(&in->factors) : json_null();
    json_t* mix = in->mix.is_wanted ? mix_report_describe(&in->mixes) : json_null();
    json_t* bounds = in->bounds.is_wanted ? bounds_report_describe(&in->boxes) : json_null();
    return output_json_prepare(out,
                               json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "input",
                                         output_string(in->input), "output",
                                         output_string(in->path), "cor", cor, "normals", normals,
                                         "mix", mix, "bounds", bounds, "twist",
                                         twist_report_describe(&in->twists, in->scene), "helpers",
                                         helper_report_describe(&in->helpers, in->scene), "lost",
                                         packed_scene_describe_lost(&in->written)),
                               NULL);
}

static void print_figures(const enhancement* in)
{
    if (in->twists.count > 0)
    {
        twist_report_print(&in->twists, in->scene);
    }
    helper_report_print(&in->helpers, in->scene);
    if (in->has_cor)
    {
        cor_report_print(&in->cors);
    }
    if (in->normals.is_wanted)
    {
        factor_report_print(&in->factors);
    }
    if (in->mix.is_wanted)
    {
        mix_report_print(&in->mixes);
    }
    if (in->bounds.is_wanted)
    {
        bounds_report_print(&in->boxes);
    }
}

// ---------------------------------------------------------------------------------------------
// The work

// A file that has centers must not lose them because other tools have changed it since.
static void renew_cors(enhancement* inout)
{
    if (!inout->has_cor && source_count_stale(inout->scene, PELT_REPAIR_CORS_DROPPED) > 0)
    {
        source_note_stale(inout->scene, PELT_REPAIR_CORS_DROPPED);
        inout->has_cor = true;
    }
}

static int no_skinned_mesh(const char* input, const char* what)
{
    message_note("%s has no skinned mesh, so there are no %s to compute; pelt info lists what it "
                 "has",
                 input, what);
    return EXIT_INPUT;
}

static int add_cors(enhancement* inout)
{
    if (!inout->has_cor)
    {
        return EXIT_DONE;
    }
    TRY(cor_request_add(&inout->cors, &inout->enhanced, PELT_PREPARE_ALL, &inout->cor,
                        inout->arena));
    if (inout->cors.found.mesh_count == 0)
    {
        TRY(no_skinned_mesh(inout->input, "centers"));
    }
    return EXIT_DONE;
}

static int add_factors(enhancement* inout)
{
    if (!inout->normals.is_wanted)
    {
        return EXIT_DONE;
    }
    int code = factor_request_add(&inout->factors, &inout->enhanced, &inout->normals, inout->arena);
    if (code == EXIT_DONE && inout->factors.found.mesh_count == 0)
    {
        message_note(
            "%s has no skinned mesh with normals, so there are no factors to compute; pelt "
            "info lists what it has",
            inout->input);
        bool has_more = inout->has_cor || inout->twists.count > 0 || inout->mix.is_wanted;
        code = has_more ? EXIT_DONE : EXIT_INPUT;
    }
    return code;
}

static int add_mix(enhancement* inout)
{
    if (!inout->mix.is_wanted)
    {
        return EXIT_DONE;
    }
    TRY(mix_request_add(&inout->mixes, &inout->enhanced, &inout->mix, inout->arena));
    if (inout->mixes.found.mesh_count == 0 && !inout->mixes.is_rigid)
    {
        TRY(no_skinned_mesh(inout->input, "mix factors"));
    }
    return EXIT_DONE;
}

static int add_bounds(enhancement* inout)
{
    if (!inout->bounds.is_wanted)
    {
        return EXIT_DONE;
    }
    TRY(bounds_request_add(&inout->boxes, &inout->enhanced, &inout->bounds, inout->arena));
    if (inout->boxes.found.mesh_count == 0)
    {
        TRY(no_skinned_mesh(inout->input, "boxes"));
    }
    return EXIT_DONE;
}

// The carrier of centers and mix factors, if --carrier is given.
static int choose_carrier(enhancement* inout)
{
    uint32_t kept = 0, count = 0;
    const pelt_scene* scene = &inout->enhanced;
    if (!args_is_set(inout->arguments, "carrier"))
    {
        return EXIT_DONE;
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        count += scene->meshes[i].cors != NULL || scene->meshes[i].mix_factors != NULL;
    }
    if (count == 0)
    {
        message_note(
            "%s has no centers of rotation and no mix factors, so --carrier has no effect; "
            "add --cor or --mix-map",
            inout->input);
        return EXIT_INPUT;
    }
    pelt_carrier carrier = (pelt_carrier)args_choice(inout->arguments, "carrier");
    if (pelt_scene_set_carrier(&inout->enhanced, &kept, carrier, inout->arena) != PELT_OK)
    {
        return message_memory();
    }
    if (kept > 0)
    {
        message_note(
            "%u of %u %s UV sets 2 or 3 of its own, where centers and mix factors stay the "
            "attributes _PELT_COR and _PELT_MIX",
            kept, count, message_plural(count, "mesh has", "meshes have"));
    }
    return EXIT_DONE;
}

static int add_all(enhancement* inout)
{
    renew_cors(inout);
    TRY(twist_request_add(&inout->twists, &inout->scene, inout->arguments));
    inout->arena = pelt_arena_create();
    TRY(inout->arena != NULL ? EXIT_DONE : message_memory());
    TRY(helper_request_add(&inout->helpers, &inout->scene, &inout->helping, inout->arena));
    inout->enhanced = *inout->scene;
    TRY(add_cors(inout));
    TRY(add_factors(inout));
    TRY(add_mix(inout));
    TRY(add_bounds(inout));
    return choose_carrier(inout);
}

static int save_file(const enhancement* in)
{
    pelt_error error = {0};
    pelt_result result;
    if (is_addition(in))
    {
        result = pelt_save_enhanced(in->path, &in->file, &in->enhanced, &error);
    }
    else
    {
        bool is_text = pelt_format_of(in->path) == PELT_FORMAT_GLTF;
        pelt_format format = is_text ? PELT_FORMAT_GLTF : PELT_FORMAT_GLB;
        result = is_copy(in)
                     ? pelt_save_copy(in->path, format, &in->file, &in->read, &in->enhanced, &error)
                     : pelt_save_scene(in->path, format, &in->written.scene, &error);
    }
    return message_error(result, &error);
}

static int save(enhancement* inout)
{
    output summary = {0};
    bool is_json = args_is_set(inout->arguments, "json");
    TRY(is_copy(inout)
            ? EXIT_DONE
            : packed_scene_create(&inout->written, &inout->enhanced, inout->input, inout->path));
    TRY(is_json ? prepare_summary(&summary, inout) : EXIT_DONE);
    TRY(output_discard_on(&summary, save_file(inout)));
    print_wrote(inout);
    print_lost(inout);
    if (!is_json)
    {
        print_figures(inout);
    }
    return output_deliver(&summary);
}

static void release(enhancement* in)
{
    packed_scene_destroy(&in->written);
    pelt_arena_destroy(in->arena);
    helper_report_destroy(&in->helpers);
    twist_report_destroy(&in->twists);
    pelt_scene_destroy(in->scene);
    pelt_source_release(&in->file);
}

static int run(const args* arguments)
{
    enhancement state = {.arguments = arguments, .input = arguments->operands[0]};
    TRY(choose(&state));
    TRY(source_load_keep(&state.scene, &state.file, state.input));
    pelt_format format = state.scene->format;
    state.is_gltf = format == PELT_FORMAT_GLB || format == PELT_FORMAT_GLTF;
    state.read = *state.scene;
    int code = clip_request_add(NULL, state.scene, arguments);
    code = code == EXIT_DONE ? add_all(&state) : code;
    if (code == EXIT_DONE)
    {
        code = save(&state);
    }
    release(&state);
    return code;
}

const args_command cmd_enhance = {
    .name = "enhance",
    .summary =
        "add centers of rotation, normal factors, mix factors, boxes, twist or helper joints",
    .operands = "INPUT",
    .description =
        "Computes data for better skinning and writes it into a copy of the file, or into the\n"
        "file itself. A glTF file keeps everything else:\n"
        "materials, textures, clips, extras and extensions, known or not; existing data of the "
        "same kind\n"
        "is replaced. With --twist and --helpers nodes, joints and tracks are added and weights "
        "change. Input\n"
        "that is not glTF is converted. Given together, centers are computed for the new weights,\n"
        "and normal factors for both. With --json a summary goes to the standard output.",
    .example = "pelt enhance character.glb --twist auto --cor --normals -o better.glb",
    .min_operands = 1,
    .max_operands = 1,
    .may_replace_input = true,
    .tables = {options, twist_request_options, helper_request_options, cor_request_options,
               factor_request_options, mix_request_options, bounds_request_options,
               clip_request_options, args_common},
    .run = run,
};
