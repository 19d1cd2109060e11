// SPDX-License-Identifier: MIT
// Shaders as text, from the embedded files and a few lines of definitions. Needs no OpenGL.
#include "shader_text.h"

#include <stdio.h>
#include <string.h>

enum
{
    BLOCK_BYTES = 16384, // what OpenGL 3.3 and OpenGL ES 3.0 promise at least
    TEXEL_BYTES = 16,
    PART_MAX = 48,
    DEFINITION_MAX = 640,
    NAME_MAX_LENGTH = 64,
};

// The pieces of a shader, in order.
typedef struct parts
{
    const char* texts[PART_MAX];
    uint32_t count;
} parts;

static const char* const scale_definitions[] = {
    [PELT_GPU_SCALE_NONE] = "PELT_GPU_SCALE_NONE",
    [PELT_GPU_SCALE_LOCAL] = "PELT_GPU_SCALE_LOCAL",
    [PELT_GPU_SCALE_ORIGIN] = "PELT_GPU_SCALE_ORIGIN",
};

uint32_t pelt_shader_files(const pelt_shader_file** out)
{
    *out = pelti_shader_text;
    return pelti_shader_text_count;
}

const char* pelt_shader_prologue(pelt_glsl language)
{
    switch (language)
    {
    case PELT_GLSL_ES_300:
        return "#version 300 es\n"
               "precision highp float;\n"
               "precision highp int;\n"
               "precision highp sampler2D;\n";
    case PELT_GLSL_VULKAN:
        return "#version 450\n"
               "#extension GL_EXT_samplerless_texture_functions : require\n";
    case PELT_GLSL_330:
        break;
    }
    return "#version 330 core\n";
}

// The number of floats identifies the layout.
const char* pelt_shader_layout(pelt_method method, pelt_gpu_scale scale, pelt_gpu_layout layout)
{
    switch (pelt_gpu_joint_floats(method, scale, layout))
    {
    case 8:
        return "PELT_LAYOUT_MOTION";
    case 12:
        return "PELT_LAYOUT_MATRIX";
    case 16:
        return "PELT_LAYOUT_SHARED";
    case 20:
        return "PELT_LAYOUT_MATRIX_MOTION";
    default:
        return NULL;
    }
}

static void add_part(parts* out, const char* text)
{
    PELT_ASSERT(out->count < PART_MAX);
    out->texts[out->count++] = text;
}

static const char* shader_file(const char* name)
{
    uint32_t i = 0;
    while (strcmp(pelti_shader_text[i].name, name) != 0)
    {
        ++i;
        PELT_ASSERT(i < pelti_shader_text_count);
    }
    return pelti_shader_text[i].text;
}

static void add_file(parts* out, const char* name)
{
    add_part(out, "\n");
    add_part(out, shader_file(name));
}

static void add_definition(char out[DEFINITION_MAX], const char* name, const char* value)
{
    size_t used = strlen(out);
    snprintf(out + used, DEFINITION_MAX - used, "#define %s %s\n", name, value);
}

static void add_flag(char out[DEFINITION_MAX], const char* name)
{
    size_t used = strlen(out);
    snprintf(out + used, DEFINITION_MAX - used, "#define %s\n", name);
}

static void add_number(char out[DEFINITION_MAX], const char* name, uint32_t value)
{
    size_t used = strlen(out);
    snprintf(out + used, DEFINITION_MAX - used, "#define %s %u\n", name, value);
}

static void add_normal_definitions(char out[DEFINITION_MAX], const pelt_gpu_normals* normals)
{
    if (normals->rule == PELT_NORMAL_STANDARD)
    {
        return;
    }
    add_number(out, "PELT_NORMAL_SLOTS", normals->slot_count);
    add_number(out, "PELT_NORMAL_CENTERS", normals->has_centers);
    add_number(out, "PELT_NORMAL_WIDTH", PELT_NORMAL_WIDTH);
    if (normals->is_compact)
    {
        add_flag(out, "PELT_NORMAL_COMPACT");
    }
}

static void add_baked_definitions(char out[DEFINITION_MAX], const pelt_gpu_baked* baked)
{
    static const char* const kinds[PELT_ENCODING_COUNT] = {
        [PELT_ENCODING_QT] = "PELT_BAKED_POSE",       [PELT_ENCODING_LOCAL] = "PELT_BAKED_POSE",
        [PELT_ENCODING_MATRIX] = "PELT_BAKED_MATRIX", [PELT_ENCODING_DQ] = "PELT_BAKED_DUAL",
        [PELT_ENCODING_VERTEX] = "PELT_BAKED_POSE",
    };
    pelt_texel texel = baked->texel != PELT_TEXEL_AUTO ? baked->texel : PELT_TEXEL_RGBA32UI;
    add_number(out, "PELT_BAKED_TEXEL_WORDS",
               texel == PELT_TEXEL_RGBA32UI   ? 4
               : texel == PELT_TEXEL_RGBA16UI ? 2
                                              : 1);
    add_number(out, "PELT_BAKED_WIDTH", baked->width);
    add_definition(out, "PELT_BAKED_KIND", kinds[baked->encoding]);
    add_definition(out, "PELT_BAKED_LAYOUT",
                   baked->layout == PELT_BAKE_LAYOUT_THESIS ? "PELT_BAKED_THESIS"
                                                            : "PELT_BAKED_MODERN");
}

