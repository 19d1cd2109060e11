// SPDX-License-Identifier: MIT
// Materials of the core of glTF 2.0, with their textures and images.
#include "gltf_read.h"
#include "gltf_sampler.h"

#include <stdlib.h>
#include <string.h>

// Whether two URIs differ only by escapes.
static pelt_result compare_uris(bool* out, pelti_gltf* g, const char* a, const char* b)
{
    size_t size_a = strlen(a) + 1, size_b = strlen(b) + 1;
    char* decoded = pelt_allocate(size_a + size_b, 1);
    if (decoded == NULL)
    {
        return pelt_error_memory(g->error);
    }
    memcpy(decoded, a, size_a);
    memcpy(decoded + size_a, b, size_b);
    pelti_uri_unescape(decoded);
    pelti_uri_unescape(decoded + size_a);
    *out = strcmp(decoded, decoded + size_a) == 0;
    pelt_release(decoded);
    return PELT_OK;
}

// A file has the name of its image if that is its URI up to escapes: the writer stores it there.
static pelt_result name_file(pelti_gltf_image* out, pelti_gltf* g, const pelti_json* image,
                             const char* uri)
{
    const pelti_json* value = pelti_json_get(image, "name");
    bool has_name = value != NULL && pelti_json_is(value, PELTI_JSON_STRING);
    const char* name = has_name ? pelti_json_string(value) : uri;
    bool is_same = false;
    PELT_TRY(compare_uris(&is_same, g, name, uri));
    out->is_file = true;
    out->name = pelt_arena_string(g->arena, is_same ? name : uri);
    return out->name != NULL ? PELT_OK : pelt_error_memory(g->error);
}

static pelt_result name_image(pelti_gltf_image* out, pelti_gltf* g, uint32_t image)
{
    pelti_json_path list = {.member = "images"}, at = pelti_json_element(&list, image);
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_IMAGES, image);
    const char* uri = NULL;
    PELT_TRY(pelti_gltf_get_string(&uri, g, json, "uri", &at));
    if (uri == NULL || pelti_uri_is_data(uri))
    {
        return pelti_gltf_name(&out->name, g, json, "image", image, &at);
    }
    return name_file(out, g, json, uri);
}

// By name, files before others.
static int compare_names(const void* left, const void* right)
{
    const pelti_gltf_image* a = *(pelti_gltf_image* const*)left;
    const pelti_gltf_image* b = *(pelti_gltf_image* const*)right;
    int order = strcmp(a->name, b->name);
    return order != 0                 ? order
           : a->is_file != b->is_file ? (a->is_file ? -1 : 1)
                                      : (a > b) - (a < b);
}

// Materials find images by name, so a name that is in use gets a number appended.
static pelt_result part_names(pelti_gltf* g, pelti_gltf_image** sorted, uint32_t count)
{
    const char* before = NULL;
    for (uint32_t i = 0; i < count; ++i)
    {
        pelti_gltf_image* image = sorted[i];
        bool is_taken = before != NULL && strcmp(before, image->name) == 0;
        before = image->name;
        if (is_taken && !image->is_file)
        {
            uint32_t index = (uint32_t)(image - g->images);
            image->name = pelt_arena_format(g->arena, "%s_%u", image->name, index);
        }
        if (image->name == NULL)
        {
            return pelt_error_memory(g->error);
        }
    }
    return PELT_OK;
}

