// SPDX-License-Identifier: MIT
// Pictures of the materials of a scene: each is decoded once, within a budget of pixels.
#include "picture_codec.h"

#include <stdio.h>
#include <string.h>

// Where the picture of a material is: an image of the scene, or a file.
typedef struct texture_place
{
    const pelt_image* image; // NULL: a file, or nothing
    uint64_t hash;           // of the bytes of the image, or of the name of the file
    uint32_t decoded;        // which picture it became; PELT_NONE: none
    bool is_tried;
} texture_place;

typedef struct texture_loader
{
    const char* source;
    const pelt_scene* scene;
    uint64_t pixels_left;
} texture_loader;

// Pixels that a file of so many bytes brings are added to those that are left.
static pelt_result decode(pelt_picture* out, texture_loader* loader, const char* name,
                          const void* bytes, size_t size, pelt_error* error)
{
    uint64_t most = loader->pixels_left + (uint64_t)PELT_TEXTURES_PIXELS_PER_BYTE * size;
    const pelti_picture_source source = {
        bytes, size, name, most < PELT_PICTURE_MAX_PIXELS ? most : PELT_PICTURE_MAX_PIXELS};
    PELT_TRY(pelti_picture_decode(out, &source, error));
    loader->pixels_left = most - (uint64_t)out->width * out->height;
    return PELT_OK;
}

static pelt_result load_file(pelt_picture* out, texture_loader* loader, const char* texture,
                             pelt_error* error)
{
    char* path = NULL;
    pelt_source file = {0};
    pelt_result result = pelt_texture_path(&path, loader->source, texture, error);
    if (result == PELT_OK)
    {
        result = pelt_source_read(&file, path, error);
    }
    if (result == PELT_OK)
    {
        result = decode(out, loader, path, file.bytes, file.size, error);
        pelt_source_release(&file);
    }
    pelt_release(path);
    return result;
}

static const pelt_image* image_of(const pelt_scene* scene, uint32_t material)
{
    const char* texture = scene->materials[material].textures[PELT_SLOT_BASE_COLOR].image;
    uint32_t image = texture != NULL ? pelt_scene_find_image(scene, texture) : PELT_NONE;
    return image != PELT_NONE ? &scene->images[image] : NULL;
}

static pelt_result load(pelt_picture* out, texture_loader* loader, uint32_t material,
                        const pelt_image* image, pelt_error* error)
{
    const char* texture = loader->scene->materials[material].textures[PELT_SLOT_BASE_COLOR].image;
    if (image != NULL)
    {
        return decode(out, loader, texture, image->bytes, image->size, error);
    }
    if (loader->source == NULL || texture[0] == '*')
    {
        return pelt_error_set(error, PELT_ERROR_READ, "the texture \"%.200s\" is not in the scene",
                              texture);
    }
    return load_file(out, loader, texture, error);
}

pelt_result pelt_texture_load(pelt_picture* out, const char* source, const pelt_scene* scene,
                              uint32_t material, pelt_error* error)
{
    PELT_ASSERT(out != NULL && scene != NULL && material < scene->material_count);
    *out = (pelt_picture){0};
    const char* name = scene->materials[material].name;
    if (scene->materials[material].textures[PELT_SLOT_BASE_COLOR].image == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "material %u, \"%s\", has no texture",
                              material, name != NULL ? name : "");
    }
    texture_loader loader = {source, scene, PELT_PICTURE_MAX_PIXELS};
    return load(out, &loader, material, image_of(scene, material), error);
}

// ---------------------------------------------------------------------------------------------
// All of a scene

static uint64_t hash_bytes(const void* bytes, size_t size)
{
    uint64_t hash = 0xCBF29CE484222325u; // FNV-1a
    for (size_t i = 0; i < size; ++i)
    {
        hash = (hash ^ ((const uint8_t*)bytes)[i]) * 0x100000001B3u;
    }
    return hash;
}

static bool is_same_picture(const texture_loader* loader, const texture_place* places, uint32_t a,
                            uint32_t b)
{
    const pelt_image *x = places[a].image, *y = places[b].image;
    if (!places[a].is_tried || places[a].hash != places[b].hash || (x == NULL) != (y == NULL))
    {
        return false;
    }
    const pelt_material* materials = loader->scene->materials;
    return x == NULL ? strcmp(materials[a].textures[PELT_SLOT_BASE_COLOR].image,
                              materials[b].textures[PELT_SLOT_BASE_COLOR].image) == 0
                     : x == y || (x->size == y->size && memcmp(x->bytes, y->bytes, x->size) == 0);
}

static uint32_t find_same(const texture_loader* loader, const texture_place* places,
                          uint32_t material)
{
    for (uint32_t i = 0; i < material; ++i)
    {
        if (is_same_picture(loader, places, i, material))
        {
            return i;
        }
    }
    return PELT_NONE;
}

static bool is_opaque(const pelt_scene* scene, uint32_t material)
{
    return scene->materials[material].alpha_mode == PELT_ALPHA_OPAQUE;
}

