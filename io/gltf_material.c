// SPDX-License-Identifier: MIT
// Materials, as far as a picture of the deformed character needs them.
#include "gltf_read.h"

// Pictures in newer formats stand in an extension, sometimes without a plain one beside them.
static pelt_result find_image(uint32_t* out, pelti_gltf* g, const pelti_json* texture,
                              const pelti_place* at)
{
    static const char* const extensions[] = {"KHR_texture_basisu", "EXT_texture_webp",
                                             "EXT_texture_avif", "MSFT_texture_dds"};
    pelt_result result = pelti_gltf_get_index(out, g, PELTI_GLTF_IMAGES, texture, "source", at);
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; ++i)
    {
        const pelti_json* extension = pelti_gltf_extension(texture, extensions[i]);
        if (result == PELT_OK && *out == PELT_NONE)
        {
            result = pelti_gltf_get_index(out, g, PELTI_GLTF_IMAGES, extension, "source", at);
        }
    }
    return result;
}

static pelt_result read_texture(const char** out, pelti_gltf* g, const pelti_json* owner,
                                const char* member, const pelti_place* at)
{
    const pelti_json* info = NULL;
    pelti_place here = pelti_place_member(at, member);
    uint32_t texture = PELT_NONE, image = PELT_NONE;
    pelt_result result = pelti_gltf_get_object(&info, g, owner, member, at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_index(&texture, g, PELTI_GLTF_TEXTURES, info, "index", &here);
    }
    if (result == PELT_OK && texture != PELT_NONE)
    {
        result = find_image(&image, g, pelti_gltf_item(g, PELTI_GLTF_TEXTURES, texture), &here);
    }
    return result == PELT_OK && image != PELT_NONE ? pelti_gltf_read_image(out, g, image) : result;
}

static pelt_result read_surface(pelt_material* out, pelti_gltf* g, const pelti_json* json,
                                const pelti_place* at)
{
    const pelti_json* pbr = NULL;
    pelti_place here = pelti_place_member(at, "pbrMetallicRoughness");
    pelt_result result = pelti_gltf_get_object(&pbr, g, json, here.member, at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_floats(&out->base_color.x, 4, g, pbr, "baseColorFactor", &here);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_floats(&out->roughness, 1, g, pbr, "roughnessFactor", &here);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_floats(&out->metallic, 1, g, pbr, "metallicFactor", &here);
    }
    if (result == PELT_OK)
    {
        result = read_texture(&out->texture, g, pbr, "baseColorTexture", &here);
    }
    out->roughness = fminf(fmaxf(out->roughness, 0.0f), 1.0f);
    out->metallic = fminf(fmaxf(out->metallic, 0.0f), 1.0f);
    return result;
}

// The older way to describe a surface, still found in libraries of models.
static pelt_result read_specular(pelt_material* out, pelti_gltf* g, const pelti_json* json,
                                 const pelti_place* at)
{
    static const char name[] = "KHR_materials_pbrSpecularGlossiness";
    const pelti_json* specular = pelti_gltf_extension(json, name);
    if (specular == NULL || pelti_json_get(json, "pbrMetallicRoughness") != NULL)
    {
        return PELT_OK;
    }
    pelti_place outer = pelti_place_member(at, "extensions");
    pelti_place here = pelti_place_member(&outer, name);
    out->metallic = 0.0f;
    pelt_result result =
        pelti_gltf_get_floats(&out->base_color.x, 4, g, specular, "diffuseFactor", &here);
    return result == PELT_OK ? read_texture(&out->texture, g, specular, "diffuseTexture", &here)
                             : result;
}

static pelt_result read_material(pelt_material* out, pelti_gltf* g, uint32_t index)
{
    pelti_place list = {.member = "materials"}, at = pelti_place_index(&list, index);
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_MATERIALS, index);
    *out = (pelt_material){
        .base_color = {1.0f, 1.0f, 1.0f, 1.0f}, .roughness = 1.0f, .metallic = 1.0f};
    pelt_result result = pelti_gltf_name(&out->name, g, json, "material", index, &at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_bool(&out->is_double_sided, g, json, "doubleSided", &at);
    }
    if (result == PELT_OK)
    {
        result = read_surface(out, g, json, &at);
    }
    return result == PELT_OK ? read_specular(out, g, json, &at) : result;
}

pelt_result pelti_gltf_read_materials(pelti_gltf* g)
{
    uint32_t count = g->lists[PELTI_GLTF_MATERIALS].count;
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, count, sizeof(pelt_material));
    pelt_material* materials = memory;
    if (result == PELT_OK)
    {
        result = pelti_gltf_name_images(g);
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = read_material(&materials[i], g, i);
    }
    g->scene->materials = materials;
    g->scene->material_count = count;
    return result;
}
