// SPDX-License-Identifier: MIT
// Pictures inside the file, for the materials that name them.
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include "../name_list.h"
#include "texel_png.h"

#include <stdlib.h>
#include <string.h>

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
    pelt_result result =
        pelti_texel_png(&file, &size, rgba, texture->mWidth, texture->mHeight, a->error);
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
    // The last name of each picture's file, or NULL; of each material that is the first to name its
    // picture, whether that is read.
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
        pelti_name_list_create(&textures, count > 0 ? &materials[0].texture : NULL,
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
        const char* name = materials[i].texture;
        if (name == NULL || is_read[pelti_name_list_find(&textures, name)])
        {
            continue;
        }
        // "*3" is assimp's way to say the fourth; some importers keep the name of the file instead.
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
