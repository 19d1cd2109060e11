// SPDX-License-Identifier: MIT
// The README next to shaders: tables from the layout, and pages of text.
#include "method_list.h"
#include "shader_set.h"

enum
{
    TEXEL_FLOATS = 4,
};

// The terms of a language.
typedef struct language_words
{
    const char* title;
    const char* page;
    const char* const* types;     // 1 to 4 floats, 4 integers and one
    const char* location;         // of an attribute, by its number; NULL: a semantic
    const char* const* resources; // block, texture, matrix, factor; factors for
                                  // normals; animation texture, first joint
} language_words;

static const char* const glsl_types[] = {"float", "vec2", "vec3", "vec4", "uvec4", "uint"};
static const char* const hlsl_types[] = {"float", "float2", "float3", "float4", "uint4", "uint"};
static const char* const wgsl_types[] = {"f32", "vec2f", "vec3f", "vec4f", "vec4u", "u32"};

static const char* const glsl_resources[] = {
    "uniform block `pelt_palette`",
    "`uniform sampler2D pelt_palette`",
    "`uniform mat4 pelt_clip_from_model`",
    "`uniform float pelt_mix`",
    "`uniform sampler2D pelt_normal_factors`",
    "`uniform usampler2D pelt_baked`",
    "`uniform uint pelt_first_joint`, `uniform uint pelt_joint_count`",
};
static const char* const vulkan_resources[] = {
    "uniform block `pelt_palette`, set 0, binding 0",
    "sampled image `pelt_palette`, set 0, binding 0, without a sampler",
    "uniform block `pelt_view`, set 0, binding 1",
    "uniform block `pelt_blend`, set 0, binding 2",
    "sampled image `pelt_normal_factors`, set 0, binding 3, without a sampler",
    "sampled image `pelt_baked`, set 0, binding 4, without a sampler",
    "uniform block `pelt_instance_joints`, set 0, binding 6",
};
static const char* const hlsl_resources[] = {
    "`cbuffer pelt_palette : register(b0)`",
    "`Texture2D<float4> pelt_palette : register(t0)`",
    "`cbuffer pelt_view : register(b1)`",
    "`cbuffer pelt_blend : register(b2)`",
    "`Texture2D<float4> pelt_normal_factors : register(t1)`",
    "`Texture2D<uint4> pelt_baked : register(t0)`",
    "`cbuffer pelt_instance_joints : register(b3)`",
};
static const char* const msl_resources[] = {
    "`constant float4* palette`, `[[buffer(0)]]`",
    "`texture2d<float> palette`, `[[texture(0)]]`",
    "`constant float4x4& clip_from_model`, `[[buffer(1)]]`",
    "`constant float& mix_factor`, `[[buffer(2)]]`",
    "`texture2d<float> factors`, `[[texture(1)]]`",
    "`texture2d<uint> baked`, `[[texture(0)]]`",
    "`constant pelt_instance_joints& instances`, `[[buffer(3)]]`",
};
static const char* const wgsl_resources[] = {
    "`@group(0) @binding(0) var<uniform> pelt_palette_block`",
    "`@group(0) @binding(0) var pelt_palette: texture_2d<f32>`",
    "`@group(0) @binding(1) var<uniform> pelt_clip_from_model: mat4x4f`",
    "`@group(0) @binding(2) var<uniform> pelt_mix: f32`",
    "`@group(0) @binding(3) var pelt_normal_factors: texture_2d<f32>`",
    "`@group(0) @binding(0) var pelt_baked: texture_2d<u32>`",
    "`@group(0) @binding(4) var<uniform> pelt_instances: pelt_instance_joints`",
};

