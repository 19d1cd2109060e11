// SPDX-License-Identifier: MIT
// Materials. Images of the scene go into the file; other textures are references.
#include "../gltf/gltf_read.h"
#include "../gltf/gltf_sampler.h"
#include "../name_list.h"
#include "../readers.h"
#include "../text_parse.h"
#include "../writers.h"
#include "gltf_write.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool has_image_extension(const char* name)
{
    static const char* const extensions[] = {".png", ".jpg", ".jpeg", ".webp", ".avif", ".ktx2",
                                             ".dds", ".tga", ".bmp",  ".tif",  ".tiff", ".psd"};
    const char* dot = strrchr(name, '.');
    for (size_t i = 0; dot != NULL && i < sizeof extensions / sizeof extensions[0]; ++i)
    {
        if (strcasecmp(dot, extensions[i]) == 0)
        {
            return true;
        }
    }
    return false;
}

// Characters that a URI may not contain are encoded; the rest is as the scene spells it.
static json_t* make_uri(const char* name)
{
    unsigned char last_plain = pelti_utf8_is_valid(name, strlen(name)) ? 255 : 126;
    static const char hex[] = "0123456789ABCDEF";
    char* text = pelt_allocate(strlen(name), 3);
    if (text == NULL)
    {
        return NULL;
    }
    size_t size = 0;
    for (; *name != '\0'; ++name)
    {
        unsigned char c = (unsigned char)*name;
        if (c > ' ' && c != 127 && c <= last_plain && strchr("\"<>\\^`{|}", c) == NULL)
        {
            text[size++] = (char)c;
            continue;
        }
        text[size++] = '%';
        text[size++] = hex[c >> 4];
        text[size++] = hex[c & 15];
    }
    json_t* uri = json_stringn(text, size);
    pelt_release(text);
    return uri;
}

// A URI with escapes is stored with the name in the spelling of the scene, which readers prefer.
static json_t* make_reference(pelti_gltf_document* document, const char* name)
{
    json_t* image = json_object();
    json_t* uri = make_uri(name);
    const char* text = json_string_value(uri);
    if (text != NULL && strcmp(text, name) != 0)
    {
        pelti_gltf_set_name(document, image, name);
    }
    pelti_gltf_set(document, image, "uri", uri);
    return image;
}

static json_t* make_embedded(pelti_gltf_document* document, const pelt_image* content,
                             const char* type)
{
    json_t* image = json_object();
    uint32_t view = pelti_gltf_add_view(document, content->bytes, content->size);
    pelti_gltf_set_name(document, image, content->name);
    pelti_gltf_set(document, image, "bufferView", json_integer(view));
    pelti_gltf_set(document, image, "mimeType", json_string(type));
    return image;
}

// A texture whose image is not available keeps its name, on one white pixel: a texture without an
// image is not valid glTF.
static json_t* make_nameplate(pelti_gltf_document* document, const char* name)
{
    static const uint8_t white_png[] = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
        0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00,
        0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78,
        0xda, 0x63, 0xf8, 0x0f, 0x00, 0x01, 0x01, 0x01, 0x00, 0x1c, 0xb0, 0x8c, 0x99, 0x00,
        0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    const pelt_image plate = {name, white_png, sizeof white_png};
    return make_embedded(document, &plate, "image/png");
}

// ---------------------------------------------------------------------------------------------
// Textures

// Takes ownership of the content.
static void set_extension(pelti_gltf_document* document, json_t* owner, const char* name,
                          json_t* content)
{
    if (json_object_get(owner, "extensions") == NULL)
    {
        pelti_gltf_set(document, owner, "extensions", json_object());
    }
    pelti_gltf_set(document, json_object_get(owner, "extensions"), name, content);
    pelti_gltf_list_extension(document, "extensionsUsed", name);
}

// The image of a texture and the type of its content, if that is in the file.
typedef struct written_image
{
    uint32_t index;
    const char* type; // MIME; NULL: the content is not there
} written_image;

