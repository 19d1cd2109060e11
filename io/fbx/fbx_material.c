// SPDX-License-Identifier: MIT
// Materials for display: base color, the name of its texture, and the image if it is embedded.
#include "../name_list.h"
#include "fbx_read.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Colors

static float within(double value, double low, double high)
{
    return (float)fmin(fmax(value, low), high);
}

static bool is_part(double value)
{
    return value > 0.0 && value < 1.0;
}

// FBX states opacity in up to three properties, and exporters differ in which of them they mean:
// Maya writes opaque surfaces with a TransparencyFactor of 1 and a black color, 3ds Max with a
// factor of 0 and a white color. As in Blender and three.js, the first value strictly between 0 and
// 1 is used; without one, the surface is opaque.
static double opacity_of(const pelti_fbx_object* object)
{
    double color[3];
    pelti_fbx_property_vec3(color, object, "TransparentColor", 0.0);
    double mean = (color[0] + color[1] + color[2]) / 3.0;
    double factor = pelti_fbx_property_real(object, "TransparencyFactor", 1.0);
    double opacity = pelti_fbx_property_real(object, "Opacity", 1.0);
    if (is_part(factor))
    {
        return 1.0 - factor * (mean > 0.0 ? fmin(mean, 1.0) : 1.0);
    }
    if (is_part(opacity))
    {
        return opacity;
    }
    return factor >= 1.0 && is_part(mean) ? 1.0 - mean : 1.0;
}

// The physical materials of Maya and 3ds Max have their own property names.
static pelt_vec4 color_of(const pelti_fbx_object* object)
{
    static const char* const names[] = {"Maya|baseColor", "3dsMax|Parameters|base_color",
                                        "3dsMax|Parameters|basecolor", "DiffuseColor"};
    double color[3] = {1.0, 1.0, 1.0};
    for (size_t i = sizeof names / sizeof names[0]; i > 0; --i)
    {
        if (pelti_fbx_property_of(object, names[i - 1]) != NULL)
        {
            bool is_diffuse = i == sizeof names / sizeof names[0];
            double factor =
                is_diffuse ? pelti_fbx_property_real(object, "DiffuseFactor", 1.0) : 1.0;
            pelti_fbx_property_vec3(color, object, names[i - 1], 1.0);
            for (int k = 0; k < 3; ++k)
            {
                color[k] *= factor;
            }
        }
    }
    return (pelt_vec4){within(color[0], 0.0, 1.0), within(color[1], 0.0, 1.0),
                       within(color[2], 0.0, 1.0), within(opacity_of(object), 0.0, 1.0)};
}

// ---------------------------------------------------------------------------------------------
// Textures

static bool is_among(const pelti_fbx_value* word, const char* const* names, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (pelti_fbx_is_word(word, names[i]))
        {
            return true;
        }
    }
    return false;
}

bool pelti_fbx_is_base_color(const pelti_fbx_value* property)
{
    static const char* const names[] = {"DiffuseColor", "Maya|baseColor",
                                        "3dsMax|Parameters|base_color_map", "Maya|TEX_color_map"};
    return is_among(property, names, sizeof names / sizeof names[0]);
}

bool pelti_fbx_is_transparency(const pelti_fbx_value* property)
{
    static const char* const names[] = {"TransparentColor", "TransparencyFactor", "Opacity",
                                        "Maya|opacity", "3dsMax|Parameters|cutout_map"};
    return is_among(property, names, sizeof names / sizeof names[0]);
}

bool pelti_fbx_is_normal_map(const pelti_fbx_value* property)
{
    static const char* const names[] = {"NormalMap", "Bump", "Maya|normalCamera",
                                        "3dsMax|Parameters|bump_map", "Maya|TEX_normal_map"};
    return is_among(property, names, sizeof names / sizeof names[0]);
}

// The texture connected to the first matching property of a material, or PELT_NONE.
static uint32_t find_texture(const pelti_fbx* f, const pelti_fbx_object* material,
                             bool (*is_meant)(const pelti_fbx_value* property))
{
    for (uint32_t link = material->first_child; link != PELT_NONE; link = f->links[link].next_child)
    {
        const pelti_fbx_link* at = &f->links[link];
        if (f->objects[at->child].kind == PELTI_FBX_TEXTURE && is_meant(at->property))
        {
            // A layered texture is connected to the textures it consists of.
            uint32_t inner = f->objects[at->child].first_child;
            uint32_t layer = pelti_fbx_next_child(f, &inner, PELTI_FBX_TEXTURE);
            return layer != PELT_NONE ? layer : at->child;
        }
    }
    return PELT_NONE;
}

