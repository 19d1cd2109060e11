// SPDX-License-Identifier: MIT
// pelt shaders: writes the shader library, for use in any engine.
#include "commands.h"
#include "method_list.h"
#include "output.h"
#include "pelt/gpu.h"
#include "pelt/io.h"
#include "shader_set.h"
#include "source.h"
#include "terminal.h"

#include <string.h>

static const char* const language_names[] = {"glsl", "essl", "vulkan", "hlsl",
                                             "msl",  "wgsl", "godot",  NULL};
static const char* const slot_names[] = {"2", "3", "4", "8", NULL};
static const char* const normal_layout_names[] = {"floats", "compact", NULL};
static const uint32_t slot_counts[] = {2, 3, 4, 8};

_Static_assert(sizeof language_names / sizeof language_names[0] == SHADER_LANGUAGE_COUNT + 1,
               "one name per language, in the order of shader_language");

// Those that shaders know.
static const pelt_sign_rule sign_rules[] = {PELT_SIGN_HEAVIEST, PELT_SIGN_HIERARCHY};

static const char* sign_choice(uint32_t choice)
{
    return pelt_sign_rule_name(sign_rules[choice]);
}

static const char* method_choice(uint32_t choice)
{
    return choice == 0 ? "all" : method_list_gpu_name(choice - 1);
}

static const arg_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "DIR",
     .help = "folder to write into, created if missing"},
    {.name = "lang",
     .kind = ARG_CHOICE,
     .value = "LANGUAGE",
     .choices = language_names,
     .help = "language of the shaders; one of"},
    {.name = "method",
     .kind = ARG_CHOICE,
     .value = "METHOD",
     .choice_name = method_choice,
     .choice_count = PELT_METHOD_COUNT + 1,
     .help = "skinning method; default all; one of"},
    {.name = "influences",
     .kind = ARG_COUNT,
     .value = "N",
     .minimum = 1,
     .maximum = PELT_GPU_INFLUENCE_MAX,
     .help = "influences per vertex; default 4"},
    {.name = "palette",
     .kind = ARG_CHOICE,
     .value = "KIND",
     .choice_name = pelt_palette_kind_name,
     .choice_first = PELT_PALETTE_BLOCK,
     .choice_count = PELT_PALETTE_KIND_COUNT,
     .help = "where joints are stored: uniform block (default), texture, texture of posed "
             "instances, or animation texture; one of"},
    {.name = "encoding",
     .kind = ARG_CHOICE,
     .value = "ENCODING",
     .choice_name = pelt_encoding_name,
     .choice_count = PELT_ENCODING_COUNT,
     .help = "of the animation texture for --palette posed and baked, default qt; one of"},
    {.name = "bake-layout",
     .kind = ARG_CHOICE,
     .value = "LAYOUT",
     .choice_name = pelt_bake_layout_name,
     .choice_count = PELT_BAKE_LAYOUT_COUNT,
     .help = "of the animation texture, default modern; one of"},
    {.name = "texel",
     .kind = ARG_CHOICE,
     .value = "FORMAT",
     .choice_name = pelt_texel_name,
     .choice_first = PELT_TEXEL_RGBA32UI,
     .choice_count = PELT_TEXEL_COUNT,
     .help = "of the animation texture, default rgba32ui; one of"},
    {.name = "scale",
     .kind = ARG_CHOICE,
     .value = "PIVOT",
     .choice_name = pelt_gpu_scale_name,
     .choice_count = PELT_GPU_SCALE_COUNT,
     .help = "pivot about which joints scale under dqs, mix and crs; default none; one of"},
    {.name = "sign-rule",
     .kind = ARG_CHOICE,
     .value = "RULE",
     .choice_name = sign_choice,
     .choice_count = sizeof sign_rules / sizeof *sign_rules,
     .help = "signs of quaternions in blends; hierarchy takes them from the palette, for twists "
             "beyond 180 degrees; default heaviest; one of"},
    {.name = "palette-layout",
     .kind = ARG_CHOICE,
     .value = "LAYOUT",
     .choice_name = pelt_gpu_layout_name,
     .choice_count = PELT_GPU_LAYOUT_COUNT,
     .help = "data per joint: what the method reads (default), or one layout for all; one of"},
    {.name = "normals",
     .kind = ARG_CHOICE,
     .value = "RULE",
     .choice_name = pelt_normal_rule_name,
     .choice_count = PELT_NORMAL_RULE_COUNT,
     .help = "how normals are computed; default standard; one of"},
    {.name = "slots",
     .kind = ARG_CHOICE,
     .value = "N",
     .choices = slot_names,
     .help = "joints per vertex that normals account for; default 4; one of"},
    {.name = "normal-layout",
     .kind = ARG_CHOICE,
     .value = "LAYOUT",
     .choices = normal_layout_names,
     .help = "data per vertex for normals: floats (default), or 40 bytes for up to 4 joints; one "
             "of"},
    {0},
};