// @param content  NULL: the scene has no image of that name
static written_image add_image(pelti_gltf_document* document, const char* name,
                               const pelt_image* content)
{
    const char* type =
        content != NULL ? pelti_gltf_image_type(content->bytes, content->size) : NULL;
    json_t* images = pelti_gltf_list_of(document, "images");
    json_t* image;
    if (type != NULL)
    {
        image = make_embedded(document, content, type);
    }
    // An absolute path has no meaning on another machine.
    else if (content == NULL && has_image_extension(name) && pelti_path_is_relative(name))
    {
        image = make_reference(document, name);
    }
    else
    {
        image = make_nameplate(document, name);
    }
    pelti_gltf_push(document, images, image);
    return (written_image){(uint32_t)json_array_size(images) - 1, type};
}

static uint32_t wrap_code(pelt_texture_wrap wrap)
{
    return wrap == PELT_TEXTURE_CLAMP    ? PELTI_GLTF_CLAMP
           : wrap == PELT_TEXTURE_MIRROR ? PELTI_GLTF_MIRROR
                                         : PELTI_GLTF_REPEAT;
}

static json_t* make_sampler(pelti_gltf_document* document, const pelt_sampler* sampler)
{
    bool is_near = sampler->mag_filter == PELT_TEXTURE_NEAREST;
    uint32_t smaller = 0;
    while (pelti_gltf_filters[smaller].filter != sampler->min_filter ||
           pelti_gltf_filters[smaller].mips != sampler->mips)
    {
        ++smaller;
    }
    json_t* out = json_object();
    pelti_gltf_set(document, out, "magFilter",
                   json_integer(is_near ? PELTI_GLTF_NEAREST : PELTI_GLTF_LINEAR));
    pelti_gltf_set(document, out, "minFilter", json_integer(pelti_gltf_filters[smaller].code));
    pelti_gltf_set(document, out, "wrapS", json_integer(wrap_code(sampler->wrap_u)));
    pelti_gltf_set(document, out, "wrapT", json_integer(wrap_code(sampler->wrap_v)));
    return out;
}

// An index among all possible samplers; 0 is the default.
static uint32_t rank_of(const pelt_sampler* sampler)
{
    uint32_t wraps = (uint32_t)sampler->wrap_u + 3 * (uint32_t)sampler->wrap_v;
    uint32_t filters = (uint32_t)sampler->mag_filter + 2 * (uint32_t)sampler->min_filter;
    return wraps + 9 * (filters + 4 * (uint32_t)sampler->mips);
}

enum
{
    SAMPLER_COUNT = 9 * 4 * 3,
};

// @param samplers  by rank: index + 1 in the file, 0 when it is not there yet
static uint32_t add_texture(pelti_gltf_document* document, written_image image,
                            const pelt_sampler* sampler, uint32_t samplers[SAMPLER_COUNT])
{
    json_t* textures = pelti_gltf_list_of(document, "textures");
    json_t* texture = json_object();
    uint32_t rank = rank_of(sampler);
    PELT_ASSERT(rank < SAMPLER_COUNT);
    if (rank > 0)
    {
        json_t* list = pelti_gltf_list_of(document, "samplers");
        if (samplers[rank] == 0)
        {
            pelti_gltf_push(document, list, make_sampler(document, sampler));
            samplers[rank] = (uint32_t)json_array_size(list);
        }
        pelti_gltf_set(document, texture, "sampler", json_integer(samplers[rank] - 1));
    }
    if (image.type != NULL && strcmp(image.type, "image/webp") == 0)
    {
        // The core of glTF supports PNG and JPEG only.
        static const char webp[] = "EXT_texture_webp";
        json_t* content = json_object();
        pelti_gltf_set(document, content, "source", json_integer(image.index));
        set_extension(document, texture, webp, content);
        pelti_gltf_list_extension(document, "extensionsRequired", webp);
    }
    else
    {
        pelti_gltf_set(document, texture, "source", json_integer(image.index));
    }
    pelti_gltf_push(document, textures, texture);
    return (uint32_t)json_array_size(textures) - 1;
}

// A texture of a material, to be sorted by picture and then by sampler.
typedef struct texture_use
{
    const pelt_texture* texture;
    uint32_t* index; // of the texture in the file
} texture_use;

