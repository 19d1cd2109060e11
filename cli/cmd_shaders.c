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

typedef struct shader_job
{
    const args* arguments;
    const char* folder;
    shader_set set;
    json_t* files; // names of those written
} shader_job;

static int save(shader_job* job, const char* name, const char* text, size_t size)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", job->folder, name);
    if (length < 0 || (size_t)length >= sizeof path)
    {
        message_note("cannot write %s: the path is too long", name);
        return EXIT_WRITE;
    }
    pelt_error error = {0};
    int code = message_error(pelt_save_bytes(path, text, size, &error), &error);
    if (code == EXIT_DONE)
    {
        json_array_append_new(job->files, output_string(name));
    }
    return code;
}

// The library has more files than those for skinning.
static int save_library(shader_job* job)
{
    const pelt_shader_file* files;
    uint32_t count = pelt_shader_files(&files);
    int code = EXIT_DONE;
    for (uint32_t i = 0; i < count && code == EXIT_DONE; ++i)
    {
        bool is_skinning =
            strncmp(files[i].name, "skin_", 5) == 0 || strcmp(files[i].name, "main_draw.glsl") == 0;
        if (is_skinning)
        {
            code = save(job, files[i].name, files[i].text, strlen(files[i].text));
        }
    }
    return code;
}

static int save_shader(shader_job* job, pelt_method method)
{
    char name[SHADER_NAME_MAX];
    char* text;
    pelt_error error = {0};
    pelt_result result = shader_text(&text, &job->set, method, &error);
    if (result != PELT_OK)
    {
        return message_error(result, &error);
    }
    shader_name(name, &job->set, method);
    int code = save(job, name, text, strlen(text));
    pelt_release(text);
    return code;
}

static int save_readme(shader_job* job)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/README.md", job->folder);
    output out;
    int code = output_open(&out, path);
    if (code != EXIT_DONE)
    {
        return code;
    }
    shader_readme(out.stream, &job->set);
    code = output_close(&out);
    if (code == EXIT_DONE)
    {
        json_array_append_new(job->files, output_string("README.md"));
    }
    return code;
}

static int save_all(shader_job* job)
{
    int code = shader_is_translated(job->set.language) ? EXIT_DONE : save_library(job);
    for (uint32_t i = 0; i < job->set.method_count && code == EXIT_DONE; ++i)
    {
        code = save_shader(job, job->set.methods[i]);
    }
    return code == EXIT_DONE ? save_readme(job) : code;
}

static int report(const shader_job* job)
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
        message_note("%zu files are in %s; README.md says how to use them",
                     json_array_size(job->files), job->folder);
        return EXIT_DONE;
    }
    const shader_set* set = &job->set;
    bool is_texture = set->palette == PELT_PALETTE_TEXTURE;
    return output_json(
        json_pack("{s:o, s:s, s:i, s:s, s:s, s:O}", "output", output_string(job->folder),
                  "language", language_names[set->language], "influences",
                  (int)set->influence_count, "palette", is_texture ? "texture" : "block", "normals",
                  rule_names[set->rule], "files", job->files),
        NULL);
}

static int run(const args* arguments)
{
    shader_job job = {.arguments = arguments, .folder = args_text(arguments, "output", NULL)};
    int code = choose(&job.set, arguments);
    if (code != EXIT_DONE)
    {
        return code;
    }
    job.files = json_array();
    folder results;
    code = job.files != NULL ? folder_make(&results, job.folder) : message_memory();
    if (code == EXIT_DONE)
    {
        code = save_all(&job);
        if (code != EXIT_DONE)
        {
            folder_unmake(&results);
        }
    }
    code = code == EXIT_DONE ? report(&job) : code;
    json_decref(job.files);
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