static void choose_methods(shader_set* inout, const args* arguments)
{
    uint32_t choice = args_choice(arguments, "method");
    for (uint32_t i = 0; method_list_gpu_name(i) != NULL; ++i)
    {
        if (choice == 0 || choice == i + 1)
        {
            inout->methods[inout->method_count++] = method_list_gpu_method(i);
        }
    }
}

static int choose_normals(shader_set* inout, const args* arguments)
{
    inout->rule = (pelt_normal_rule)args_choice(arguments, "normals");
    inout->slot_count =
        args_is_set(arguments, "slots") ? slot_counts[args_choice(arguments, "slots")] : 4;
    bool is_standard = inout->rule == PELT_NORMAL_STANDARD;
    if (is_standard && args_is_set(arguments, "slots"))
    {
        return message_usage("--slots has no effect without --normals accurate or paper");
    }
    if (is_standard && args_is_set(arguments, "normal-layout"))
    {
        return message_usage("--normal-layout has no effect without --normals accurate or paper");
    }
    inout->is_compact = args_choice(arguments, "normal-layout") == 1;
    if (inout->is_compact && inout->slot_count != 4)
    {
        return message_usage("--normal-layout compact has 4 slots; leave out --slots");
    }
    if (!is_standard && (shader_has_vertices(inout) || inout->language == SHADER_GODOT))
    {
        return message_usage(
            "normals of baked vertices are baked as well; --normals has no effect");
    }
    if (!is_standard && inout->palette == PELT_PALETTE_BAKED &&
        shader_is_translated(inout->language))
    {
        return message_usage("with --palette baked, hlsl, msl and wgsl have standard normals only; "
                             "give --palette posed");
    }
    if (inout->rule == PELT_NORMAL_PAPER && shader_is_translated(inout->language))
    {
        return message_usage("hlsl, msl and wgsl support --normals standard and accurate; paper "
                             "needs glsl, essl or vulkan");
    }
    return EXIT_DONE;
}

static int choose_bake_layout(shader_set* inout, const args* arguments)
{
    pelt_encoding encoding = inout->baked.encoding;
    inout->baked.layout = (pelt_bake_layout)args_choice(arguments, "bake-layout");
    if (inout->baked.layout != PELT_BAKE_LAYOUT_THESIS)
    {
        return EXIT_DONE;
    }
    if (encoding == PELT_ENCODING_QT || encoding == PELT_ENCODING_LOCAL)
    {
        return message_usage("--bake-layout thesis needs --encoding matrix, dq or vertex");
    }
    if (args_is_set(arguments, "texel") && inout->baked.texel != PELT_TEXEL_RGBA8UI)
    {
        return message_usage("--bake-layout thesis has texels rgba8ui");
    }
    inout->baked.texel = PELT_TEXEL_RGBA8UI;
    return EXIT_DONE;
}

