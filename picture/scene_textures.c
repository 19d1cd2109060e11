// SPDX-License-Identifier: MIT
// Pictures of the materials of a scene: each is decoded once, within a budget of pixels.
#include "picture_codec.h"

#include <stdio.h>
#include <string.h>

// Where the picture of a material is: an image of the scene, or a file.
typedef struct texture_entry
{
    const pelt_image* image; // NULL: a file, or nothing
    uint64_t hash;           // of the bytes of the image, or of the name of the file
    uint32_t decoded;        // which picture it became; PELT_NONE: none
    bool is_tried;
} texture_entry;

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

// A texture of the scene: index is material * PELT_SLOT_COUNT + slot.
static const pelt_material* material_at(const pelt_scene* scene, uint32_t index)
{
    return &scene->materials[index / PELT_SLOT_COUNT];
}

static const char* name_at(const pelt_scene* scene, uint32_t index)
{
    return material_at(scene, index)->textures[index % PELT_SLOT_COUNT].image;
}

static const pelt_image* image_of(const pelt_scene* scene, uint32_t index)
{
    const char* name = name_at(scene, index);
    uint32_t image = name != NULL ? pelt_scene_find_image(scene, name) : PELT_NONE;
    return image != PELT_NONE ? &scene->images[image] : NULL;
}

static pelt_result load(pelt_picture* out, texture_loader* loader, uint32_t index,
                        const pelt_image* image, pelt_error* error)
{
    const char* name = name_at(loader->scene, index);
    if (image != NULL)
    {
        return decode(out, loader, name, image->bytes, image->size, error);
    }
    if (loader->source == NULL || name[0] == '*')
    {
        return pelt_error_set(error, PELT_ERROR_READ, "the texture \"%.200s\" is not in the scene",
                              name);
    }
    return load_file(out, loader, name, error);
}

pelt_result pelt_texture_load(pelt_picture* out, const char* source, const pelt_scene* scene,
                              uint32_t material, pelt_texture_slot slot, pelt_error* error)
{
    PELT_ASSERT(out != NULL && scene != NULL && material < scene->material_count);
    PELT_ASSERT(slot < PELT_SLOT_COUNT);
    *out = (pelt_picture){0};
    const char* name = scene->materials[material].name;
    uint32_t index = material * PELT_SLOT_COUNT + (uint32_t)slot;
    if (name_at(scene, index) == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "material %u, \"%s\", has no %s texture",
                              material, name != NULL ? name : "", pelt_texture_slot_name(slot));
    }
    texture_loader loader = {source, scene, PELT_PICTURE_MAX_PIXELS};
    return load(out, &loader, index, image_of(scene, index), error);
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

static bool is_same_picture(const texture_loader* loader, const texture_entry* entries, uint32_t a,
                            uint32_t b)
{
    const pelt_image *x = entries[a].image, *y = entries[b].image;
    if (!entries[a].is_tried || entries[a].hash != entries[b].hash || (x == NULL) != (y == NULL))
    {
        return false;
    }
    return x == NULL ? strcmp(name_at(loader->scene, a), name_at(loader->scene, b)) == 0
                     : x == y || (x->size == y->size && memcmp(x->bytes, y->bytes, x->size) == 0);
}

// @param tried  those before, which have a name
static uint32_t find_same(const texture_loader* loader, const texture_entry* entries,
                          const uint32_t* tried, uint32_t tried_count, uint32_t index)
{
    for (uint32_t i = 0; i < tried_count; ++i)
    {
        if (is_same_picture(loader, entries, tried[i], index))
        {
            return tried[i];
        }
    }
    return PELT_NONE;
}

// How the GPU holds a picture: with alpha multiplied in, as color or as numbers.
static uint32_t kind_of(const pelt_scene* scene, uint32_t index)
{
    uint32_t slot = index % PELT_SLOT_COUNT;
    bool is_opaque = material_at(scene, index)->alpha_mode == PELT_ALPHA_OPAQUE;
    return slot == PELT_SLOT_BASE_COLOR ? (is_opaque ? 0 : 1) : slot == PELT_SLOT_EMISSIVE ? 0 : 2;
}

