// SPDX-License-Identifier: MIT
// Materials, for display: a colour and the name of its texture.
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include <assimp/material.h>

static float number_or(const struct aiMaterial* material, const char* key, float otherwise)
{
    float value = otherwise;
    unsigned count = 1;
    bool is_there =
        aiGetMaterialFloatArray(material, key, 0, 0, &value, &count) == aiReturn_SUCCESS;
    return is_there && isfinite(value) ? value : otherwise;
}

static float within(float value, float low, float high)
{
    return fminf(fmaxf(value, low), high);
}

static pelt_vec4 color_of(const struct aiMaterial* material)
{
    struct aiColor4D c = {1.0f, 1.0f, 1.0f, 1.0f};
    if (aiGetMaterialColor(material, AI_MATKEY_BASE_COLOR, &c) != aiReturn_SUCCESS &&
        aiGetMaterialColor(material, AI_MATKEY_COLOR_DIFFUSE, &c) != aiReturn_SUCCESS)
    {
        return (pelt_vec4){1.0f, 1.0f, 1.0f, 1.0f};
    }
    float opacity = number_or(material, "$mat.opacity", 1.0f);
    // NaN falls to the lower end.
    return (pelt_vec4){within(c.r, 0.0f, 1.0f), within(c.g, 0.0f, 1.0f), within(c.b, 0.0f, 1.0f),
                       within(c.a * opacity, 0.0f, 1.0f)};
}

static bool texture_of(struct aiString* out, const struct aiMaterial* material)
{
    return aiGetMaterialString(material, AI_MATKEY_TEXTURE(aiTextureType_BASE_COLOR, 0), out) ==
               aiReturn_SUCCESS ||
           aiGetMaterialString(material, AI_MATKEY_TEXTURE(aiTextureType_DIFFUSE, 0), out) ==
               aiReturn_SUCCESS;
}

static bool read_material(pelt_material* out, const struct aiMaterial* material, pelt_arena* arena)
{
    struct aiString name = {0}, texture = {0};
    aiGetMaterialString(material, AI_MATKEY_NAME, &name);
    int is_double_sided = 0;
    unsigned count = 1;
    aiGetMaterialIntegerArray(material, AI_MATKEY_TWOSIDED, &is_double_sided, &count);
    bool has_texture = texture_of(&texture, material) && texture.length > 0;
    // Files older than these factors describe dull plastic.
    *out = (pelt_material){
        .name = pelt_arena_string(arena, name.data),
        .base_color = color_of(material),
        .texture = has_texture ? pelt_arena_string(arena, texture.data) : NULL,
        .roughness = within(number_or(material, "$mat.roughnessFactor", 0.8f), 0.0f, 1.0f),
        .metallic = within(number_or(material, "$mat.metallicFactor", 0.0f), 0.0f, 1.0f),
        .is_double_sided = is_double_sided != 0,
    };
    return out->name != NULL && (!has_texture || out->texture != NULL);
}

pelt_result pelti_assimp_read_materials(pelti_assimp* a)
{
    uint32_t count = a->source->mNumMaterials;
    pelt_material* materials = pelt_arena_alloc(a->arena, count, sizeof *materials);
    bool is_good = materials != NULL;
    for (uint32_t i = 0; i < count && is_good; ++i)
    {
        is_good = read_material(&materials[i], a->source->mMaterials[i], a->arena);
    }
    a->scene->materials = materials;
    a->scene->material_count = count;
    return is_good ? PELT_OK : pelt_error_memory(a->error);
}

#endif
