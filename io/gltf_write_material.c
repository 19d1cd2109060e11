// SPDX-License-Identifier: MIT
// Materials. Images of the scene go into the file; other textures are references.
#include "gltf_write.h"
#include "picture_codec.h"
#include "utf8.h"

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

// What may not stand in a URI at all is encoded; the rest is the scene's own spelling.
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

static json_t* make_embedded(pelti_gltf_document* document, const pelt_image* content)
{
    static const char* const types[] = {
        [PELTI_PICTURE_UNKNOWN] = "image/png", // never written
        [PELTI_PICTURE_PNG] = "image/png",
        [PELTI_PICTURE_JPEG] = "image/jpeg",
        [PELTI_PICTURE_WEBP] = "image/webp",
    };
    pelti_picture_format format = pelti_picture_format_of(content->bytes, content->size);
    json_t* image = json_object();
    uint32_t view = pelti_gltf_add_view(document, content->bytes, content->size);
    pelti_gltf_set_name(document, image, content->name);
    pelti_gltf_set(document, image, "bufferView", json_integer(view));
    pelti_gltf_set(document, image, "mimeType", json_string(types[format]));
    return image;
}

// A picture that is only known by its name keeps that, on one white pixel: a texture without any
// picture would not be glTF.
static json_t* make_nameplate(pelti_gltf_document* document, const char* name)
{
    static const uint8_t white_png[] = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
        0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00,
        0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78,
        0xda, 0x63, 0xf8, 0x0f, 0x00, 0x01, 0x01, 0x01, 0x00, 0x1c, 0xb0, 0x8c, 0x99, 0x00,
        0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    const pelt_image plate = {name, white_png, sizeof white_png};
    return make_embedded(document, &plate);
}

static json_t* make_reference(pelti_gltf_document* document, const char* name)
{
    json_t* image = json_object();
    pelti_gltf_set(document, image, "uri", make_uri(name));
    return image;
}

// glTF itself knows PNG and JPEG only.
static void use_webp(pelti_gltf_document* document, json_t* texture, json_int_t image)
{
    static const char name[] = "EXT_texture_webp";
    static const char* const lists[] = {"extensionsUsed", "extensionsRequired"};
    for (size_t i = 0; i < 2; ++i)
    {
        json_t* list = pelti_gltf_list_of(document, lists[i]);
        if (json_array_size(list) == 0) // no other part of the writer has extensions
        {
            pelti_gltf_push(document, list, json_string(name));
        }
    }
    json_t *extension = json_object(), *extensions = json_object();
    pelti_gltf_set(document, extension, "source", json_integer(image));
    pelti_gltf_set(document, extensions, name, extension);
    pelti_gltf_set(document, texture, "extensions", extensions);
}

static uint32_t add_texture(pelti_gltf_document* document, const pelt_scene* scene,
                            const char* name)
{
    uint32_t found = pelt_scene_find_image(scene, name);
    const pelt_image* content = found != PELT_NONE ? &scene->images[found] : NULL;
    pelti_picture_format format = content != NULL
                                      ? pelti_picture_format_of(content->bytes, content->size)
                                      : PELTI_PICTURE_UNKNOWN;
    json_t* images = pelti_gltf_list_of(document, "images");
    pelti_gltf_push(document, images,
                    format != PELTI_PICTURE_UNKNOWN ? make_embedded(document, content)
                    : content == NULL && has_image_extension(name)
                        ? make_reference(document, name)
                        : make_nameplate(document, name));

    json_int_t image = (json_int_t)json_array_size(images) - 1;
    json_t* textures = pelti_gltf_list_of(document, "textures");
    json_t* texture = json_object();
    if (format == PELTI_PICTURE_WEBP)
    {
        use_webp(document, texture, image);
    }
    else
    {
        pelti_gltf_set(document, texture, "source", json_integer(image));
    }
    pelti_gltf_push(document, textures, texture);
    return (uint32_t)json_array_size(textures) - 1;
}

// glTF takes factors from 0 to 1 only; what is not a number is none.
static float unit(float value)
{
    return value > 0.0f ? fminf(value, 1.0f) : 0.0f;
}

static json_t* make_material(pelti_gltf_document* document, const pelt_material* material,
                             uint32_t texture)
{
    pelt_vec4 color = material->base_color;
    float factors[4] = {unit(color.x), unit(color.y), unit(color.z), unit(color.w)};
    json_t* surface = json_object();
    pelti_gltf_set(document, surface, "baseColorFactor", pelti_gltf_floats(document, factors, 4));
    if (material->texture != NULL)
    {
        json_t* reference = json_object();
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

// Materials that name the same texture share it, or its picture would be in the file twice.
static uint32_t texture_of(pelti_gltf_document* document, const pelt_scene* scene,
                           const uint32_t* textures, uint32_t material)
{
    const char* name = scene->materials[material].texture;
    for (uint32_t i = 0; i < material && name != NULL; ++i)
    {
        const char* other = scene->materials[i].texture;
        if (other != NULL && strcmp(other, name) == 0)
        {
            return textures[i];
        }
    }
    return name != NULL ? add_texture(document, scene, name) : PELT_NONE;
}

void pelti_gltf_add_materials(pelti_gltf_document* document, const pelt_scene* scene)
{
    uint32_t* textures = pelt_allocate(scene->material_count, sizeof *textures);
    document->is_out_of_memory = document->is_out_of_memory || textures == NULL;
    for (uint32_t i = 0; i < scene->material_count && textures != NULL; ++i)
    {
        textures[i] = texture_of(document, scene, textures, i);
        json_t* material = make_material(document, &scene->materials[i], textures[i]);
        pelti_gltf_push(document, pelti_gltf_list_of(document, "materials"), material);
    }
    pelt_release(textures);
}