static const language_words words[SHADER_LANGUAGE_COUNT] = {
    [SHADER_GLSL] = {"GLSL 330", "glsl.md", glsl_types, "location %u", glsl_resources},
    [SHADER_ESSL] = {"GLSL ES 300", "essl.md", glsl_types, "location %u", glsl_resources},
    [SHADER_VULKAN] = {"GLSL 450", "vulkan.md", glsl_types, "location %u", vulkan_resources},
    [SHADER_HLSL] = {"HLSL", "hlsl.md", hlsl_types, NULL, hlsl_resources},
    [SHADER_MSL] = {"Metal", "msl.md", hlsl_types, "attribute(%u)", msl_resources},
    [SHADER_WGSL] = {"WGSL", "wgsl.md", wgsl_types, "@location(%u)", wgsl_resources},
    [SHADER_GODOT] = {"Godot", "godot.md", glsl_types, NULL, glsl_resources},
};

typedef struct attribute_words
{
    const char* name;
    const char* short_name; // in languages that are translated
    const char* semantic;   // in HLSL
    uint32_t type;          // in language_words.types
    const char* meaning;
} attribute_words;

static const attribute_words attributes[PELT_ATTRIBUTE_COUNT] = {
    {"pelt_position", "position", "POSITION", 2, "position in the bind pose"},
    {"pelt_normal", "normal", "NORMAL", 2, "unit normal"},
    {"pelt_tangent", "tangent", "TANGENT", 3, "unit tangent, w is the handedness"},
    {"pelt_uv", "uv", "TEXCOORD0", 1, "passed on"},
    {"pelt_color", NULL, NULL, 3, "for your own `main()`"},
    {"pelt_joints", "joints", "BLENDINDICES0", 4, "influences 0 to 3, strongest first"},
    {"pelt_weights", "weights", "BLENDWEIGHT0", 3, "their weights, 0 for unused slots"},
    {"pelt_joints_2", "more_joints", "BLENDINDICES1", 4, "influences 4 to 7"},
    {"pelt_weights_2", "more_weights", "BLENDWEIGHT1", 3, "their weights"},
    {"pelt_cor", "center", "TEXCOORD1", 2, "center of rotation in the bind pose; crs"},
    {"pelt_mix", NULL, NULL, 0, "mix factor of the vertex; mix"},
    {"pelt_vertex_id", "vertex", "TEXCOORD1", 5, "slot of the vertex in the texture"},
};

// ---------------------------------------------------------------------------------------------
// Tables

// Bits 1 << method.
static uint32_t methods_of(const shader_set* set)
{
    uint32_t methods = 0;
    for (uint32_t i = 0; i < set->method_count; ++i)
    {
        methods |= 1u << set->methods[i];
    }
    return methods;
}

static uint32_t joint_floats(const shader_set* set, pelt_method method)
{
    return shader_joint_texels(set, method) * TEXEL_FLOATS;
}

static bool has_attribute(const shader_set* set, pelt_attribute attribute)
{
    bool is_skinned = !shader_has_vertices(set);
    switch (attribute)
    {
    case PELT_ATTRIBUTE_JOINTS:
    case PELT_ATTRIBUTE_WEIGHTS:
        return is_skinned;
    case PELT_ATTRIBUTE_COLOR:
        return !shader_is_translated(set->language);
    case PELT_ATTRIBUTE_JOINTS_2:
    case PELT_ATTRIBUTE_WEIGHTS_2:
        return set->influence_count > 4 && is_skinned;
    case PELT_ATTRIBUTE_COR:
        return (methods_of(set) & METHOD_LIST_WITH(needs_centers)) != 0;
    case PELT_ATTRIBUTE_MIX: // the shaders here take the factor of all vertices
        return false;
    case PELT_ATTRIBUTE_VERTEX:
        return !is_skinned;
    default:
        return true;
    }
}

static void print_files(FILE* stream, const shader_set* set)
{
    fputs("| file | method | floats per joint | bytes |\n|---|---|---|---|\n", stream);
    for (uint32_t i = 0; i < set->method_count; ++i)
    {
        char name[SHADER_NAME_MAX];
        uint32_t floats = joint_floats(set, set->methods[i]);
        shader_name(name, set, set->methods[i]);
        fprintf(stream, "| `%s` | %s | %u | %u |\n", name, pelt_method_name(set->methods[i]),
                floats, floats * (uint32_t)sizeof(float));
    }
}

