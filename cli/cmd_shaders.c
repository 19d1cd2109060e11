// SPDX-License-Identifier: MIT
// pelt shaders: the shader library, for engines other than pelt's own.
#include "commands.h"
#include "folder.h"
#include "message.h"
#include "output.h"
#include "pelt/io.h"
#include "shader_set.h"

#include <string.h>

static const char* const language_names[] = {"glsl", "essl", "vulkan", "hlsl", "msl", "wgsl", NULL};
static const char* const method_names[] = {"all", "lbs", "dqs", "mix", "crs", NULL};
static const char* const palette_names[] = {"block", "texture", NULL};
static const char* const rule_names[] = {"standard", "accurate", "paper", NULL};
static const char* const slot_names[] = {"2", "3", "4", "8", NULL};
static const uint32_t slot_counts[] = {2, 3, 4, 8};

_Static_assert(sizeof language_names / sizeof language_names[0] == SHADER_LANGUAGE_COUNT + 1,
               "one name per language, in the order of shader_language");
_Static_assert(sizeof rule_names / sizeof rule_names[0] == PELT_NORMAL_RULE_COUNT + 1,
               "one name per rule, in the order of pelt_normal_rule");

static const arg_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "DIR",
     .help = "folder to write into, made when missing"},
    {.name = "lang",
     .kind = ARG_CHOICE,
     .value = "LANGUAGE",
     .choices = language_names,
     .help = "language of the shaders; one of"},
    {.name = "method",
     .kind = ARG_CHOICE,
     .value = "METHOD",
     .choices = method_names,
     .help = "how joints blend, default all; one of"},
    {.name = "influences",
     .kind = ARG_COUNT,
     .value = "N",
     .minimum = 1,
     .maximum = PELT_GPU_INFLUENCE_MAX,
     .help = "influences of a vertex, default 4"},
    {.name = "palette",
     .kind = ARG_CHOICE,
     .value = "KIND",
     .choices = palette_names,
     .help = "where joints lie: in a uniform block (default) or in a texture; one of"},
    {.name = "normals",
     .kind = ARG_CHOICE,
     .value = "RULE",
     .choices = rule_names,
     .help = "how normals are found, default standard; one of"},
    {.name = "slots",
     .kind = ARG_CHOICE,
     .value = "N",
     .choices = slot_names,
     .help = "joints around a vertex that its normal knows, default 4; one of"},
    {0},
};

static void choose_methods(shader_set* inout, const args* arguments)
{
    const char* wish = args_text(arguments, "method", "all");
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        pelt_method method = (pelt_method)i;
        bool is_wanted = strcmp(wish, "all") == 0 || strcmp(wish, pelt_method_name(method)) == 0;
        if (is_wanted && pelt_gpu_has_method(method))
        {
            inout->methods[inout->method_count++] = method;
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
    if (!is_standard && shader_is_translated(inout->language))
    {
        return message_usage("hlsl, msl and wgsl come with standard normals: take --lang vulkan "
                             "with --normals %s, and translate that",
                             rule_names[inout->rule]);
    }
    return EXIT_DONE;
}

static int choose(shader_set* out, const args* arguments)
{
    if (!args_is_set(arguments, "output"))
    {
        return message_usage("there is no output: give -o DIR");
    }
    if (strcmp(args_text(arguments, "output", ""), "-") == 0)
    {
        return message_usage("shaders are many files and need a folder: give -o DIR");
    }
    if (!args_is_set(arguments, "lang"))
    {
        return message_usage("there is no language: give --lang glsl, essl, vulkan, hlsl, msl or "
                             "wgsl");
    }
    uint32_t wish = (uint32_t)args_number(arguments, "influences", 4.0f);
    *out = (shader_set){.language = (shader_language)args_choice(arguments, "lang")};
    out->palette =
        args_choice(arguments, "palette") == 1 ? PELT_PALETTE_TEXTURE : PELT_PALETTE_BLOCK;
    out->influence_count = shader_influences(out->language, wish);
    choose_methods(out, arguments);
    return choose_normals(out, arguments);
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
    pelt_arena* arena; // of paths and texts
    pelt_file files[FILE_MAX];
    const char* names[FILE_MAX];
    uint32_t file_count;
    pelt_error error;
} shader_job;

static pelt_result add_file(shader_job* job, const char* name, const char* text, size_t size)
{
    PELT_ASSERT(job->file_count < FILE_MAX);
    char* path = pelt_arena_format(job->arena, "%s/%s", job->folder, name);
    char* copy = pelt_arena_alloc(job->arena, size, 1);
    if (path == NULL || copy == NULL)
    {
        return pelt_error_memory(&job->error);
    }
    memcpy(copy, text, size);
    job->names[job->file_count] = path + strlen(job->folder) + 1;
    job->files[job->file_count++] = (pelt_file){path, copy, size};
    return PELT_OK;
}

// The library has more files than those for skinning.
static pelt_result add_library(shader_job* job)
{
    const pelt_shader_file* files;
    uint32_t count = pelt_shader_files(&files);
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        bool is_skinning =
            strncmp(files[i].name, "skin_", 5) == 0 || strcmp(files[i].name, "main_draw.glsl") == 0;
        if (is_skinning)
        {
            result = add_file(job, files[i].name, files[i].text, strlen(files[i].text));
        }
    }
    return result;
}

