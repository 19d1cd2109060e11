// SPDX-License-Identifier: MIT
// Names and texts of shaders, by language.
#include "shader_set.h"

#include <string.h>

enum
{
    TEXEL_FLOATS = 4,
};

static const char* const endings[SHADER_LANGUAGE_COUNT] = {
    [SHADER_GLSL] = "vert",         [SHADER_ESSL] = "vert", [SHADER_VULKAN] = "vert",
    [SHADER_HLSL] = "hlsl",         [SHADER_MSL] = "metal", [SHADER_WGSL] = "wgsl",
    [SHADER_GODOT] = "gdshaderinc",
};

const char* shader_baked_kind(pelt_encoding encoding)
{
    return encoding == PELT_ENCODING_MATRIX ? "PELT_BAKED_MATRIX"
           : encoding == PELT_ENCODING_DQ   ? "PELT_BAKED_DUAL"
                                            : "PELT_BAKED_POSE";
}

const char* shader_baked_layout(pelt_bake_layout layout)
{
    return layout == PELT_BAKE_LAYOUT_THESIS ? "PELT_BAKED_THESIS" : "PELT_BAKED_MODERN";
}

bool shader_is_crowd(const shader_set* set)
{
    return set->palette == PELT_PALETTE_POSED || set->palette == PELT_PALETTE_BAKED;
}

bool shader_has_vertices(const shader_set* set)
{
    return set->palette == PELT_PALETTE_BAKED && set->baked.encoding == PELT_ENCODING_VERTEX;
}

void shader_name(char out[SHADER_NAME_MAX], const shader_set* set, pelt_method method)
{
    const char* signs = set->sign_rule == PELT_SIGN_HIERARCHY ? "_hierarchy" : "";
    char scale[16] = "", rule[32] = "", format[32] = "";
    if (shader_has_vertices(set))
    {
        snprintf(out, SHADER_NAME_MAX, "skin_vertex_baked_%s.%s", pelt_texel_name(set->baked.texel),
                 endings[set->language]);
        return;
    }
    if (set->palette == PELT_PALETTE_BAKED)
    {
        bool is_thesis = set->baked.layout == PELT_BAKE_LAYOUT_THESIS;
        snprintf(format, sizeof format, "%s_%s_%s", is_thesis ? "_thesis" : "",
                 pelt_encoding_name(set->baked.encoding), pelt_texel_name(set->baked.texel));
    }
    if (set->scale != PELT_GPU_SCALE_NONE)
    {
        snprintf(scale, sizeof scale, "_%s", pelt_gpu_scale_name(set->scale));
    }
    if (set->is_compact)
    {
        snprintf(rule, sizeof rule, "_%s_compact", pelt_normal_rule_name(set->rule));
    }
    else if (set->rule != PELT_NORMAL_STANDARD)
    {
        snprintf(rule, sizeof rule, "_%s_%u", pelt_normal_rule_name(set->rule), set->slot_count);
    }
    snprintf(out, SHADER_NAME_MAX, "skin_%s_%s_%u%s%s%s%s%s.%s", pelt_method_name(method),
             pelt_palette_kind_name(set->palette), set->influence_count,
             set->layout == PELT_GPU_LAYOUT_SHARED && !shader_is_crowd(set) ? "_shared" : "", scale,
             signs, rule, format, endings[set->language]);
}

bool shader_is_translated(shader_language language)
{
    return language >= SHADER_HLSL;
}

pelt_gpu_normals shader_normals(const shader_set* set, pelt_method method)
{
    return (pelt_gpu_normals){.rule = set->rule,
                              .slot_count = set->slot_count,
                              .has_centers = pelt_method_info(method)->needs_centers,
                              .is_compact = set->is_compact};
}

pelt_gpu_layout shader_layout(const shader_set* set)
{
    return shader_is_crowd(set) ? PELT_GPU_LAYOUT_SHARED : set->layout;
}