static int choose_palette(shader_set* inout, const args* arguments)
{
    inout->palette = (pelt_palette_kind)args_choice(arguments, "palette");
    inout->baked.encoding = (pelt_encoding)args_choice(arguments, "encoding");
    inout->baked.texel = (pelt_texel)args_choice(arguments, "texel");
    bool has_format = args_is_set(arguments, "encoding") || args_is_set(arguments, "texel") ||
                      args_is_set(arguments, "bake-layout");
    bool is_godot = inout->language == SHADER_GODOT;
    if (has_format && !shader_is_crowd(inout) && !is_godot)
    {
        return message_usage("--encoding, --bake-layout and --texel have no effect without "
                             "--palette posed or baked");
    }
    if (inout->palette == PELT_PALETTE_POSED && inout->baked.encoding == PELT_ENCODING_VERTEX)
    {
        return message_usage("vertices have no poses: give --palette baked");
    }
    if (inout->sign_rule == PELT_SIGN_HIERARCHY && (shader_is_crowd(inout) || is_godot))
    {
        return message_usage("animation textures have no signs of a hierarchy; --sign-rule "
                             "hierarchy needs --palette block or texture");
    }
    if (shader_has_vertices(inout))
    {
        inout->methods[0] = PELT_METHOD_LBS;
        inout->method_count = 1;
    }
    return choose_bake_layout(inout, arguments);
}

static int choose(shader_set* out, const args* arguments)
{
    if (!args_is_set(arguments, "output"))
    {
        return message_usage("missing output folder: give -o DIR");
    }
    if (strcmp(args_text(arguments, "output", ""), "-") == 0)
    {
        return message_usage("shaders are several files and need a folder: give -o DIR");
    }
    if (!args_is_set(arguments, "lang"))
    {
        return message_usage("missing language: give --lang glsl, essl, vulkan, hlsl, msl, wgsl or "
                             "godot");
    }
    *out = (shader_set){.language = (shader_language)args_choice(arguments, "lang"),
                        .influence_count = (uint32_t)args_number(arguments, "influences", 4.0f),
                        .scale = (pelt_gpu_scale)args_choice(arguments, "scale"),
                        .layout = (pelt_gpu_layout)args_choice(arguments, "palette-layout"),
                        .sign_rule = sign_rules[args_choice(arguments, "sign-rule")]};
    choose_methods(out, arguments);
    TRY(choose_palette(out, arguments));
    return choose_normals(out, arguments);
}

// ---------------------------------------------------------------------------------------------
// By a character

static uint32_t count_influences(const pelt_scene* scene)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        uint32_t count = pelt_gpu_influence_count(&scene->meshes[i], 0);
        most = count > most ? count : most;
    }
    return most;
}

// Whether the joints of each skin fit into a block under each method.
static bool fits_block(const shader_set* set, const pelt_scene* scene)
{
    bool fits = true;
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        for (uint32_t j = 0; j < set->method_count; ++j)
        {
            uint64_t texels =
                (uint64_t)scene->skins[i].joint_count * shader_joint_texels(set, set->methods[j]);
            fits = fits && texels <= SHADER_BLOCK_TEXELS;
        }
    }
    return fits;
}

// Options that are not given follow from the character; wrong ones are reported.
static int choose_by_scene(shader_set* inout, const args* arguments, const pelt_scene* scene)
{
    pelt_joint_scale scale;
    if (pelt_joint_scale_measure(&scale, scene) != PELT_OK)
    {
        return message_memory();
    }
    uint32_t influence_count = count_influences(scene);
    if (!args_is_set(arguments, "scale"))
    {
        inout->scale = scale.is_rigid ? PELT_GPU_SCALE_NONE : PELT_GPU_SCALE_LOCAL;
    }
    if (!args_is_set(arguments, "influences"))
    {
        inout->influence_count = influence_count;
    }
    bool is_block = fits_block(inout, scene);
    if (!args_is_set(arguments, "palette") && !args_is_set(arguments, "encoding"))
    {
        inout->palette = is_block ? PELT_PALETTE_BLOCK : PELT_PALETTE_TEXTURE;
    }
    if (inout->scale == PELT_GPU_SCALE_NONE && !scale.is_rigid)
    {
        message_note("joints of this character scale, which --scale none ignores under dqs, mix "
                     "and crs; use --scale local");
    }
    if (inout->influence_count < influence_count)
    {
        message_note("vertices of this character have up to %u influences; the weakest are dropped",
                     influence_count);
    }
    if (inout->palette == PELT_PALETTE_BLOCK && !is_block)
    {
        message_note("the joints of this character do not fit in a block; use --palette texture");
    }
    return EXIT_DONE;
}