static pelt_result add_shader(shader_job* job, pelt_method method)
{
    char name[SHADER_NAME_MAX];
    char* text;
    pelt_result result = shader_text(&text, &job->set, method, &job->error);
    if (result == PELT_OK)
    {
        shader_name(name, &job->set, method);
        result = add_file(job, name, text, strlen(text));
        pelt_release(text);
    }
    return result;
}

static pelt_result add_readme(shader_job* job)
{
    text_stream page;
    if (!text_stream_open(&page))
    {
        return pelt_error_memory(&job->error);
    }
    shader_readme(page.stream, &job->set);
    pelt_result result = text_stream_close(&page) ? add_file(job, "README.md", page.text, page.size)
                                                  : pelt_error_memory(&job->error);
    text_stream_free(&page);
    return result;
}

static int add_all(shader_job* job)
{
    pelt_result result = shader_is_translated(job->set.language) ? PELT_OK : add_library(job);
    for (uint32_t i = 0; i < job->set.method_count && result == PELT_OK; ++i)
    {
        result = add_shader(job, job->set.methods[i]);
    }
    if (result == PELT_OK)
    {
        result = add_readme(job);
    }
    return message_error(result, &job->error);
}

static int prepare_summary(output* out, const shader_job* job)
{
    const shader_set* set = &job->set;
    bool is_texture = set->palette == PELT_PALETTE_TEXTURE;
    json_t* names = json_array();
    for (uint32_t i = 0; i < job->file_count; ++i)
    {
        json_array_append_new(names, output_string(job->names[i]));
    }
    return output_json_prepare(
        out,
        json_pack("{s:o, s:s, s:i, s:s, s:s, s:o}", "output", output_string(job->folder),
                  "language", language_names[set->language], "influences",
                  (int)set->influence_count, "palette", is_texture ? "texture" : "block", "normals",
                  rule_names[set->rule], "files", names),
        NULL);
}

static int save_all(const shader_job* job)
{
    folder results;
    int code = folder_make(&results, job->folder);
    if (code != EXIT_DONE)
    {
        return code;
    }
    pelt_error error = {0};
    code = message_error(pelt_save_files(job->files, job->file_count, &error), &error);
    if (code != EXIT_DONE)
    {
        folder_unmake(&results);
    }
    return code;
}

static void print_notes(const shader_job* job)
{
    float wish = args_number(job->arguments, "influences", 4.0f);
    if (wish != (float)job->set.influence_count)
    {
        message_note("%s comes with 4 or 8 influences: these have %u, with weight 0 where a vertex "
                     "has fewer",
                     language_names[job->set.language], job->set.influence_count);
    }
    if (!args_is_set(job->arguments, "json"))
    {
        message_note("%u files are in %s; README.md says how to use them", job->file_count,
                     job->folder);
    }
}

static int write_set(shader_job* job)
{
    output summary = {0};
    int code = add_all(job);
    if (code == EXIT_DONE && args_is_set(job->arguments, "json"))
    {
        code = prepare_summary(&summary, job);
    }
    code = code == EXIT_DONE ? save_all(job) : code;
    if (code == EXIT_DONE)
    {
        print_notes(job);
        code = output_deliver(&summary);
    }
    output_discard(&summary);
    return code;
}

static int run(const args* arguments)
{
    shader_job job = {.arguments = arguments, .folder = args_text(arguments, "output", NULL)};
    int code = choose(&job.set, arguments);
    if (code != EXIT_DONE)
    {
        return code;
    }
    job.arena = pelt_arena_create();
    code = job.arena != NULL ? write_set(&job) : message_memory();
    pelt_arena_destroy(job.arena);
    return code;
}

const args_command cmd_shaders = {
    .name = "shaders",
    .summary = "write the shaders that skin on a GPU, for your own engine",
    .operands = "",
    .description =
        "Writes a vertex shader for each method into a folder, with a README.md on attributes,\n"
        "buffers and the C calls that fill them. glsl (330), essl (300, WebGL 2) and vulkan (450)\n"
        "also bring the library of functions that the shaders are made of; hlsl, msl and wgsl are\n"
        "translations with 4 or 8 influences. --normals accurate knows how weights vary around a\n"
        "vertex; such shaders read factors from a texture.",
    .example = "pelt shaders --lang wgsl --method dqs -o shaders",
    .tables = {options, args_common},
    .run = run,
};
