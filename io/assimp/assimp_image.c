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

// What pictures and materials are called.
typedef struct picture_names
{
    const char** given; // last name of each picture's file; NULL: none
    pelti_name_list pictures, textures;
    bool* is_read; // per material, of the first that names its picture
} picture_names;

static void destroy_names(picture_names* names)
{
    pelt_release(names->given);
    pelt_release(names->is_read);
    pelti_name_list_destroy(&names->pictures);
    pelti_name_list_destroy(&names->textures);
}

static pelt_result sort_names(picture_names* out, const pelti_assimp* a)
{
    const struct aiScene* source = a->source;
    const pelt_material* materials = a->scene->materials;
    uint32_t material_count = a->scene->material_count;
    *out = (picture_names){.given = pelt_allocate(source->mNumTextures, sizeof *out->given),
                           .is_read = pelt_allocate(material_count, sizeof *out->is_read)};
    if (out->given == NULL || out->is_read == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memset(out->is_read, 0, material_count * sizeof *out->is_read);
    for (unsigned i = 0; i < source->mNumTextures; ++i)
    {
        const char* name = last_name(source->mTextures[i]->mFilename.data);
        out->given[i] = name[0] != '\0' ? name : NULL;
    }
    pelt_result result = pelti_name_list_create(&out->pictures, out->given, sizeof *out->given,
                                                source->mNumTextures);
    return result == PELT_OK
               ? pelti_name_list_create(&out->textures,
                                        material_count > 0 ? &materials[0].texture : NULL,
                                        sizeof *materials, material_count)
               : result;
}

// "*3" is assimp's way to say the fourth; some importers keep the name of the file instead.
static const struct aiTexture* find_embedded(const struct aiScene* source,
                                             const picture_names* names, const char* texture)
{
    unsigned long index = texture[0] == '*'
                              ? strtoul(texture + 1, NULL, 10)
                              : pelti_name_list_find(&names->pictures, last_name(texture));
    return index < source->mNumTextures ? source->mTextures[index] : NULL;
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

// Old formats hold bare texels, as blue, green, red, alpha.
static pelt_result encode_texels(pelt_image* out, pelti_assimp* a, const struct aiTexture* texture)
{
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

// A picture that cannot be read leaves the material without.
static pelt_result read_image_of(pelt_image* images, pelti_assimp* a, picture_names* names,
                                 const char* name)
{
    const struct aiTexture* texture = find_embedded(a->source, names, name);
    bool* is_read = &names->is_read[pelti_name_list_find(&names->textures, name)];
    if (texture == NULL || texture->pcData == NULL || *is_read)
    {
        return PELT_OK;
    }
    pelt_image image = {.name = name};
    pelt_result result = read_image(&image, a, texture);
    if (result == PELT_OK)
    {
        images[a->scene->image_count++] = image;
        *is_read = true;
    }
    return result == PELT_ERROR_MEMORY ? result : PELT_OK;
}

pelt_result pelti_assimp_read_images(pelti_assimp* a)
{
    pelt_scene* scene = a->scene;
    picture_names names;
    pelt_image* images = pelt_arena_alloc(a->arena, scene->material_count, sizeof *images);
    pelt_result result = sort_names(&names, a);
    result = images != NULL && result == PELT_OK ? PELT_OK : pelt_error_memory(a->error);
    scene->images = images;
    for (uint32_t i = 0; i < scene->material_count && result == PELT_OK; ++i)
    {
        const char* name = scene->materials[i].texture;
        result = name != NULL ? read_image_of(images, a, &names, name) : PELT_OK;
    }
    destroy_names(&names);
    return result;
}

#endif