// Define a macro as a function of the method: prefix, name of the method, suffix.
static void add_function(char out[DEFINITION_MAX], const char* macro, const char* prefix,
                         pelt_method method, const char* suffix)
{
    char name[NAME_MAX_LENGTH];
    snprintf(name, sizeof name, "%s%s%s", prefix, pelt_method_name(method), suffix);
    add_definition(out, macro, name);
}

// What the vertex shader reads for the method, and the functions that it calls.
static void add_method(char out[DEFINITION_MAX], const pelt_shader_desc* desc)
{
    const pelt_method_traits* traits = pelt_method_info(desc->method);
    if (traits->needs_centers)
    {
        add_flag(out, "PELT_HAS_CENTERS");
    }
    if (traits->has_mix_factor)
    {
        add_flag(out, "PELT_HAS_MIX_FACTOR");
    }
    if (desc->normals.rule == PELT_NORMAL_PAPER)
    {
        add_definition(out, "PELT_DEFORM", "pelt_deform_paper");
        add_function(out, "PELT_SKIN", "pelt_skin_", desc->method, "");
        add_function(out, "PELT_MOVE", "pelt_move_", desc->method, "");
        return;
    }
    bool is_accurate = desc->normals.rule == PELT_NORMAL_ACCURATE;
    add_function(out, "PELT_DEFORM", "pelt_deform_", desc->method, is_accurate ? "_accurate" : "");
}

// Instances with joints of their own.
static bool is_crowd_kind(pelt_palette_kind kind)
{
    return kind == PELT_PALETTE_BAKED || kind == PELT_PALETTE_POSED;
}

// Vertices are baked, and nothing is skinned.
static bool has_vertices(const pelt_shader_desc* desc)
{
    return desc->palette == PELT_PALETTE_BAKED && desc->baked.encoding == PELT_ENCODING_VERTEX;
}

static void write_definitions(char out[DEFINITION_MAX], const pelt_shader_desc* desc)
{
    uint32_t block_bytes = desc->block_bytes > 0 ? desc->block_bytes : BLOCK_BYTES;
    // lbs includes scale.
    pelt_gpu_scale scale =
        pelt_method_info(desc->method)->needs_motions ? desc->scale : PELT_GPU_SCALE_NONE;
    out[0] = '\0';
    add_method(out, desc);
    add_number(out, "PELT_INFLUENCES", desc->influence_count > 0 ? desc->influence_count : 4);
    add_definition(out, "PELT_SCALE", scale_definitions[scale]);
    bool is_crowd = is_crowd_kind(desc->palette);
    pelt_gpu_layout layout = is_crowd ? PELT_GPU_LAYOUT_SHARED : desc->layout;
    add_definition(out, "PELT_LAYOUT", pelt_shader_layout(desc->method, scale, layout));
    if (desc->palette == PELT_PALETTE_BAKED)
    {
        add_flag(out, "PELT_PALETTE_BAKED");
        add_flag(out, has_vertices(desc) ? "PELT_BAKED_VERTICES" : "PELT_PALETTE_OWN");
        add_baked_definitions(out, &desc->baked);
    }
    else if (desc->palette == PELT_PALETTE_TEXTURE || desc->palette == PELT_PALETTE_POSED)
    {
        add_flag(out, "PELT_PALETTE_TEXTURE");
        add_number(out, "PELT_PALETTE_WIDTH", PELT_PALETTE_WIDTH);
    }
    else
    {
        add_number(out, "PELT_PALETTE_BLOCK_TEXELS", block_bytes / TEXEL_BYTES);
    }
    if (desc->palette == PELT_PALETTE_POSED)
    {
        add_flag(out, "PELT_PALETTE_POSED");
    }
    if (desc->sign_rule == PELT_SIGN_HIERARCHY)
    {
        add_definition(out, "PELT_SIGNS", "PELT_SIGNS_PALETTE");
    }
    if (desc->has_mix_factors)
    {
        add_flag(out, "PELT_MIX_FACTORS");
    }
    add_normal_definitions(out, &desc->normals);
}