// Attributes of instances.
static void print_playback(FILE* stream, const shader_set* set)
{
    static const attribute_words rows[] = {
        {"pelt_playback", "playback", "TEXCOORD2", 4, "what the instance plays, see below"},
        {"pelt_times", "times", "TEXCOORD3", 3, "and when"},
    };
    const language_words* language = &words[set->language];
    for (uint32_t i = 0; i < 2; ++i)
    {
        char location[32];
        snprintf(location, sizeof location, "%s", rows[i].semantic);
        if (language->location != NULL)
        {
            snprintf(location, sizeof location, language->location, PELT_PLAYBACK_LOCATION + i);
        }
        fprintf(stream, "| %s | `%s` | %s | 16 | %s |\n", location,
                shader_is_translated(set->language) ? rows[i].short_name : rows[i].name,
                language->types[rows[i].type], rows[i].meaning);
    }
}

static void print_attributes(FILE* stream, const shader_set* set)
{
    const language_words* language = &words[set->language];
    fputs("\n## Vertices\n\n| location | name | type | bytes | content |\n|---|---|---|---|---|\n",
          stream);
    for (uint32_t i = 0; i < PELT_ATTRIBUTE_COUNT; ++i)
    {
        const attribute_words* row = &attributes[i];
        if (!has_attribute(set, (pelt_attribute)i))
        {
            continue;
        }
        char location[32];
        snprintf(location, sizeof location, "%s", row->semantic);
        if (language->location != NULL)
        {
            snprintf(location, sizeof location, language->location, i);
        }
        bool is_short = shader_is_translated(set->language);
        fprintf(stream, "| %s | `%s` | %s | %u | %s |\n", location,
                is_short ? row->short_name : row->name, language->types[row->type],
                pelt_gpu_attribute_bytes((pelt_attribute)i, set->influence_count), row->meaning);
    }
    if (set->palette == PELT_PALETTE_BAKED)
    {
        print_playback(stream, set);
    }
}

static void print_resources(FILE* stream, const shader_set* set)
{
    const language_words* language = &words[set->language];
    bool is_baked = set->palette == PELT_PALETTE_BAKED;
    bool is_block = set->palette == PELT_PALETTE_BLOCK;
    fprintf(stream,
            "\n## Inputs\n\n| input | binding |\n|---|---|\n"
            "| %s | %s |\n| matrix from model to clip space | %s |\n",
            is_baked ? "animation texture" : "palette of joints",
            language->resources[is_baked   ? 5
                                : is_block ? 0
                                           : 1],
            language->resources[2]);
    if (shader_is_crowd(set) && !shader_has_vertices(set))
    {
        fprintf(stream, "| first joint, joints of an instance | %s |\n", language->resources[6]);
    }
    if ((methods_of(set) & METHOD_LIST_WITH(has_mix_factor)) != 0)
    {
        fprintf(stream, "| mix factor, 0 (lbs) to 1 (dqs) | %s |\n", language->resources[3]);
    }
    if (set->rule != PELT_NORMAL_STANDARD)
    {
        fprintf(stream, "| normal factors | %s |\n", language->resources[4]);
    }
}

static const char* joint_words(uint32_t texels)
{
    switch (texels)
    {
    case 2:
        return "rotation quaternion, dual part";
    case 3:
        return "3 rows of the matrix";
    case 4:
        return "3 rows of the matrix, rotation quaternion";
    default:
        return "3 rows of the matrix, rotation quaternion, dual part";
    }
}