// gltf_material.c: names of all images, then the content of those that materials use.
// @param out  the name for the material
static pelt_result gltf_name_images(pelti_gltf* g)
{
    uint32_t count = g->lists[PELTI_GLTF_IMAGES].count;
    void *names = NULL, *order = NULL, *images = NULL;
    PELT_TRY(pelti_gltf_alloc_scratch(&names, g, count, sizeof *g->images));
    PELT_TRY(pelti_gltf_alloc_scratch(&order, g, count, sizeof(pelti_gltf_image*)));
    pelt_result result = pelti_gltf_alloc(&images, g, count, sizeof(pelt_image));
    g->images = names;
    g->scene_images = images;
    g->scene->images = images;
    pelti_gltf_image** sorted = order;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        sorted[i] = &g->images[i];
        result = name_image(sorted[i], g, i);
    }
    if (result == PELT_OK && count > 1)
    {
        qsort(sorted, count, sizeof *sorted, compare_names);
        result = part_names(g, sorted, count);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Content

static pelt_result copy_bytes(pelt_image* out, pelti_gltf* g, const uint8_t* data, size_t size)
{
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, size, 1);
    if (result == PELT_OK && size > 0)
    {
        memcpy(memory, data, size);
    }
    out->bytes = memory;
    out->size = size;
    return result;
}

static pelt_result read_content(pelt_image* out, pelti_gltf* g, uint32_t image)
{
    pelti_json_path list = {.member = "images"}, at = pelti_json_element(&list, image);
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_IMAGES, image);
    const char* uri = NULL;
    pelt_result result = pelti_gltf_get_string(&uri, g, json, "uri", &at);
    if (result != PELT_OK)
    {
        return result;
    }
    if (uri != NULL)
    {
        pelti_json_path here = pelti_json_member(&at, "uri");
        pelti_blob blob = {0};
        result = pelti_uri_decode(&blob, g, uri, &here);
        if (result == PELT_OK)
        {
            result = copy_bytes(out, g, blob.data, blob.size);
        }
        pelti_blob_release(&blob);
        return result;
    }
    uint32_t view = PELT_NONE;
    const pelti_gltf_bytes* bytes = NULL;
    result = pelti_gltf_get_index(&view, g, PELTI_GLTF_BUFFER_VIEWS, json, "bufferView", &at);
    if (result == PELT_OK && view == PELT_NONE)
    {
        result = pelti_gltf_fail(g, &at, "it has neither a uri nor a bufferView");
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_view(&bytes, g, view);
    }
    return result == PELT_OK ? copy_bytes(out, g, bytes->data, bytes->size) : result;
}

// A character without its textures still deforms: a missing image is reported, not fatal.
static pelt_result add_image(pelti_gltf* g, uint32_t image)
{
    pelt_error reason = {{0}};
    pelt_error* error = g->error;
    pelt_image found = {.name = g->images[image].name};
    g->error = &reason;
    pelt_result result = read_content(&found, g, image);
    g->error = error;
    if (result == PELT_ERROR_MEMORY)
    {
        return pelt_error_memory(g->error);
    }
    if (result != PELT_OK)
    {
        return pelti_gltf_repair_add(g, "the picture of image %u is left out: %s", image,
                                     reason.message);
    }
    g->scene_images[g->scene->image_count++] = found;
    return PELT_OK;
}

static pelt_result gltf_read_image(const char** out, pelti_gltf* g, uint32_t image)
{
    pelti_gltf_image* known = &g->images[image];
    *out = known->name;
    if (known->is_file || known->is_read)
    {
        return PELT_OK;
    }
    known->is_read = true;
    return add_image(g, image);
}

// ---------------------------------------------------------------------------------------------
// Pictures in newer formats are in an extension, sometimes without a plain one next to them.
static pelt_result find_image(uint32_t* out, pelti_gltf* g, const pelti_json* texture,
                              const pelti_json_path* at)
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

static pelt_texture_wrap wrap_of(size_t code)
{
    return code == PELTI_GLTF_CLAMP    ? PELT_TEXTURE_CLAMP
           : code == PELTI_GLTF_MIRROR ? PELT_TEXTURE_MIRROR
                                       : PELT_TEXTURE_REPEAT;
}

