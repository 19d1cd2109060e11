// SPDX-License-Identifier: MIT
// Names and texts of shaders, by language.
#include "shader_set.h"

#include <string.h>

enum
{
    TEXEL_FLOATS = 4,
};

const char* const shader_scale_names[] = {"none", "local", "origin", NULL};

static const char* const endings[SHADER_LANGUAGE_COUNT] = {
    [SHADER_GLSL] = "vert", [SHADER_ESSL] = "vert", [SHADER_VULKAN] = "vert",
    [SHADER_HLSL] = "hlsl", [SHADER_MSL] = "metal", [SHADER_WGSL] = "wgsl",
};

void shader_name(char out[SHADER_NAME_MAX], const shader_set* set, pelt_method method)
{
    char scale[16] = "", rule[32] = "";
    if (set->scale != PELT_GPU_SCALE_NONE)
    {
        snprintf(scale, sizeof scale, "_%s", shader_scale_names[set->scale]);
    }
    if (set->rule != PELT_NORMAL_STANDARD)
    {
        snprintf(rule, sizeof rule, "_%s_%u", pelt_normal_rule_name(set->rule), set->slot_count);
    }
    snprintf(out, SHADER_NAME_MAX, "skin_%s_%s_%u%s%s%s.%s", pelt_method_name(method),
             set->palette == PELT_PALETTE_TEXTURE ? "texture" : "block", set->influence_count,
             set->layout == PELT_GPU_LAYOUT_SHARED ? "_shared" : "", scale, rule,
             endings[set->language]);
}

bool shader_is_translated(shader_language language)
{
    return language >= SHADER_HLSL;
}

pelt_gpu_normals shader_normals(const shader_set* set, pelt_method method)
{
    return (pelt_gpu_normals){
        .rule = set->rule, .slot_count = set->slot_count, .has_centers = method == PELT_METHOD_CRS};
}

uint32_t shader_joint_texels(const shader_set* set, pelt_method method)
{
    return pelt_gpu_joint_floats(method, set->scale, set->layout) / TEXEL_FLOATS;
}

void shader_deform(char out[SHADER_NAME_MAX], const shader_set* set, pelt_method method)
{
    snprintf(out, SHADER_NAME_MAX, "pelt_deform_%s%s", pelt_method_name(method),
             set->rule == PELT_NORMAL_ACCURATE ? "_accurate" : "");
}

pelt_glsl shader_glsl(shader_language language)
{
    switch (language)
    {
    case SHADER_ESSL:
        return PELT_GLSL_ES_300;
    case SHADER_VULKAN:
        return PELT_GLSL_VULKAN;
    default:
        return PELT_GLSL_330;
    }
}

// ---------------------------------------------------------------------------------------------
// Files

static const pelt_shader_file* find_file(const pelt_shader_file* files, uint32_t count,
                                         const char* name)
{
    uint32_t i = 0;
    while (strcmp(files[i].name, name) != 0)
    {
        ++i;
        PELT_ASSERT(i < count);
    }
    return &files[i];
}

static const pelt_shader_file* find_port(const char* stem, shader_language language)
{
    char name[SHADER_NAME_MAX];
    snprintf(name, sizeof name, "%s.%s", stem, endings[language]);
    return find_file(shader_ports, shader_ports_count, name);
}

const char* shader_port(const char* name)
{
    return find_file(shader_ports, shader_ports_count, name)->text;
}

// The library of GLSL has more files than those for skinning.
static const pelt_shader_file* glsl_library(uint32_t n)
{
    const pelt_shader_file* files;
    uint32_t count = pelt_shader_files(&files);
    for (uint32_t i = 0; i < count; ++i)
    {
        bool is_skinning =
            strncmp(files[i].name, "skin_", 5) == 0 || strcmp(files[i].name, "main_draw.glsl") == 0;
        if (is_skinning && n-- == 0)
        {
            return &files[i];
        }
    }
    return NULL;
}

const pelt_shader_file* shader_library(const shader_set* set, uint32_t n)
{
    if (!shader_is_translated(set->language))
    {
        return glsl_library(n);
    }
    uint32_t count = set->rule == PELT_NORMAL_STANDARD ? 1 : 2;
    return n < count ? find_port(n == 0 ? "pelt_skin" : "pelt_normals", set->language) : NULL;
}

// ---------------------------------------------------------------------------------------------
// Shaders

static pelt_result write_glsl(FILE* stream, const shader_set* set, pelt_method method,
                              pelt_error* error)
{
    const pelt_shader_file* files;
    uint32_t count = pelt_shader_files(&files);
    char* text;
    pelt_shader_desc desc = {.language = shader_glsl(set->language),
                             .method = method,
                             .scale = set->scale,
                             .layout = set->layout,
                             .influence_count = set->influence_count,
                             .palette = set->palette,
                             .normals = shader_normals(set, method),
                             .main = find_file(files, count, "main_draw.glsl")->text};
    pelt_result result = pelt_shader_source(&text, &desc, error);
    if (result == PELT_OK)
    {
        fputs(text, stream);
        pelt_release(text);
    }
    return result;
}

// A library in WGSL as the set wants it: constants are lines "override NAME: i32 = VALUE;".
static void write_constants(FILE* stream, const shader_set* set, pelt_method method,
                            const char* text)
{
    static const char start[] = "override PELT_";
    static const char* const words[] = {"INFLUENCES", "SCALE", "LAYOUT", "NORMAL_SLOTS",
                                        "NORMAL_CENTERS"};
    static const char* const values[] = {"@INFLUENCES@", "@SCALE@", "@LAYOUT@", "@SLOTS@",
                                         "@CENTERS@"};
    for (const char* at = strstr(text, start); at != NULL; at = strstr(text, start))
    {
        const char* name = at + strlen(start);
        size_t length = strcspn(name, ":");
        uint32_t i = 0;
        while (strlen(words[i]) != length || strncmp(words[i], name, length) != 0)
        {
            ++i;
            PELT_ASSERT(i < sizeof words / sizeof words[0]);
        }
        fprintf(stream, "%.*sPELT_%s: i32 = ", (int)(at - text) + 9, text, words[i]);
        shader_fill(stream, set, method, values[i]);
        text = strchr(name, ';');
    }
    fputs(text, stream);
}

// WGSL knows no other files: a shader holds the library.
static void write_translated(FILE* stream, const shader_set* set, pelt_method method)
{
    for (uint32_t i = 0; set->language == SHADER_WGSL && shader_library(set, i) != NULL; ++i)
    {
        write_constants(stream, set, method, shader_library(set, i)->text);
        fputc('\n', stream);
    }
    shader_fill(stream, set, method, find_port("skin_main", set->language)->text);
}

pelt_result shader_write(FILE* stream, const shader_set* set, pelt_method method, pelt_error* error)
{
    if (!shader_is_translated(set->language))
    {
        return write_glsl(stream, set, method, error);
    }
    write_translated(stream, set, method);
    return PELT_OK;
}