uint32_t shader_joint_texels(const shader_set* set, pelt_method method)
{
    return pelt_gpu_joint_floats(method, set->scale, shader_layout(set)) / TEXEL_FLOATS;
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

const char* shader_glsl_file(const char* name)
{
    const pelt_shader_file* files;
    uint32_t count = pelt_shader_files(&files);
    return find_file(files, count, name)->text;
}

static bool is_one_of(const char* name, const char* const* names)
{
    while (*names != NULL && strcmp(*names, name) != 0)
    {
        ++names;
    }
    return *names != NULL;
}

// Whether a set uses a file of GLSL: all that skins, and what its palette needs.
static bool is_wanted(const shader_set* set, const char* name)
{
    static const char* const crowd[] = {"skin_instance.glsl", "skin_texture.glsl",
                                        "skin_texture_thesis.glsl", "skin_texture_joint.glsl",
                                        NULL};
    static const char* const baked[] = {"skin_texture_vertex.glsl", "skin_decoded.glsl", NULL};
    static const char* const posed[] = {"pose_texture.glsl", "pose_vertex.glsl", NULL};
    if (is_one_of(name, crowd))
    {
        return shader_is_crowd(set);
    }
    if (is_one_of(name, baked))
    {
        return set->palette == PELT_PALETTE_BAKED;
    }
    if (is_one_of(name, posed))
    {
        return set->palette == PELT_PALETTE_POSED;
    }
    return strncmp(name, "skin_", 5) == 0 || strcmp(name, "main_draw.glsl") == 0;
}

static const pelt_shader_file* glsl_library(const shader_set* set, uint32_t n)
{
    const pelt_shader_file* files;
    uint32_t count = pelt_shader_files(&files);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (is_wanted(set, files[i].name) && n-- == 0)
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
        return glsl_library(set, n);
    }
    const char* names[3];
    uint32_t count = 0;
    if (set->language != SHADER_GODOT)
    {
        names[count++] = "pelt_skin";
    }
    if (set->rule != PELT_NORMAL_STANDARD)
    {
        names[count++] = set->is_compact ? "pelt_normals_compact" : "pelt_normals";
    }
    if (shader_is_crowd(set) || set->language == SHADER_GODOT)
    {
        names[count++] = "pelt_texture";
    }
    return n < count ? find_port(names[n], set->language) : NULL;
}

// ---------------------------------------------------------------------------------------------
// Shaders

static pelt_result write_glsl(FILE* stream, const shader_set* set, pelt_method method,
                              pelt_error* error)
{
    char* text;
    pelt_shader_desc desc = {.language = shader_glsl(set->language),
                             .method = method,
                             .scale = set->scale,
                             .layout = set->layout,
                             .influence_count = set->influence_count,
                             .palette = set->palette,
                             .normals = shader_normals(set, method),
                             .baked = set->baked,
                             .sign_rule = set->sign_rule,
                             .main = shader_glsl_file("main_draw.glsl")};
    PELT_TRY(pelt_shader_source(&text, &desc, error));
    fputs(text, stream);
    pelt_release(text);
    return PELT_OK;
}

pelt_result shader_write_pose(FILE* stream, const shader_set* set, pelt_error* error)
{
    char* text;
    pelt_result result =
        pelt_shader_pose_source(&text, shader_glsl(set->language), &set->baked, error);
    if (result == PELT_OK)
    {
        fputs(text, stream);
        pelt_release(text);
    }
    return result;
}

// A library in WGSL as the set needs it: constants are lines "override NAME: i32 = VALUE;".
static void write_constants(FILE* stream, const shader_set* set, pelt_method method,
                            const char* text)
{
    static const char start[] = "override PELT_";
    static const char* const words[] = {"INFLUENCES",
                                        "SCALE",
                                        "LAYOUT",
                                        "SIGNS",
                                        "NORMAL_SLOTS",
                                        "NORMAL_CENTERS",
                                        "BAKED_TEXEL_WORDS",
                                        "BAKED_WIDTH",
                                        "BAKED_KIND",
                                        "BAKED_LAYOUT"};
    static const char* const values[] = {
        "@INFLUENCES@", "@SCALE@",       "@LAYOUT@", "@SIGNS@",      "@SLOTS@",
        "@CENTERS@",    "@TEXEL_WORDS@", "0",        "@BAKED_KIND@", "@BAKED_LAYOUT@"};
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

// WGSL has no includes: a shader contains the library, without the parts for poses, which belong to
// another pass.
static void write_module(FILE* stream, const shader_set* included, const shader_set* set,
                         pelt_method method, const char* entry)
{
    for (uint32_t i = 0; set->language == SHADER_WGSL && shader_library(included, i) != NULL; ++i)
    {
        write_constants(stream, set, method, shader_library(included, i)->text);
        fputc('\n', stream);
    }
    shader_fill(stream, set, method, find_port(entry, set->language)->text);
}

static shader_set without_poses(const shader_set* set)
{
    shader_set included = *set;
    included.palette = set->palette == PELT_PALETTE_POSED ? PELT_PALETTE_TEXTURE : set->palette;
    return included;
}

void shader_write_compute(FILE* stream, const shader_set* set, pelt_method method)
{
    shader_set included = without_poses(set);
    included.layout = PELT_GPU_LAYOUT_SHARED;
    write_module(stream, &included, &included, method, "skin_compute");
}

void shader_write_compute_pose(FILE* stream, const shader_set* set)
{
    shader_set included = *set;
    included.rule = PELT_NORMAL_STANDARD;
    included.baked.texel = PELT_TEXEL_RGBA32UI;
    write_module(stream, &included, &included, PELT_METHOD_LBS, "pose_compute");
}

pelt_result shader_write(FILE* stream, const shader_set* set, pelt_method method, pelt_error* error)
{
    if (!shader_is_translated(set->language))
    {
        return write_glsl(stream, set, method, error);
    }
    shader_set included = without_poses(set);
    write_module(stream, &included, set, method, "skin_main");
    return PELT_OK;
}
