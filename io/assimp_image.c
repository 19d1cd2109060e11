// SPDX-License-Identifier: MIT
// Pictures inside the file, for the materials that name them.
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include "picture_codec.h"

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

// "*3" is assimp's way to say the fourth; some importers keep the name of the file instead.
static const struct aiTexture* find_embedded(const struct aiScene* source, const char* texture)
{
    if (texture[0] == '*')
    {
        unsigned long index = strtoul(texture + 1, NULL, 10);
        return index < source->mNumTextures ? source->mTextures[index] : NULL;
    }
    const char* name = last_name(texture);
    for (unsigned i = 0; i < source->mNumTextures; ++i)
    {
        const char* given = last_name(source->mTextures[i]->mFilename.data);
        if (given[0] != '\0' && strcmp(given, name) == 0)
        {
            return source->mTextures[i];
        }
    }
    return NULL;
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

// Old formats hold bare pixels. As a PNG file they are like all other images.
static pelt_result encode_texels(pelt_image* out, pelti_assimp* a, const struct aiTexture* texture)
{
    pelt_picture picture;
    pelt_result result = pelt_picture_create(&picture, texture->mWidth, texture->mHeight, a->error);
    if (result != PELT_OK)
    {
        return result;
    }
    for (size_t i = 0; i < (size_t)picture.width * picture.height; ++i)
    {
        struct aiTexel t = texture->pcData[i];
        picture.pixels[i] = (pelt_color){t.r, t.g, t.b, t.a};
    }
    pelti_blob file;
    result = pelti_png_encode(&file, &picture, NULL, a->error);
    pelt_picture_destroy(&picture);
    if (result == PELT_OK && !copy_bytes(out, a, file.data, file.size))
    {
        result = pelt_error_memory(a->error);
    }
    pelti_blob_release(&file);
    return result;
}

static pelt_result read_image(pelt_image* out, pelti_assimp* a, const struct aiTexture* texture)
{
    if (texture->mHeight > 0)
    {
        return encode_texels(out, a, texture);
    }
    // Without a height, the width counts the bytes of a file.
    return copy_bytes(out, a, texture->pcData, texture->mWidth) ? PELT_OK
                                                                : pelt_error_memory(a->error);
}

pelt_result pelti_assimp_read_images(pelti_assimp* a)
{
    pelt_scene* scene = a->scene;
    pelt_image* images = pelt_arena_alloc(a->arena, scene->material_count, sizeof *images);
    if (images == NULL)
    {
        return pelt_error_memory(a->error);
    }
    scene->images = images;
    for (uint32_t i = 0; i < scene->material_count; ++i)
    {
        const char* name = scene->materials[i].texture;
        const struct aiTexture* texture = name != NULL ? find_embedded(a->source, name) : NULL;
        if (texture == NULL || texture->pcData == NULL ||
            pelt_scene_find_image(scene, name) != PELT_NONE)
        {
            continue;
        }
        pelt_image image = {.name = name};
        pelt_result result = read_image(&image, a, texture);
        if (result == PELT_ERROR_MEMORY)
        {
            return result;
        }
        if (result == PELT_OK)
        {
            images[scene->image_count++] = image;
        }
    }
    return PELT_OK;
}

#endif