// Whether a GPU has the picture of this material already, with alpha or without as it needs.
static bool is_shown(const pelt_textures* textures, const texture_loader* loader,
                     const texture_place* places, uint32_t material)
{
    for (uint32_t i = 0; i < material; ++i)
    {
        if (places[i].is_tried && places[i].decoded == places[material].decoded &&
            textures->pictures[i].pixels != NULL &&
            is_opaque(loader->scene, i) == is_opaque(loader->scene, material))
        {
            return true;
        }
    }
    return false;
}

static void leave_out(pelt_textures* out, const pelt_material* material, const char* reason)
{
    if (out->left_out_count++ == 0)
    {
        snprintf(out->note, sizeof out->note, "%.100s is shown without its texture: %.400s",
                 material->name != NULL ? material->name : "a material", reason);
    }
}

// A picture that is known already; a second copy on the GPU counts.
static pelt_result share(pelt_textures* out, texture_loader* loader, const texture_place* places,
                         uint32_t material, pelt_error* error)
{
    uint32_t decoded = places[material].decoded;
    pelt_picture picture = decoded != PELT_NONE ? out->decoded[decoded] : (pelt_picture){0};
    uint64_t pixels =
        is_shown(out, loader, places, material) ? 0 : (uint64_t)picture.width * picture.height;
    if (picture.pixels == NULL || pixels > loader->pixels_left)
    {
        return pelt_error_set(
            error, PELT_ERROR_UNSUPPORTED,
            "%.200s: its picture is broken, or the pictures of the scene have "
            "more pixels than their files explain",
            loader->scene->materials[material].textures[PELT_SLOT_BASE_COLOR].image);
    }
    loader->pixels_left -= pixels;
    out->pictures[material] = picture;
    return PELT_OK;
}

static pelt_result load_one(pelt_textures* out, texture_loader* loader, texture_place* places,
                            uint32_t material, pelt_error* error)
{
    const pelt_material* materials = loader->scene->materials;
    texture_place* place = &places[material];
    place->image = image_of(loader->scene, material);
    place->hash =
        place->image != NULL
            ? hash_bytes(place->image->bytes, place->image->size)
            : hash_bytes(materials[material].textures[PELT_SLOT_BASE_COLOR].image,
                         strlen(materials[material].textures[PELT_SLOT_BASE_COLOR].image));
    uint32_t same = find_same(loader, places, material);
    place->is_tried = true;
    place->decoded = same != PELT_NONE ? places[same].decoded : PELT_NONE;
    if (same != PELT_NONE)
    {
        return share(out, loader, places, material, error);
    }
    pelt_picture* picture = &out->decoded[out->decoded_count];
    PELT_TRY(load(picture, loader, material, place->image, error));
    place->decoded = out->decoded_count++;
    out->pictures[material] = *picture;
    return PELT_OK;
}

pelt_result pelt_textures_load(pelt_textures* out, const char* source, const pelt_scene* scene,
                               pelt_error* error)
{
    PELT_ASSERT(out != NULL && scene != NULL);
    size_t count = (size_t)scene->material_count + 1;
    *out = (pelt_textures){.count = scene->material_count,
                           .pictures = pelt_allocate(count, sizeof *out->pictures),
                           .decoded = pelt_allocate(count, sizeof *out->decoded)};
    texture_place* places = pelt_allocate(count, sizeof *places);
    pelt_result result = out->pictures != NULL && out->decoded != NULL && places != NULL
                             ? PELT_OK
                             : pelt_error_memory(error);
    texture_loader loader = {source, scene, PELT_TEXTURES_FREE_PIXELS};
    for (uint32_t i = 0; i < out->count && result == PELT_OK; ++i)
    {
        out->pictures[i] = (pelt_picture){0};
        places[i] = (texture_place){.decoded = PELT_NONE};
        pelt_error reason = {{0}};
        if (scene->materials[i].textures[PELT_SLOT_BASE_COLOR].image != NULL)
        {
            result = load_one(out, &loader, places, i, &reason);
        }
        if (result != PELT_OK && result != PELT_ERROR_MEMORY)
        {
            leave_out(out, &scene->materials[i], reason.message);
            result = PELT_OK;
        }
    }
    pelt_release(places);
    if (result != PELT_OK)
    {
        pelt_textures_destroy(out);
        return pelt_error_memory(error);
    }
    if (out->left_out_count > 1)
    {
        size_t length = strlen(out->note);
        snprintf(out->note + length, sizeof out->note - length, " (and %u more)",
                 out->left_out_count - 1);
    }
    return PELT_OK;
}

void pelt_textures_destroy(pelt_textures* textures)
{
    PELT_ASSERT(textures != NULL);
    for (uint32_t i = 0; i < textures->decoded_count; ++i)
    {
        pelt_picture_destroy(&textures->decoded[i]);
    }
    pelt_release(textures->decoded);
    pelt_release(textures->pictures);
    *textures = (pelt_textures){0};
}