// A missing sampler, and numbers that glTF does not define, mean the default: the texture is still
// used.
static pelt_result read_sampler(pelt_sampler* out, pelti_gltf* g, const pelti_json* texture,
                                const pelti_json_path* at)
{
    size_t wrap_u = 0, wrap_v = 0, larger = 0, smaller = 0, given = SIZE_MAX;
    uint32_t count = g->lists[PELTI_GLTF_SAMPLERS].count;
    pelt_result result = pelti_gltf_get_size(&given, g, texture, "sampler", at);
    if (result != PELT_OK || given == SIZE_MAX)
    {
        return result;
    }
    if (given >= count)
    {
        return pelti_gltf_repair_add(g,
                                     "a texture names sampler %zu of %u; it gets the default one, "
                                     "which repeats and is smooth",
                                     given, count);
    }
    uint32_t index = (uint32_t)given;
    pelti_json_path list = {.member = "samplers"}, here = pelti_json_element(&list, index);
    const struct
    {
        const char* member;
        size_t* value;
    } codes[] = {
        {"wrapS", &wrap_u}, {"wrapT", &wrap_v}, {"magFilter", &larger}, {"minFilter", &smaller}};
    const pelti_json* sampler = pelti_gltf_item(g, PELTI_GLTF_SAMPLERS, index);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0] && result == PELT_OK; ++i)
    {
        result = pelti_gltf_get_size(codes[i].value, g, sampler, codes[i].member, &here);
    }
    *out = (pelt_sampler){
        .wrap_u = wrap_of(wrap_u),
        .wrap_v = wrap_of(wrap_v),
        .mag_filter = larger == PELTI_GLTF_NEAREST ? PELT_TEXTURE_NEAREST : PELT_TEXTURE_LINEAR,
    };
    for (uint32_t i = 0; i < PELTI_GLTF_FILTER_COUNT; ++i)
    {
        if (pelti_gltf_filters[i].code == smaller)
        {
            out->min_filter = pelti_gltf_filters[i].filter;
            out->mips = pelti_gltf_filters[i].mips;
        }
    }
    return result;
}

// UV set and transform; the UV set of the extension replaces that of the texture itself.
static pelt_result read_mapping(pelt_texture* out, pelti_gltf* g, const pelti_json* info,
                                const pelti_json_path* at)
{
    const pelti_json* transform = pelti_gltf_extension(info, PELTI_GLTF_TRANSFORM);
    pelti_json_path outer = pelti_json_member(at, "extensions");
    pelti_json_path here = pelti_json_member(&outer, PELTI_GLTF_TRANSFORM);
    size_t uv_set = 0;
    out->is_transformed = transform != NULL;
    out->scale = transform != NULL ? (pelt_vec2){1.0f, 1.0f} : (pelt_vec2){0};
    PELT_TRY(pelti_gltf_get_size(&uv_set, g, info, "texCoord", at));
    PELT_TRY(pelti_gltf_get_size(&uv_set, g, transform, "texCoord", &here));
    PELT_TRY(pelti_gltf_get_floats(&out->offset.x, 2, g, transform, "offset", &here));
    PELT_TRY(pelti_gltf_get_floats(&out->scale.x, 2, g, transform, "scale", &here));
    PELT_TRY(pelti_gltf_get_floats(&out->rotation, 1, g, transform, "rotation", &here));
    if (uv_set >= PELT_MAX_UV_SETS)
    {
        PELT_TRY(pelti_gltf_repair_add(g,
                                       "a texture is mapped with UV set %zu, but pelt reads %u; it "
                                       "gets the first",
                                       uv_set, PELT_MAX_UV_SETS));
        uv_set = 0;
    }
    out->uv_set = (uint32_t)uv_set;
    return PELT_OK;
}

