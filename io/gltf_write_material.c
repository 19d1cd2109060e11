// SPDX-License-Identifier: MIT
// Materials. Textures are references: the scene has their names, not their pictures.
#include "gltf_write.h"

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

static bool is_utf8(const char* text)
{
    json_t* string = json_string(text);
    json_decref(string);
    return string != NULL;
}

// What may not stand in a URI at all is encoded; the rest is the scene's own spelling.
static json_t* make_uri(const char* name)
{
    unsigned char last_plain = is_utf8(name) ? 255 : 126;
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

// A picture inside the source file is only known by its name. It keeps that, on one white pixel:
// a texture without any picture would not be glTF.
static json_t* make_image(pelti_gltf_document* document, const char* name)
{
    static const uint8_t white_png[] = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
        0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00,
        0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78,
        0xda, 0x63, 0xf8, 0x0f, 0x00, 0x01, 0x01, 0x01, 0x00, 0x1c, 0xb0, 0x8c, 0x99, 0x00,
        0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    json_t* image = json_object();
    if (has_image_extension(name))
    {
        pelti_gltf_set(document, image, "uri", make_uri(name));
        return image;
    }
    uint32_t view = pelti_gltf_add_view(document, white_png, sizeof white_png);
    pelti_gltf_set_name(document, image, name);
    pelti_gltf_set(document, image, "bufferView", json_integer(view));
    pelti_gltf_set(document, image, "mimeType", json_string("image/png"));
    return image;
}

static uint32_t add_texture(pelti_gltf_document* document, const char* name)
{
    json_t* images = pelti_gltf_list_of(document, "images");
    pelti_gltf_push(document, images, make_image(document, name));

    json_t* textures = pelti_gltf_list_of(document, "textures");
    json_t* texture = json_object();
    pelti_gltf_set(document, texture, "source",
                   json_integer((json_int_t)json_array_size(images) - 1));
    pelti_gltf_push(document, textures, texture);
    return (uint32_t)json_array_size(textures) - 1;
}

// glTF takes factors from 0 to 1 only; what is not a number is none.
static float unit(float value)
{
    return value > 0.0f ? fminf(value, 1.0f) : 0.0f;
}

static json_t* make_material(pelti_gltf_document* document, const pelt_material* material)
{
    pelt_vec4 color = material->base_color;
    float factors[4] = {unit(color.x), unit(color.y), unit(color.z), unit(color.w)};
    json_t* surface = json_object();
    pelti_gltf_set(document, surface, "baseColorFactor", pelti_gltf_floats(document, factors, 4));
    if (material->texture != NULL)
    {
        json_t* reference = json_object();
        uint32_t texture = add_texture(document, material->texture);
        pelti_gltf_set(document, reference, "index", json_integer(texture));
        pelti_gltf_set(document, surface, "baseColorTexture", reference);
    }
    pelti_gltf_set(document, surface, "metallicFactor",
                   json_real((double)unit(material->metallic)));
    pelti_gltf_set(document, surface, "roughnessFactor",
                   json_real((double)unit(material->roughness)));

    json_t* out = json_object();
    pelti_gltf_set_name(document, out, material->name);
    pelti_gltf_set(document, out, "pbrMetallicRoughness", surface);
    if (material->is_double_sided)
    {
        pelti_gltf_set(document, out, "doubleSided", json_true());
    }
    return out;
}

void pelti_gltf_add_materials(pelti_gltf_document* document, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->material_count; ++i)
    {
        json_t* material = make_material(document, &scene->materials[i]);
        pelti_gltf_push(document, pelti_gltf_list_of(document, "materials"), material);
    }
}