static const pelti_fbx_value* file_of(const pelti_fbx_object* object)
{
    static const char* const names[] = {"RelativeFilename", "FileName", "Filename"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        const pelti_fbx_value* text = pelti_fbx_text(pelti_fbx_child(object->node, names[i]), 0);
        if (text != NULL && text->data.size > 0)
        {
            return text;
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// Embedded images

static int digit_of(uint8_t c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

// Decode base64 from several strings, each padded or cut anywhere. Other characters are skipped.
static size_t decode(uint8_t* out, const pelti_fbx_node* content)
{
    size_t size = 0;
    uint32_t bits = 0, count = 0;
    for (uint32_t i = 0; i < content->value_count; ++i)
    {
        const pelti_fbx_value* piece = pelti_fbx_text(content, i);
        for (size_t k = 0; piece != NULL && k < piece->data.size; ++k)
        {
            int digit = digit_of(piece->data.bytes[k]);
            count = piece->data.bytes[k] == '=' ? 0 : count;
            if (digit < 0)
            {
                continue;
            }
            bits = bits << 6 | (uint32_t)digit;
            if (++count % 4 != 1)
            {
                uint32_t shift = 6 - 2 * ((count - 1) % 4);
                out[size++] = (uint8_t)(bits >> shift);
            }
        }
    }
    return size;
}

static size_t size_of_content(const pelti_fbx_node* content)
{
    size_t size = 0;
    for (uint32_t i = 0; content != NULL && i < content->value_count; ++i)
    {
        const pelti_fbx_value* piece = pelti_fbx_text(content, i);
        size += piece != NULL ? piece->data.size : 0;
    }
    return size;
}

// @param is_read  whether the scene has the image of this name; updated
static pelt_result read_image(pelti_fbx* f, pelt_image* images, bool* is_read, const char* name,
                              uint32_t texture)
{
    uint32_t link = f->objects[texture].first_child;
    uint32_t video = pelti_fbx_next_child(f, &link, PELTI_FBX_VIDEO);
    const pelti_fbx_node* content =
        video != PELT_NONE ? pelti_fbx_child(f->objects[video].node, "Content") : NULL;
    size_t size = size_of_content(content);
    if (size == 0 || *is_read)
    {
        return PELT_OK;
    }
    *is_read = true;
    pelt_result result = pelti_fbx_charge(&f->file, size);
    uint8_t* bytes = result == PELT_OK ? pelt_arena_alloc(f->arena, size, 1) : NULL;
    if (bytes == NULL)
    {
        return result != PELT_OK ? result : pelt_error_memory(f->error);
    }
    if (f->file.is_text)
    {
        size = decode(bytes, content);
    }
    else
    {
        memcpy(bytes, content->values[0].data.bytes, content->values[0].data.size);
        size = content->values[0].data.size;
    }
    images[f->scene->image_count++] = (pelt_image){name, bytes, size};
    return PELT_OK;
}

static pelt_texture_wrap wrap_of(const pelti_fbx_object* texture, const char* property)
{
    return pelti_fbx_property_real(texture, property, 0.0) == 1.0 ? PELT_TEXTURE_CLAMP
                                                                  : PELT_TEXTURE_REPEAT;
}

static pelt_result read_texture(pelti_fbx* f, pelt_texture* out, uint32_t texture)
{
    const pelti_fbx_value* file = texture != PELT_NONE ? file_of(&f->objects[texture]) : NULL;
    if (file == NULL)
    {
        return PELT_OK;
    }
    char* text = pelti_fbx_string(&f->file, file);
    char* name = text != NULL ? pelt_arena_string(f->arena, text) : NULL;
    if (name == NULL)
    {
        return pelt_error_memory(f->error);
    }
    out->image = name;
    out->sampler = (pelt_sampler){.wrap_u = wrap_of(&f->objects[texture], "WrapModeU"),
                                  .wrap_v = wrap_of(&f->objects[texture], "WrapModeV")};
    return PELT_OK;
}

bool pelti_fbx_has_alpha_texture(const pelti_fbx* f, const pelti_fbx_object* material)
{
    uint32_t base = find_texture(f, material, pelti_fbx_is_base_color);
    uint32_t alpha = find_texture(f, material, pelti_fbx_is_transparency);
    const pelti_fbx_value* a = base != PELT_NONE ? file_of(&f->objects[base]) : NULL;
    const pelti_fbx_value* b = alpha != PELT_NONE ? file_of(&f->objects[alpha]) : NULL;
    return a != NULL && b != NULL && a->data.size == b->data.size &&
           memcmp(a->data.bytes, b->data.bytes, a->data.size) == 0;
}

// ---------------------------------------------------------------------------------------------

static pelt_result read_material(pelti_fbx* f, pelt_material* out, const pelti_fbx_object* object)
{
    // Defaults for files without these properties: a rough dielectric.
    double roughness = pelti_fbx_property_real(
        object, "Maya|specularRoughness",
        pelti_fbx_property_real(object, "3dsMax|Parameters|roughness", 0.8));
    double metallic = pelti_fbx_property_real(
        object, "Maya|metalness",
        pelti_fbx_property_real(object, "3dsMax|Parameters|metalness", 0.0));
    *out = (pelt_material){.name = pelt_arena_string(f->arena, object->name),
                           .base_color = color_of(object),
                           .roughness = within(roughness, 0.0, 1.0),
                           .metallic = within(metallic, 0.0, 1.0)};
    bool is_blended = out->base_color.w < 1.0f || pelti_fbx_has_alpha_texture(f, object);
    out->alpha_mode = is_blended ? PELT_ALPHA_BLEND : PELT_ALPHA_OPAQUE;
    return out->name != NULL ? read_texture(f, &out->textures[PELT_SLOT_BASE_COLOR],
                                            find_texture(f, object, pelti_fbx_is_base_color))
                             : pelt_error_memory(f->error);
}

// Embedded images. If several have the same name, the first that is not empty is read.
static pelt_result read_images(pelti_fbx* f)
{
    const pelt_material* materials = f->scene->materials;
    uint32_t count = f->scene->material_count;
    pelt_image* images = pelt_arena_alloc(f->arena, count, sizeof *images);
    bool* is_read = pelti_fbx_alloc(&f->file, count, sizeof *is_read);
    pelti_name_list names = {0};
    if (images == NULL || is_read == NULL ||
        pelti_name_list_create(&names, count > 0 ? &materials[0].textures[0].image : NULL,
                               sizeof *materials, count) != PELT_OK)
    {
        return pelt_error_memory(f->error);
    }
    f->scene->images = images;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < f->object_count && result == PELT_OK; ++i)
    {
        uint32_t material = f->material_of_object[i];
        const char* name = material != PELT_NONE ? materials[material].textures[0].image : NULL;
        if (name != NULL)
        {
            result = read_image(f, images, &is_read[pelti_name_list_find(&names, name)], name,
                                find_texture(f, &f->objects[i], pelti_fbx_is_base_color));
        }
    }
    pelti_name_list_destroy(&names);
    return result;
}

pelt_result pelti_fbx_read_materials(pelti_fbx* f)
{
    uint32_t count = 0;
    f->material_of_object = pelti_fbx_alloc(&f->file, f->object_count, sizeof(uint32_t));
    for (uint32_t i = 0; i < f->object_count && f->material_of_object != NULL; ++i)
    {
        bool is_material = f->objects[i].kind == PELTI_FBX_MATERIAL;
        f->material_of_object[i] = is_material ? count++ : PELT_NONE;
    }
    pelt_material* materials = pelt_arena_alloc(f->arena, count, sizeof *materials);
    if (f->material_of_object == NULL || materials == NULL)
    {
        return pelt_error_memory(f->error);
    }
    f->scene->materials = materials;
    f->scene->material_count = count;
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        if (f->material_of_object[i] != PELT_NONE)
        {
            PELT_TRY(read_material(f, &materials[f->material_of_object[i]], &f->objects[i]));
        }
    }
    return read_images(f);
}