static pelt_result read_texture(pelt_texture* out, pelti_gltf* g, const pelti_json* owner,
                                const char* member, const pelti_json_path* at)
{
    const pelti_json* info = NULL;
    pelti_json_path here = pelti_json_member(at, member);
    uint32_t texture = PELT_NONE, image = PELT_NONE;
    PELT_TRY(pelti_gltf_get_object(&info, g, owner, member, at));
    PELT_TRY(pelti_gltf_get_index(&texture, g, PELTI_GLTF_TEXTURES, info, "index", &here));
    if (texture == PELT_NONE)
    {
        return PELT_OK;
    }
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_TEXTURES, texture);
    PELT_TRY(find_image(&image, g, json, &here));
    if (image == PELT_NONE)
    {
        return PELT_OK;
    }
    PELT_TRY(read_sampler(&out->sampler, g, json, &here));
    PELT_TRY(read_mapping(out, g, info, &here));
    return gltf_read_image(&out->image, g, image);
}

static pelt_result read_base(pelt_material* out, pelti_gltf* g, const pelti_json* owner,
                             const char* color, const char* texture, const pelti_json_path* at)
{
    PELT_TRY(pelti_gltf_get_floats(&out->base_color.x, 4, g, owner, color, at));
    return read_texture(&out->textures[PELT_SLOT_BASE_COLOR], g, owner, texture, at);
}

static float unit(float value)
{
    return fminf(fmaxf(value, 0.0f), 1.0f);
}

// The extension replaces the base color and metallic of pbrMetallicRoughness, which is a fallback
// for readers without it. The roughness of the fallback is kept: it is derived from the glossiness.
static pelt_result read_specular(pelt_material* out, pelti_gltf* g, const pelti_json* specular,
                                 const pelti_json_path* at)
{
    pelti_json_path outer = pelti_json_member(at, "extensions");
    pelti_json_path here = pelti_json_member(&outer, PELTI_GLTF_SPECULAR);
    out->metallic = 0.0f;
    return read_base(out, g, specular, "diffuseFactor", "diffuseTexture", &here);
}

static pelt_result read_surface(pelt_material* out, pelti_gltf* g, const pelti_json* json,
                                const pelti_json_path* at)
{
    const pelti_json *pbr = NULL, *specular = pelti_gltf_extension(json, PELTI_GLTF_SPECULAR);
    pelti_json_path here = pelti_json_member(at, "pbrMetallicRoughness");
    PELT_TRY(pelti_gltf_get_object(&pbr, g, json, here.member, at));
    PELT_TRY(pelti_gltf_get_floats(&out->roughness, 1, g, pbr, "roughnessFactor", &here));
    PELT_TRY(pelti_gltf_get_floats(&out->metallic, 1, g, pbr, "metallicFactor", &here));
    out->roughness = unit(out->roughness);
    out->metallic = unit(out->metallic);
    if (specular != NULL)
    {
        return read_specular(out, g, specular, at);
    }
    PELT_TRY(read_texture(&out->textures[PELT_SLOT_METALLIC_ROUGHNESS], g, pbr,
                          "metallicRoughnessTexture", &here));
    return read_base(out, g, pbr, "baseColorFactor", "baseColorTexture", &here);
}