static void print_palette(FILE* stream, const shader_set* set)
{
    fputs("\n## The palette\n\n| method | texels per joint, four floats each |\n|---|---|\n",
          stream);
    for (uint32_t i = 0; i < set->method_count; ++i)
    {
        fprintf(stream, "| %s | %s |\n", pelt_method_name(set->methods[i]),
                joint_words(shader_joint_texels(set, set->methods[i])));
    }
    fputc('\n', stream);
    if (set->palette != PELT_PALETTE_BLOCK)
    {
        fprintf(stream,
                "The texture is RGBA32F, without filtering, %u texels wide: texel t is at (t mod "
                "%u, t / "
                "%u).\n",
                (uint32_t)PELT_PALETTE_WIDTH, (uint32_t)PELT_PALETTE_WIDTH,
                (uint32_t)PELT_PALETTE_WIDTH);
        return;
    }
    fprintf(stream,
            "The block is a packed array of %u texels; the buffer must have its size, %u bytes. "
            "It holds\n",
            (uint32_t)SHADER_BLOCK_TEXELS,
            (uint32_t)(SHADER_BLOCK_TEXELS * TEXEL_FLOATS * sizeof(float)));
    for (uint32_t i = 0; i < set->method_count; ++i)
    {
        fprintf(stream, "%s%u joints (%s)", i > 0 ? ", " : "",
                SHADER_BLOCK_TEXELS / shader_joint_texels(set, set->methods[i]),
                pelt_method_name(set->methods[i]));
    }
    fputs(". Larger skins need `--palette texture`.\n", stream);
}

static void print_normals(FILE* stream, const shader_set* set)
{
    fprintf(stream,
            "\n## Normals\n\n| method | %s per vertex in the texture of factors | bytes "
            "|\n|---|---|---|\n",
            set->is_compact ? "words" : "floats");
    for (uint32_t i = 0; i < set->method_count; ++i)
    {
        pelt_gpu_normals normals = shader_normals(set, set->methods[i]);
        uint32_t floats = pelt_gpu_normal_floats(&normals);
        fprintf(stream, "| %s | %u | %u |\n", pelt_method_name(set->methods[i]), floats,
                floats * (uint32_t)sizeof(float));
    }
}

static const char* const scale_words[] = {
    [PELT_GPU_SCALE_NONE] = "are rigid; scale is ignored, except by lbs",
    [PELT_GPU_SCALE_LOCAL] = "may scale, shear and mirror, about the vertex or its center",
    [PELT_GPU_SCALE_ORIGIN] = "may scale, shear and mirror, about the origin",
};

static void print_page(FILE* stream, const shader_set* set, const char* page)
{
    fputc('\n', stream);
    shader_fill(stream, set, set->methods[0], shader_port(page));
}

static const char* const palette_words[] = {
    [PELT_PALETTE_BLOCK] = "with the palette in a uniform block",
    [PELT_PALETTE_TEXTURE] = "with the palette in a texture",
    [PELT_PALETTE_POSED] = "with the poses of all instances in a texture",
    [PELT_PALETTE_BAKED] = "with joints out of an animation texture",
};

void shader_readme(FILE* stream, const shader_set* set)
{
    if (set->language == SHADER_GODOT)
    {
        fputs("# Animation textures in Godot\n", stream);
        print_page(stream, set, words[set->language].page);
        return;
    }
    fprintf(stream,
            "# Skinning in %s\n\nVertex shaders of pelt %s for %u influences, %s and %s "
            "normals.\nJoints %s.\n\n",
            words[set->language].title, PELT_VERSION_STRING, set->influence_count,
            palette_words[set->palette], pelt_normal_rule_name(set->rule), scale_words[set->scale]);
    print_files(stream, set);
    print_attributes(stream, set);
    print_resources(stream, set);
    if (set->palette != PELT_PALETTE_BAKED)
    {
        print_palette(stream, set);
    }
    if (shader_is_crowd(set))
    {
        print_page(stream, set, "crowd.md");
    }
    if (set->rule != PELT_NORMAL_STANDARD)
    {
        print_normals(stream, set);
        print_page(stream, set, set->is_compact ? "normals_compact.md" : "normals.md");
    }
    if (!shader_is_translated(set->language))
    {
        print_page(stream, set, "library.md");
    }
    print_page(stream, set, words[set->language].page);
    print_page(stream, set, "choices.md");
    print_page(stream, set, "buffers.md");
    print_page(stream, set, "conventions.md");
}