// Whether a GPU has the picture of this texture already, of the same kind.
static bool is_shown(const pelt_textures* textures, const texture_loader* loader,
                     const texture_entry* entries, const uint32_t* tried, uint32_t tried_count,
                     uint32_t index)
{
    for (uint32_t i = 0; i < tried_count; ++i)
    {
        if (entries[tried[i]].decoded == entries[index].decoded &&
            textures->pictures[tried[i]].pixels != NULL &&
            kind_of(loader->scene, tried[i]) == kind_of(loader->scene, index))
        {
            return true;
        }
    }
    return false;
}

static void leave_out(pelt_textures* out, const pelt_scene* scene, uint32_t index,
                      const char* reason)
{
    const char* name = material_at(scene, index)->name;
    pelt_texture_slot slot = (pelt_texture_slot)(index % PELT_SLOT_COUNT);
    if (out->left_out_count++ == 0)
    {
        snprintf(out->note, sizeof out->note, "%.100s is shown without its %s texture: %.400s",
                 name != NULL ? name : "a material", pelt_texture_slot_name(slot), reason);
    }
}

// A picture that is known already; a second copy on the GPU counts.
static pelt_result share(pelt_textures* out, texture_loader* loader, const texture_entry* entries,
                         const uint32_t* tried, uint32_t tried_count, uint32_t index,
                         pelt_error* error)
{
    uint32_t decoded = entries[index].decoded;
    pelt_picture picture = decoded != PELT_NONE ? out->decoded[decoded] : (pelt_picture){0};
    uint64_t pixels = is_shown(out, loader, entries, tried, tried_count, index)
                          ? 0
                          : (uint64_t)picture.width * picture.height;
    if (picture.pixels == NULL || pixels > loader->pixels_left)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%.200s: its picture is broken, or the pictures of the scene have "
                              "more pixels than their files explain",
                              name_at(loader->scene, index));
    }
    loader->pixels_left -= pixels;
    out->pictures[index] = picture;
    return PELT_OK;
}

static pelt_result load_one(pelt_textures* out, texture_loader* loader, texture_entry* entries,
                            const uint32_t* tried, uint32_t tried_count, uint32_t index,
                            pelt_error* error)
{
    const char* name = name_at(loader->scene, index);
    texture_entry* entry = &entries[index];
    entry->image = image_of(loader->scene, index);
    entry->hash = entry->image != NULL ? hash_bytes(entry->image->bytes, entry->image->size)
                                       : hash_bytes(name, strlen(name));
    uint32_t same = find_same(loader, entries, tried, tried_count, index);
    entry->is_tried = true;
    entry->decoded = same != PELT_NONE ? entries[same].decoded : PELT_NONE;
    if (same != PELT_NONE)
    {
        return share(out, loader, entries, tried, tried_count, index, error);
    }
    pelt_picture* picture = &out->decoded[out->decoded_count];
    PELT_TRY(load(picture, loader, index, entry->image, error));
    entry->decoded = out->decoded_count++;
    out->pictures[index] = *picture;
    return PELT_OK;
}

pelt_result pelt_textures_load(pelt_textures* out, const char* source, const pelt_scene* scene,
                               pelt_error* error)
{
    PELT_ASSERT(out != NULL && scene != NULL);
    uint32_t count = scene->material_count * PELT_SLOT_COUNT, tried_count = 0;
    size_t room = (size_t)count + 1;
    *out = (pelt_textures){.count = scene->material_count,
                           .pictures = pelt_allocate(room, sizeof *out->pictures),
                           .decoded = pelt_allocate(room, sizeof *out->decoded)};
    texture_entry* entries = pelt_allocate(room, sizeof *entries);
    uint32_t* tried = pelt_allocate(room, sizeof *tried);
    pelt_result result =
        out->pictures != NULL && out->decoded != NULL && entries != NULL && tried != NULL
            ? PELT_OK
            : pelt_error_memory(error);
    texture_loader loader = {source, scene, PELT_TEXTURES_FREE_PIXELS};
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        out->pictures[i] = (pelt_picture){0};
        entries[i] = (texture_entry){.decoded = PELT_NONE};
        pelt_error reason = {{0}};
        if (name_at(scene, i) == NULL)
        {
            continue;
        }
        result = load_one(out, &loader, entries, tried, tried_count, i, &reason);
        tried[tried_count++] = i;
        if (result != PELT_OK && result != PELT_ERROR_MEMORY)
        {
            leave_out(out, scene, i, reason.message);
            result = PELT_OK;
        }
    }
    pelt_release(tried);
    pelt_release(entries);
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