// Normals, occlusion and emitted light.
static pelt_result read_details(pelt_material* out, pelti_gltf* g, const pelti_json* json,
                                const pelti_json_path* at)
{
    const pelti_json *normal = NULL, *occlusion = NULL;
    const pelti_json* emission = pelti_gltf_extension(json, PELTI_GLTF_EMISSIVE_STRENGTH);
    pelti_json_path normal_at = pelti_json_member(at, "normalTexture");
    pelti_json_path occlusion_at = pelti_json_member(at, "occlusionTexture");
    float strength = 1.0f;
    PELT_TRY(pelti_gltf_get_object(&normal, g, json, normal_at.member, at));
    PELT_TRY(pelti_gltf_get_object(&occlusion, g, json, occlusion_at.member, at));
    PELT_TRY(pelti_gltf_get_floats(&out->normal_scale, 1, g, normal, "scale", &normal_at));
    PELT_TRY(pelti_gltf_get_floats(&out->occlusion_strength, 1, g, occlusion, "strength",
                                   &occlusion_at));
    PELT_TRY(pelti_gltf_get_floats(&out->emissive.x, 3, g, json, "emissiveFactor", at));
    PELT_TRY(pelti_gltf_get_floats(&strength, 1, g, emission, "emissiveStrength", at));
    out->occlusion_strength = unit(out->occlusion_strength);
    // The product of two finite numbers may not be.
    strength = fminf(fmaxf(strength, 0.0f), 1e6f);
    out->emissive = pelt_vec3_scale(
        (pelt_vec3){unit(out->emissive.x), unit(out->emissive.y), unit(out->emissive.z)}, strength);
    PELT_TRY(read_texture(&out->textures[PELT_SLOT_NORMAL], g, json, normal_at.member, at));
    PELT_TRY(read_texture(&out->textures[PELT_SLOT_OCCLUSION], g, json, occlusion_at.member, at));
    return read_texture(&out->textures[PELT_SLOT_EMISSIVE], g, json, "emissiveTexture", at);
}

// A mask with cutoff 0 is an opaque surface: in pelt a cutoff of 0 means the default.
static pelt_result read_alpha(pelt_material* out, pelti_gltf* g, const pelti_json* json,
                              const pelti_json_path* at)
{
    const char* mode = NULL;
    bool has_cutoff = pelti_json_get(json, "alphaCutoff") != NULL;
    float cutoff = 0.0f;
    pelt_result result = pelti_gltf_get_string(&mode, g, json, "alphaMode", at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_floats(&cutoff, 1, g, json, "alphaCutoff", at);
    }
    if (result != PELT_OK || mode == NULL || strcmp(mode, "OPAQUE") == 0)
    {
        return result;
    }
    bool is_mask = strcmp(mode, "MASK") == 0;
    if (!is_mask && strcmp(mode, "BLEND") != 0)
    {
        return pelti_gltf_repair_add(g,
                                     "material \"%.60s\" is read as opaque: \"%.60s\" is not "
                                     "an alphaMode of glTF",
                                     out->name, mode);
    }
    if (is_mask && has_cutoff && cutoff <= 0.0f)
    {
        return PELT_OK;
    }
    out->alpha_mode = is_mask ? PELT_ALPHA_MASK : PELT_ALPHA_BLEND;
    out->alpha_cutoff = is_mask ? cutoff : 0.0f;
    return PELT_OK;
}

static pelt_result read_material(pelt_material* out, pelti_gltf* g, uint32_t index)
{
    pelti_json_path list = {.member = "materials"}, at = pelti_json_element(&list, index);
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_MATERIALS, index);
    *out = (pelt_material){.base_color = {1.0f, 1.0f, 1.0f, 1.0f},
                           .roughness = 1.0f,
                           .metallic = 1.0f,
                           .normal_scale = 1.0f,
                           .occlusion_strength = 1.0f,
                           .is_unlit = pelti_gltf_extension(json, "KHR_materials_unlit") != NULL};
    PELT_TRY(pelti_gltf_name(&out->name, g, json, "material", index, &at));
    PELT_TRY(pelti_gltf_get_bool(&out->is_double_sided, g, json, "doubleSided", &at));
    PELT_TRY(read_alpha(out, g, json, &at));
    PELT_TRY(read_surface(out, g, json, &at));
    return read_details(out, g, json, &at);
}

pelt_result pelti_gltf_read_materials(pelti_gltf* g)
{
    uint32_t count = g->lists[PELTI_GLTF_MATERIALS].count;
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, count, sizeof(pelt_material));
    pelt_material* materials = memory;
    if (result == PELT_OK)
    {
        result = gltf_name_images(g);
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = read_material(&materials[i], g, i);
    }
    g->scene->materials = materials;
    g->scene->material_count = count;
    return result;
}
