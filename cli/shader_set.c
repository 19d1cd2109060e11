// SPDX-License-Identifier: MIT
// Names and texts of shaders, by language.
#include "shader_set.h"

#include <string.h>

static const char* const endings[SHADER_LANGUAGE_COUNT] = {
    [SHADER_GLSL] = "vert", [SHADER_ESSL] = "vert", [SHADER_VULKAN] = "vert",
    [SHADER_HLSL] = "hlsl", [SHADER_MSL] = "metal", [SHADER_WGSL] = "wgsl",
};

void shader_name(char out[SHADER_NAME_MAX], const shader_set* set, pelt_method method)
{
    char rule[32] = "";
    if (set->rule != PELT_NORMAL_STANDARD)
    {
        snprintf(rule, sizeof rule, "_%s_%u", pelt_normal_rule_name(set->rule), set->slot_count);
    }
    snprintf(out, SHADER_NAME_MAX, "skin_%s_%s_%u%s.%s", pelt_method_name(method),
             set->palette == PELT_PALETTE_TEXTURE ? "texture" : "block", set->influence_count, rule,
             endings[set->language]);
}

bool shader_is_translated(shader_language language)
{
    return language >= SHADER_HLSL;
}

uint32_t shader_influences(shader_language language, uint32_t wish)
{
    return !shader_is_translated(language) ? wish : wish <= 4 ? 4 : 8;
}

pelt_gpu_normals shader_normals(const shader_set* set, pelt_method method)
{
    return (pelt_gpu_normals){
        .rule = set->rule, .slot_count = set->slot_count, .has_centers = method == PELT_METHOD_CRS};
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

static const char* find_text(const pelt_shader_file* files, uint32_t count, const char* name)
{
    uint32_t i = 0;
    while (strcmp(files[i].name, name) != 0)
    {
        ++i;
        PELT_ASSERT(i < count);
    }
    return files[i].text;
}

const char* shader_port(const char* name)
{
    return find_text(shader_ports, shader_ports_count, name);
}

static pelt_result copy_port(char** out, const char* name, pelt_error* error)
{
    const char* text = shader_port(name);
    size_t size = strlen(text) + 1;
    *out = pelt_allocate(size, 1);
    if (*out == NULL)
    {
        return pelt_error_memory(error);
    }
    memcpy(*out, text, size);
    return PELT_OK;
}

pelt_result shader_text(char** out, const shader_set* set, pelt_method method, pelt_error* error)
{
    if (shader_is_translated(set->language))
    {
        char name[SHADER_NAME_MAX];
        shader_name(name, set, method);
        return copy_port(out, name, error);
    }
    const pelt_shader_file* files;
    uint32_t count = pelt_shader_files(&files);
    pelt_shader_desc desc = {.language = shader_glsl(set->language),
                             .method = method,
                             .influence_count = set->influence_count,
                             .palette = set->palette,
                             .normals = shader_normals(set, method),
                             .main = find_text(files, count, "main_draw.glsl")};
    return pelt_shader_source(out, &desc, error);
}