static int compare_uses(const void* left, const void* right)
{
    const pelt_texture *a = ((const texture_use*)left)->texture,
                       *b = ((const texture_use*)right)->texture;
    int order = strcmp(a->image, b->image);
    uint32_t rank_a = rank_of(&a->sampler), rank_b = rank_of(&b->sampler);
    return order != 0         ? order
           : rank_a != rank_b ? (rank_a > rank_b) - (rank_a < rank_b)
                              : (a > b) - (a < b);
}

// Materials that name the same picture share it, or it would be in the file twice.
static void add_textures(pelti_gltf_document* document, const pelt_scene* scene, texture_use* uses,
                         uint32_t count)
{
    uint32_t samplers[SAMPLER_COUNT] = {0};
    written_image image = {0};
    pelti_name_list names;
    if (pelti_name_list_create(&names, scene->image_count > 0 ? &scene->images[0].name : NULL,
                               sizeof *scene->images, scene->image_count) != PELT_OK)
    {
        document->is_out_of_memory = true;
        return;
    }
    qsort(uses, count, sizeof *uses, compare_uses);
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelt_texture* texture = uses[i].texture;
        const pelt_texture* before = i > 0 ? uses[i - 1].texture : NULL;
        bool is_same_image = before != NULL && strcmp(before->image, texture->image) == 0;
        if (!is_same_image)
        {
            uint32_t found = pelti_name_list_find(&names, texture->image);
            image = add_image(document, texture->image,
                              found != PELT_NONE ? &scene->images[found] : NULL);
        }
        bool is_same = is_same_image && rank_of(&before->sampler) == rank_of(&texture->sampler);
        *uses[i].index = is_same ? *uses[i - 1].index
                                 : add_texture(document, image, &texture->sampler, samplers);
    }
    pelti_name_list_destroy(&names);
}

// ---------------------------------------------------------------------------------------------
// Materials

// glTF allows factors from 0 to 1 only; NaN becomes 0.
static float unit(float value)
{
    return value > 0.0f ? fminf(value, 1.0f) : 0.0f;
}

// A texture as a material refers to it. @param index  of the texture in the file
static json_t* make_reference_to(pelti_gltf_document* document, const pelt_texture* texture,
                                 uint32_t index)
{
    json_t* out = json_object();
    pelti_gltf_set(document, out, "index", json_integer(index));
    if (texture->uv_set > 0)
    {
        pelti_gltf_set(document, out, "texCoord", json_integer(texture->uv_set));
    }
    if (texture->is_transformed)
    {
        json_t* transform = json_object();
        pelti_gltf_set(document, transform, "offset",
                       pelti_gltf_floats(document, &texture->offset.x, 2));
        pelti_gltf_set(document, transform, "rotation", json_real((double)texture->rotation));
        pelti_gltf_set(document, transform, "scale",
                       pelti_gltf_floats(document, &texture->scale.x, 2));
        set_extension(document, out, PELTI_GLTF_TRANSFORM, transform);
    }
    return out;
}

// @param textures  one per slot
// @param owner     gets the member, if the material has the texture
// @return the reference, or NULL
static json_t* set_texture(pelti_gltf_document* document, json_t* owner, const char* member,
                           const pelt_material* material, const uint32_t* textures,
                           pelt_texture_slot slot)
{
    if (material->textures[slot].image == NULL)
    {
        return NULL;
    }
    json_t* reference = make_reference_to(document, &material->textures[slot], textures[slot]);
    pelti_gltf_set(document, owner, member, reference);
    return json_object_get(owner, member);
}

static json_t* make_surface(pelti_gltf_document* document, const pelt_material* material,
                            const uint32_t* textures)
{
    pelt_vec4 color = material->base_color;
    float factors[4] = {unit(color.x), unit(color.y), unit(color.z), unit(color.w)};
    json_t* surface = json_object();
    pelti_gltf_set(document, surface, "baseColorFactor", pelti_gltf_floats(document, factors, 4));
    set_texture(document, surface, "baseColorTexture", material, textures, PELT_SLOT_BASE_COLOR);
    pelti_gltf_set(document, surface, "metallicFactor",
                   json_real((double)unit(material->metallic)));
    pelti_gltf_set(document, surface, "roughnessFactor",
                   json_real((double)unit(material->roughness)));
    set_texture(document, surface, "metallicRoughnessTexture", material, textures,
                PELT_SLOT_METALLIC_ROUGHNESS);
    return surface;
}

