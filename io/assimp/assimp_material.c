// SPDX-License-Identifier: MIT
// Materials, for display: a color and the name of its texture.
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include <assimp/material.h>
#include <string.h>

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
        c = (struct aiColor4D){1.0f, 1.0f, 1.0f, 1.0f};
    }
    // NaN falls to the lower end. Exporters that write an opacity of nothing mean the opposite.
    float alpha = within(c.a * number_or(material, "$mat.opacity", 1.0f), 0.0f, 1.0f);
    return (pelt_vec4){within(c.r, 0.0f, 1.0f), within(c.g, 0.0f, 1.0f), within(c.b, 0.0f, 1.0f),
                       alpha > 0.0f ? alpha : 1.0f};
}

static int integer_of(const struct aiMaterial* material, const char* key, unsigned type)
{
    int value = 0;
    unsigned count = 1;
    bool is_there =
        aiGetMaterialIntegerArray(material, key, type, 0, &value, &count) == aiReturn_SUCCESS;
    return is_there ? value : 0;
}

static bool find_texture(struct aiString* out, const struct aiMaterial* material, unsigned type)
{
    return aiGetMaterialString(material, AI_MATKEY_TEXTURE(type, 0), out) == aiReturn_SUCCESS &&
           out->length > 0;
}

static pelt_texture_wrap wrap_of(const struct aiMaterial* material, const char* key, unsigned type)
{
    int mode = integer_of(material, key, type);
    return mode == aiTextureMapMode_Mirror                                    ? PELT_TEXTURE_MIRROR
           : mode == aiTextureMapMode_Clamp || mode == aiTextureMapMode_Decal ? PELT_TEXTURE_CLAMP
                                                                              : PELT_TEXTURE_REPEAT;
}

// Whether the picture of the base color has the transparency in its alpha: a file says so, or names
// it a second time.
static bool has_alpha(const struct aiMaterial* material, const char* texture, unsigned type)
{
    struct aiString opacity = {0};
    int flags = integer_of(material, "$tex.flags", type);
    return (flags & aiTextureFlags_UseAlpha) != 0 ||
           (find_texture(&opacity, material, aiTextureType_OPACITY) &&
            strcmp(opacity.data, texture) == 0);
}

// @return false when out of memory
static bool read_texture(pelt_material* out, const struct aiMaterial* material, pelt_arena* arena)
{
    struct aiString texture = {0};
    unsigned type = aiTextureType_BASE_COLOR;
    if (!find_texture(&texture, material, type))
    {
        type = aiTextureType_DIFFUSE;
        if (!find_texture(&texture, material, type))
        {
            return true;
        }
    }
    out->texture = pelt_arena_string(arena, texture.data);
    out->sampler = (pelt_sampler){.wrap_u = wrap_of(material, "$tex.mapmodeu", type),
                                  .wrap_v = wrap_of(material, "$tex.mapmodev", type)};
    out->alpha_mode = has_alpha(material, texture.data, type) ? PELT_ALPHA_BLEND : out->alpha_mode;
    return out->texture != NULL;
}

static bool read_material(pelt_material* out, const struct aiMaterial* material, pelt_arena* arena)
{
    struct aiString name = {0};
    aiGetMaterialString(material, AI_MATKEY_NAME, &name);
    // Files older than these factors describe dull plastic.
    *out = (pelt_material){
        .name = pelt_arena_string(arena, name.data),
        .base_color = color_of(material),
        .roughness = within(number_or(material, "$mat.roughnessFactor", 0.8f), 0.0f, 1.0f),
        .metallic = within(number_or(material, "$mat.metallicFactor", 0.0f), 0.0f, 1.0f),
        .is_double_sided = integer_of(material, "$mat.twosided", 0) != 0,
    };
    out->alpha_mode = out->base_color.w < 1.0f ? PELT_ALPHA_BLEND : PELT_ALPHA_OPAQUE;
    return out->name != NULL && read_texture(out, material, arena);
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
