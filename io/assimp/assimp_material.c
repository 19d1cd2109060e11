// SPDX-License-Identifier: MIT
// Materials for display, a color and the name of its texture, and the images inside the file.
#include "../name_list.h"
#include "../packed/packed.h"
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include <assimp/material.h>
#include <stdlib.h>
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
    // NaN becomes the lower end. Exporters that write an opacity of 0 mean 1.
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

// Whether the alpha of the base color texture is the opacity: a file says so, or names the texture
// for both.
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
    pelt_texture* base = &out->textures[PELT_SLOT_BASE_COLOR];
    base->image = pelt_arena_string(arena, texture.data);
    base->sampler = (pelt_sampler){.wrap_u = wrap_of(material, "$tex.mapmodeu", type),
                                   .wrap_v = wrap_of(material, "$tex.mapmodev", type)};
    out->alpha_mode = has_alpha(material, texture.data, type) ? PELT_ALPHA_BLEND : out->alpha_mode;
    return base->image != NULL;
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

// ---------------------------------------------------------------------------------------------
// Images inside the file, for the materials that name them

enum
{
    MAX_IMAGE_SIZE = 16384,
};

// Rows of RGBA, each after the number of its filter, "none".
static uint8_t* make_rows(const uint8_t* rgba, uint32_t width, uint32_t height)
{
    size_t row = 4 * (size_t)width;
    uint8_t* rows = pelt_allocate(row + 1, height);
    for (uint32_t y = 0; rows != NULL && y < height; ++y)
    {
        rows[y * (row + 1)] = 0;
        memcpy(rows + y * (row + 1) + 1, rgba + y * row, row);
    }
    return rows;
}

// Texels as a PNG file (ISO/IEC 15948), like all other images of a scene.
// @param out   the file; free with pelt_release()
// @param rgba  4 bytes for each texel, rows from top to bottom
static pelt_result make_png(uint8_t** out, size_t* out_size, const uint8_t* rgba, uint32_t width,
                            uint32_t height, pelt_error* error)
{
    *out = NULL;
    if (width == 0 || height == 0 || width > MAX_IMAGE_SIZE || height > MAX_IMAGE_SIZE)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "an image of %u x %u texels cannot be kept: width and height must be "
                              "1 to %u",
                              width, height, MAX_IMAGE_SIZE);
    }
    uint8_t* rows = make_rows(rgba, width, height);
    pelt_result result = PELT_ERROR_MEMORY;
    if (rows != NULL)
    {
        result = pelti_png_pack(out, out_size, rows, width, height, 8);
    }
    pelt_release(rows);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

static const char* last_name(const char* path)
{
    const char* name = path;
    for (; *path != '\0'; ++path)
    {
        name = *path == '/' || *path == '\\' ? path + 1 : name;
    }
    return name;
}

static bool copy_bytes(pelt_image* out, pelti_assimp* a, const void* bytes, size_t size)
{
    uint8_t* copy = pelt_arena_alloc(a->arena, size, 1);
    if (copy != NULL && size > 0)
    {
        memcpy(copy, bytes, size);
    }
    out->bytes = copy;
    out->size = size;
    return copy != NULL;
}

static pelt_result read_image(pelt_image* out, pelti_assimp* a, const struct aiTexture* texture)
{
    // Without a height, the width counts the bytes of a file.
    if (texture->mHeight == 0)
    {
        return copy_bytes(out, a, texture->pcData, texture->mWidth) ? PELT_OK
                                                                    : pelt_error_memory(a->error);
    }
    // Old formats hold bare texels, as blue, green, red, alpha.
    size_t count = (size_t)texture->mWidth * texture->mHeight;
    uint8_t* rgba = pelt_allocate(count, 4);
    if (rgba == NULL)
    {
        return pelt_error_memory(a->error);
    }
    for (size_t i = 0; i < count; ++i)
    {
        struct aiTexel t = texture->pcData[i];
        memcpy(rgba + 4 * i, (const uint8_t[]){t.r, t.g, t.b, t.a}, 4);
    }
    uint8_t* file;
    size_t size;
    pelt_result result = make_png(&file, &size, rgba, texture->mWidth, texture->mHeight, a->error);
    pelt_release(rgba);
    if (result == PELT_OK && !copy_bytes(out, a, file, size))
    {
        result = pelt_error_memory(a->error);
    }
    pelt_release(file);
    return result;
}

pelt_result pelti_assimp_read_images(pelti_assimp* a)
{
    const struct aiScene* source = a->source;
    pelt_scene* scene = a->scene;
    const pelt_material* materials = scene->materials;
    uint32_t count = scene->material_count, picture_count = source->mNumTextures;
    pelt_image* images = pelt_arena_alloc(a->arena, count, sizeof *images);
    // The last name of each image file, or NULL; and for the first material that names it, whether
    // the image is read.
    const char** given = pelt_allocate(picture_count, sizeof *given);
    bool* is_read = pelt_allocate(count, sizeof *is_read);
    pelti_name_list pictures = {0}, textures = {0};
    pelt_result result = images && given && is_read ? PELT_OK : PELT_ERROR_MEMORY;
    for (uint32_t i = 0; i < picture_count && result == PELT_OK; ++i)
    {
        const char* name = last_name(source->mTextures[i]->mFilename.data);
        given[i] = name[0] != '\0' ? name : NULL;
    }
    if (result != PELT_OK ||
        pelti_name_list_create(&pictures, given, sizeof *given, picture_count) != PELT_OK ||
        pelti_name_list_create(
            &textures, count > 0 ? &materials[0].textures[PELT_SLOT_BASE_COLOR].image : NULL,
            sizeof *materials, count) != PELT_OK)
    {
        result = pelt_error_memory(a->error);
    }
    else
    {
        memset(is_read, 0, count * sizeof *is_read);
    }
    scene->images = images;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        const char* name = materials[i].textures[PELT_SLOT_BASE_COLOR].image;
        if (name == NULL || is_read[pelti_name_list_find(&textures, name)])
        {
            continue;
        }
        // "*3" is assimp's name of the fourth image; some importers keep the name of the file
        // instead.
        unsigned long index = name[0] == '*' ? strtoul(name + 1, NULL, 10)
                                             : pelti_name_list_find(&pictures, last_name(name));
        pelt_image image = {.name = name};
        if (index >= picture_count || source->mTextures[index]->pcData == NULL)
        {
            continue;
        }
        // A picture that cannot be read leaves the material without.
        pelt_result image_result = read_image(&image, a, source->mTextures[index]);
        if (image_result == PELT_OK)
        {
            images[scene->image_count++] = image;
            is_read[pelti_name_list_find(&textures, name)] = true;
        }
        result = image_result == PELT_ERROR_MEMORY ? image_result : PELT_OK;
    }
    pelti_name_list_destroy(&textures);
    pelti_name_list_destroy(&pictures);
    pelt_release(is_read);
    pelt_release(given);
    return result;
}

#endif