// Emitted light above 1 is stored as a color up to 1 and a strength.
static void set_emission(pelti_gltf_document* document, json_t* out, const pelt_material* material,
                         const uint32_t* textures)
{
    pelt_vec3 light = material->emissive;
    float peak = fmaxf(fmaxf(light.x, light.y), light.z);
    float strength = peak > 1.0f ? peak : 1.0f;
    float factors[3] = {unit(light.x / strength), unit(light.y / strength),
                        unit(light.z / strength)};
    set_texture(document, out, "emissiveTexture", material, textures, PELT_SLOT_EMISSIVE);
    if (peak > 0.0f)
    {
        pelti_gltf_set(document, out, "emissiveFactor", pelti_gltf_floats(document, factors, 3));
    }
    if (strength > 1.0f)
    {
        json_t* extension = json_object();
        pelti_gltf_set(document, extension, "emissiveStrength", json_real((double)strength));
        set_extension(document, out, PELTI_GLTF_EMISSIVE_STRENGTH, extension);
    }
}

static void set_details(pelti_gltf_document* document, json_t* out, const pelt_material* material,
                        const uint32_t* textures)
{
    json_t* normal =
        set_texture(document, out, "normalTexture", material, textures, PELT_SLOT_NORMAL);
    json_t* occlusion =
        set_texture(document, out, "occlusionTexture", material, textures, PELT_SLOT_OCCLUSION);
    if (normal != NULL && material->normal_scale != 1.0f)
    {
        pelti_gltf_set(document, normal, "scale", json_real((double)material->normal_scale));
    }
    if (occlusion != NULL && material->occlusion_strength != 1.0f)
    {
        pelti_gltf_set(document, occlusion, "strength",
                       json_real((double)unit(material->occlusion_strength)));
    }
    set_emission(document, out, material, textures);
}

static json_t* make_material(pelti_gltf_document* document, const pelt_material* material,
                             const uint32_t* textures)
{
    json_t* out = json_object();
    pelti_gltf_set_name(document, out, material->name);
    pelti_gltf_set(document, out, "pbrMetallicRoughness",
                   make_surface(document, material, textures));
    set_details(document, out, material, textures);
    if (material->alpha_mode != PELT_ALPHA_OPAQUE)
    {
        bool is_mask = material->alpha_mode == PELT_ALPHA_MASK;
        pelti_gltf_set(document, out, "alphaMode", json_string(is_mask ? "MASK" : "BLEND"));
        if (is_mask && material->alpha_cutoff > 0.0f)
        {
            pelti_gltf_set(document, out, "alphaCutoff", json_real((double)material->alpha_cutoff));
        }
    }
    if (material->is_double_sided)
    {
        pelti_gltf_set(document, out, "doubleSided", json_true());
    }
    if (material->is_unlit)
    {
        set_extension(document, out, "KHR_materials_unlit", json_object());
    }
    return out;
}

void pelti_gltf_add_materials(pelti_gltf_document* document, const pelt_scene* scene)
{
    size_t slot_count = (size_t)scene->material_count * PELT_SLOT_COUNT;
    uint32_t* textures = pelt_allocate(slot_count, sizeof *textures);
    texture_use* uses = pelt_allocate(slot_count, sizeof *uses);
    bool is_ok = textures != NULL && uses != NULL;
    document->is_out_of_memory = document->is_out_of_memory || !is_ok;
    uint32_t count = 0;
    for (size_t i = 0; i < slot_count && is_ok; ++i)
    {
        const pelt_texture* texture =
            &scene->materials[i / PELT_SLOT_COUNT].textures[i % PELT_SLOT_COUNT];
        textures[i] = PELT_NONE;
        if (texture->image != NULL)
        {
            uses[count++] = (texture_use){texture, &textures[i]};
        }
    }
    if (count > 0)
    {
        add_textures(document, scene, uses, count);
    }
    for (uint32_t i = 0; i < scene->material_count && is_ok; ++i)
    {
        const uint32_t* of_material = textures + (size_t)i * PELT_SLOT_COUNT;
        pelti_gltf_push(document, pelti_gltf_list_of(document, "materials"),
                        make_material(document, &scene->materials[i], of_material));
    }
    pelt_release(uses);
    pelt_release(textures);
}