static int choose_by_input(shader_set* inout, const args* arguments)
{
    pelt_scene* scene;
    int code = source_load(&scene, arguments->operands[0]);
    if (code == EXIT_DONE)
    {
        code = choose_by_scene(inout, arguments, scene);
        pelt_scene_destroy(scene);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Files

enum
{
    FILE_MAX = 64
};

typedef struct shader_job
{
    const args* arguments;
    const char* folder;
    shader_set set;
    pelt_arena* arena; // of paths
    text_stream texts[FILE_MAX];
    pelt_file files[FILE_MAX]; // those texts
    const char* names[FILE_MAX];
    uint32_t file_count;
} shader_job;

static int fill_library(FILE* stream, const shader_set* set, uint32_t n)
{
    fputs(shader_library(set, n)->text, stream);
    return EXIT_DONE;
}

static int fill_shader(FILE* stream, const shader_set* set, uint32_t n)
{
    pelt_error error = {0};
    return message_error(shader_write(stream, set, set->methods[n], &error), &error);
}

static int fill_pose(FILE* stream, const shader_set* set, uint32_t n)
{
    (void)n;
    pelt_error error = {0};
    return message_error(shader_write_pose(stream, set, &error), &error);
}

static int fill_pose_vertex(FILE* stream, const shader_set* set, uint32_t n)
{
    (void)n;
    fputs(pelt_shader_prologue(shader_glsl(set->language)), stream);
    fputs(shader_glsl_file("pose_vertex.glsl"), stream);
    return EXIT_DONE;
}

static int fill_compute(FILE* stream, const shader_set* set, uint32_t n)
{
    shader_write_compute(stream, set, set->methods[n]);
    return EXIT_DONE;
}

static int fill_compute_pose(FILE* stream, const shader_set* set, uint32_t n)
{
    (void)n;
    shader_write_compute_pose(stream, set);
    return EXIT_DONE;
}

static int fill_readme(FILE* stream, const shader_set* set, uint32_t n)
{
    (void)n;
    shader_readme(stream, set);
    return EXIT_DONE;
}

// One file, by a function that fills it.
static int add_file(shader_job* job, const char* name,
                    int (*fill)(FILE* stream, const shader_set* set, uint32_t n), uint32_t n)
{
    PELT_ASSERT(job->file_count < FILE_MAX);
    text_stream* text = &job->texts[job->file_count];
    char* path = pelt_arena_format(job->arena, "%s/%s", job->folder, name);
    if (path == NULL || !text_stream_open(text))
    {
        return message_memory();
    }
    int code = fill(text->stream, &job->set, n);
    if (code == EXIT_DONE && !text_stream_close(text))
    {
        code = message_memory();
    }
    job->names[job->file_count] = path + strlen(job->folder) + 1;
    job->files[job->file_count++] = (pelt_file){path, text->text, text->size};
    return code;
}

// Compute skinning by each method, where the language has it.
static int add_compute(shader_job* job)
{
    const shader_set* set = &job->set;
    bool has_joints = set->palette != PELT_PALETTE_BAKED;
    for (uint32_t i = 0; i < set->method_count && set->language == SHADER_WGSL && has_joints; ++i)
    {
        char name[SHADER_NAME_MAX];
        snprintf(name, sizeof name, "compute_%s%s.wgsl", pelt_method_name(set->methods[i]),
                 set->rule == PELT_NORMAL_ACCURATE ? "_accurate" : "");
        int code = add_file(job, name, fill_compute, i);
        if (code != EXIT_DONE)
        {
            return code;
        }
    }
    return EXIT_DONE;
}

// The shaders of the pose pass, where poses have one.
static int add_pose(shader_job* job)
{
    const shader_set* set = &job->set;
    if (set->palette == PELT_PALETTE_POSED && set->language == SHADER_WGSL)
    {
        return add_file(job, "pose_compute.wgsl", fill_compute_pose, 0);
    }
    if (set->palette != PELT_PALETTE_POSED || shader_is_translated(set->language))
    {
        return EXIT_DONE;
    }
    TRY(add_file(job, "pose.frag", fill_pose, 0));
    return add_file(job, "pose.vert", fill_pose_vertex, 0);
}

static int add_all(shader_job* job)
{
    const shader_set* set = &job->set;
    for (uint32_t i = 0; shader_library(set, i) != NULL; ++i)
    {
        int code = add_file(job, shader_library(set, i)->name, fill_library, i);
        if (code != EXIT_DONE)
        {
            return code;
        }
    }
    for (uint32_t i = 0; i < set->method_count && set->language != SHADER_GODOT; ++i)
    {
        char name[SHADER_NAME_MAX];
        shader_name(name, set, set->methods[i]);
        int code = add_file(job, name, fill_shader, i);
        if (code != EXIT_DONE)
        {
            return code;
        }
    }
    TRY(add_pose(job));
    TRY(add_compute(job));
    return add_file(job, "README.md", fill_readme, 0);
}

static int prepare_summary(output* out, const shader_job* job)
{
    const shader_set* set = &job->set;
    json_t* names = json_array();
    for (uint32_t i = 0; i < job->file_count; ++i)
    {
        json_array_append_new(names, output_string(job->names[i]));
    }
    return output_json_prepare(
        out,
        json_pack("{s:o, s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "output",
                  output_string(job->folder), "language", language_names[set->language],
                  "influences", (int)set->influence_count, "palette",
                  pelt_palette_kind_name(set->palette), "scale", pelt_gpu_scale_name(set->scale),
                  "layout", pelt_gpu_layout_name(set->layout), "signs",
                  pelt_sign_rule_name(set->sign_rule), "normals", pelt_normal_rule_name(set->rule),
                  "normal_layout", normal_layout_names[set->is_compact], "files", names),
        NULL);
}

static int save_all(const shader_job* job)
{
    output_folder results;
    TRY(output_folder_make(&results, job->folder));
    pelt_error error = {0};
    int code = message_error(pelt_save_files(job->files, job->file_count, &error), &error);
    if (code != EXIT_DONE)
    {
        output_folder_unmake(&results);
    }
    return code;
}

static int write_set(shader_job* job)
{
    output summary = {0};
    bool is_json = args_is_set(job->arguments, "json");
    TRY(add_all(job));
    TRY(is_json ? prepare_summary(&summary, job) : EXIT_DONE);
    TRY(output_discard_on(&summary, save_all(job)));
    if (!is_json)
    {
        message_note("wrote %u files to %s; README.md explains how to use them", job->file_count,
                     job->folder);
    }
    return output_deliver(&summary);
}

static int run(const args* arguments)
{
    shader_job job = {.arguments = arguments, .folder = args_text(arguments, "output", NULL)};
    int code = choose(&job.set, arguments);
    if (code == EXIT_DONE && arguments->operand_count > 0)
    {
        code = choose_by_input(&job.set, arguments);
    }
    if (code != EXIT_DONE)
    {
        return code;
    }
    job.arena = pelt_arena_create();
    code = job.arena != NULL ? write_set(&job) : message_memory();
    for (uint32_t i = 0; i < FILE_MAX; ++i)
    {
        text_stream_free(&job.texts[i]);
    }
    pelt_arena_destroy(job.arena);
    return code;
}

const args_command cmd_shaders = {
    .name = "shaders",
    .summary = "write GPU skinning shaders for your own engine",
    .operands = "[INPUT]",
    .description =
        "Writes a vertex shader per method, a library of functions for your own shaders, and a\n"
        "README.md on attributes, buffers and the C calls that fill them, as glsl (330), essl\n"
        "(300, WebGL 2), vulkan (450), hlsl, msl or wgsl. With INPUT, the scale, influences and\n"
        "kind of palette default to what that character needs. --normals accurate accounts for\n"
        "weights that vary around a vertex; such shaders read factors from a texture.\n"
        "--palette posed and baked play animation textures, for crowds; godot supports only\n"
        "those.",
    .example = "pelt shaders character.glb --lang wgsl --method dqs -o shaders",
    .max_operands = 1,
    .tables = {options, args_common},
    .run = run,
};