// The files that a method is made of, or those of its derivative.
static void add_method_files(parts* out, pelt_method method, const char* prefix)
{
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        if ((pelt_method_info(method)->shader_parts >> i & 1u) != 0)
        {
            char name[NAME_MAX_LENGTH];
            snprintf(name, sizeof name, "%s%s.glsl", prefix, pelt_method_name((pelt_method)i));
            add_file(out, name);
        }
    }
}

static void add_normal_files(parts* out, const pelt_shader_desc* desc)
{
    if (desc->normals.rule == PELT_NORMAL_STANDARD)
    {
        return;
    }
    add_file(out, "skin_normals.glsl");
    if (desc->normals.rule == PELT_NORMAL_ACCURATE)
    {
        add_method_files(out, desc->method, "skin_normals_");
        return;
    }
    add_file(out, "skin_normals_paper.glsl");
}

// What finds joints and skins with them.
static void add_skinning_files(parts* out, const pelt_shader_desc* desc)
{
    if (is_crowd_kind(desc->palette))
    {
        add_file(out, "skin_instance.glsl");
    }
    if (desc->palette == PELT_PALETTE_BAKED)
    {
        add_file(out, "skin_texture.glsl");
        add_file(out, "skin_texture_thesis.glsl");
        add_file(out, "skin_texture_joint.glsl");
        add_file(out, "skin_decoded.glsl");
    }
    add_file(out, "skin_palette.glsl");
    add_file(out, "skin_stretch.glsl");
    add_method_files(out, desc->method, "skin_");
    add_normal_files(out, desc);
}

static char* join(const parts* in)
{
    size_t size = 1;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        size += strlen(in->texts[i]);
    }
    char* text = pelt_allocate(size, 1);
    char* end = text;
    for (uint32_t i = 0; i < in->count && text != NULL; ++i)
    {
        size_t length = strlen(in->texts[i]);
        memcpy(end, in->texts[i], length + 1);
        end += length;
    }
    return text;
}

pelt_result pelt_shader_source(char** out, const pelt_shader_desc* desc, pelt_error* error)
{
    PELT_ASSERT(desc->method < PELT_METHOD_COUNT);
    PELT_ASSERT(desc->influence_count <= PELT_GPU_INFLUENCE_MAX);
    PELT_ASSERT(desc->normals.rule < PELT_NORMAL_RULE_COUNT);
    PELT_ASSERT(pelt_gpu_has_signs(desc->sign_rule));
    PELT_ASSERT(desc->normals.rule == PELT_NORMAL_STANDARD ||
                (desc->normals.slot_count > 0 && desc->normals.slot_count <= PELT_GPU_SLOT_MAX));
    *out = NULL;
    if (!pelt_gpu_has_method(desc->method))
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "method %s has no shaders; use lbs, dqs, mix or crs",
                              pelt_method_name(desc->method));
    }
    char definitions[DEFINITION_MAX];
    write_definitions(definitions, desc);

    parts list = {.count = 0};
    add_part(&list, pelt_shader_prologue(desc->language));
    add_part(&list, definitions);
    add_file(&list, "skin_constants.glsl");
    add_file(&list, "skin_common.glsl");
    if (has_vertices(desc))
    {
        add_file(&list, "skin_texture.glsl");
        add_file(&list, "skin_texture_thesis.glsl");
        add_file(&list, "skin_texture_vertex.glsl");
    }
    else
    {
        add_skinning_files(&list, desc);
    }
    add_file(&list, "skin_vertex.glsl");
    if (desc->main != NULL)
    {
        add_part(&list, "\n");
        add_part(&list, desc->main);
    }
    else
    {
        add_file(&list, "main_feedback.glsl");
    }
    *out = join(&list);
    return *out != NULL ? PELT_OK : pelt_error_memory(error);
}

pelt_result pelt_shader_pose_source(char** out, pelt_glsl language, const pelt_gpu_baked* baked,
                                    pelt_error* error)
{
    PELT_ASSERT(baked->encoding < PELT_ENCODING_COUNT && baked->encoding != PELT_ENCODING_VERTEX);
    char definitions[DEFINITION_MAX] = "";
    add_number(definitions, "PELT_PALETTE_WIDTH", PELT_PALETTE_WIDTH);
    add_baked_definitions(definitions, baked);
    parts list = {.count = 0};
    add_part(&list, pelt_shader_prologue(language));
    add_part(&list, definitions);
    add_file(&list, "skin_constants.glsl");
    add_file(&list, "skin_common.glsl");
    add_file(&list, "skin_texture.glsl");
    add_file(&list, "skin_texture_thesis.glsl");
    add_file(&list, "skin_texture_joint.glsl");
    add_file(&list, "pose_texture.glsl");
    *out = join(&list);
    return *out != NULL ? PELT_OK : pelt_error_memory(error);
}
