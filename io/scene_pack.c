// SPDX-License-Identifier: MIT
// A scene on its way into a file elsewhere: which pictures go along, and what stays behind.
#include "pelt/io.h"

#include "losses.h"
#include "path_below.h"
#include "readers.h"
#include "writers.h"

#include <stdlib.h>
#include <string.h>

typedef struct packing
{
    pelt_scene* scene;
    const char* source;
    bool is_same_folder;
    pelt_arena* arena;
    pelt_error* error;
    pelt_image* images; // of the scene, and those that join them
    uint32_t image_count;
    const pelt_image** sorted; // those that the scene came with, by name
    pelti_loss* losses;
    uint32_t loss_count;
} packing;

static pelt_result add_loss(packing* p, const char* texture, const char* reason)
{
    const char* text =
        pelt_arena_format(p->arena, "the picture \"%.200s\" (%.400s)", texture, reason);
    p->losses[p->loss_count++] = (pelti_loss){.one = text, .count = 1};
    return text != NULL ? PELT_OK : pelt_error_memory(p->error);
}

// ---------------------------------------------------------------------------------------------
// Names

static int compare_images(const void* a, const void* b)
{
    return strcmp((*(const pelt_image* const*)a)->name, (*(const pelt_image* const*)b)->name);
}

// NULL: the scene came without.
static const pelt_image* find_in_scene(const packing* p, const char* name)
{
    const pelt_image wanted = {.name = name}, *key = &wanted;
    const pelt_image* const* found =
        bsearch(&key, p->sorted, p->scene->image_count, sizeof *p->sorted, compare_images);
    return found != NULL ? *found : NULL;
}

// A name that is no URI yet: what would be taken for an escape is escaped.
static const char* escape(const char* name, pelt_arena* arena)
{
    char* out = pelt_arena_alloc(arena, 3 * strlen(name) + 1, 1);
    char* end = out;
    for (; out != NULL && *name != '\0'; ++name)
    {
        if (*name == '%')
        {
            *end++ = '%';
            *end++ = '2';
        }
        *end++ = *name == '%' ? '5' : *name;
    }
    return out;
}

// Materials that spell the name of a file in another way, or find it by luck, get it as it is.
// "%20" and the like are no other way.
static pelt_result respell(const char** out, packing* p, const char* texture, const char* name)
{
    char* decoded = pelt_arena_string(p->arena, texture);
    if (decoded == NULL)
    {
        return pelt_error_memory(p->error);
    }
    pelti_uri_unescape(decoded);
    bool is_right = strcmp(texture, name) == 0 || strcmp(decoded, name) == 0;
    *out = is_right ? texture : escape(name, p->arena);
    return *out != NULL ? PELT_OK : pelt_error_memory(p->error);
}

// ---------------------------------------------------------------------------------------------
// Pictures

// Two spellings may lead to one file.
static uint32_t find_added(const packing* p, const char* name)
{
    for (uint32_t i = p->scene->image_count; i < p->image_count; ++i)
    {
        if (strcmp(p->images[i].name, name) == 0)
        {
            return i;
        }
    }
    return PELT_NONE;
}

static pelt_result add_image(const char** out, packing* p, const char* texture, const char* path,
                             const char* name)
{
    pelti_blob blob = {0};
    pelt_error reason = {{0}};
    pelt_result result = pelti_blob_read(&blob, path, &reason);
    if (result == PELT_ERROR_MEMORY)
    {
        return pelt_error_memory(p->error);
    }
    if (result != PELT_OK || pelti_gltf_image_type(blob.data, blob.size) == NULL)
    {
        pelti_blob_release(&blob);
        return add_loss(p, texture,
                        result != PELT_OK ? reason.message
                                          : "its file is neither PNG, JPEG nor WebP");
    }
    // An image inside the source may have the same name.
    const char* unique = find_in_scene(p, name) != NULL
                             ? pelt_arena_format(p->arena, "%s_%u", name, p->image_count)
                             : pelt_arena_string(p->arena, name);
    uint8_t* bytes = pelt_arena_alloc(p->arena, blob.size, 1);
    if (bytes != NULL)
    {
        memcpy(bytes, blob.data, blob.size);
    }
    p->images[p->image_count++] = (pelt_image){unique, bytes, blob.size};
    pelti_blob_release(&blob);
    *out = unique;
    return unique != NULL && bytes != NULL ? PELT_OK : pelt_error_memory(p->error);
}

// @param out  what materials shall call it from now on; stays as it was where nothing changes
static pelt_result pack_file(const char** out, packing* p, const char* texture)
{
    char* path = NULL;
    pelt_error reason = {{0}};
    pelt_result result = pelt_texture_path(&path, p->source, texture, &reason);
    if (result != PELT_OK)
    {
        return result == PELT_ERROR_MEMORY ? pelt_error_memory(p->error)
                                           : add_loss(p, texture, reason.message);
    }
    const char* name = path + pelti_path_folder(p->source);
    uint32_t added = find_added(p, name);
    if (added != PELT_NONE)
    {
        *out = p->images[added].name;
    }
    else
    {
        result = p->is_same_folder ? respell(out, p, texture, name)
                                   : add_image(out, p, texture, path, name);
    }
    pelt_release(path);
    return result;
}

static pelt_result check_image(packing* p, const char* texture, const pelt_image* image)
{
    return pelti_gltf_image_type(image->bytes, image->size) != NULL
               ? PELT_OK
               : add_loss(p, texture, "it is neither PNG, JPEG nor WebP");
}

static pelt_result pack_texture(const char** out, packing* p, const char* texture)
{
    const pelt_image* image = find_in_scene(p, texture);
    if (image != NULL)
    {
        return check_image(p, texture, image);
    }
    return p->source != NULL && texture[0] != '*' ? pack_file(out, p, texture) : PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static int compare_textures(const void* a, const void* b)
{
    return strcmp((*(pelt_material* const*)a)->texture, (*(pelt_material* const*)b)->texture);
}

// Each texture once, however many materials name it.
static pelt_result pack_textures(packing* p, pelt_material** sorted, uint32_t count)
{
    pelt_result result = PELT_OK;
    qsort(sorted, count, sizeof(pelt_material*), compare_textures);
    for (uint32_t first = 0, end; first < count && result == PELT_OK; first = end)
    {
        const char* texture = sorted[first]->texture;
        const char* packed = texture;
        result = pack_texture(&packed, p, texture);
        for (end = first; end < count && strcmp(sorted[end]->texture, texture) == 0;)
        {
            sorted[end++]->texture = packed;
        }
    }
    return result;
}

static bool copy_lists(packing* p, pelt_material* materials)
{
    const pelt_scene* scene = p->scene;
    bool is_ok = materials != NULL && p->images != NULL && p->sorted != NULL && p->losses != NULL;
    if (is_ok && scene->material_count > 0)
    {
        memcpy(materials, scene->materials, scene->material_count * sizeof *materials);
    }
    for (uint32_t i = 0; i < scene->image_count && is_ok; ++i)
    {
        p->images[i] = scene->images[i];
        p->sorted[i] = &scene->images[i];
    }
    if (is_ok && scene->image_count > 0)
    {
        qsort(p->sorted, scene->image_count, sizeof *p->sorted, compare_images);
    }
    return is_ok;
}

static void count_still_clips(packing* p)
{
    pelti_loss loss = {"clip that moves nothing", "clips that move nothing", 0};
    for (uint32_t i = 0; i < p->scene->clip_count; ++i)
    {
        loss.count += p->scene->clips[i].track_count == 0;
    }
    p->losses[p->loss_count++] = loss;
}

pelt_result pelt_scene_pack(pelt_scene* inout, const char* source, const char* path,
                            pelt_arena* arena, pelt_error* error)
{
    PELT_ASSERT(inout != NULL && path != NULL && arena != NULL);

    packing p = {.scene = inout, .source = source, .arena = arena, .error = error};
    uint32_t count = inout->material_count;
    size_t room = (size_t)inout->image_count + count;
    pelt_material* materials = pelt_arena_alloc(arena, count, sizeof *materials);
    pelt_material** sorted = pelt_arena_alloc(arena, count, sizeof *sorted);
    p.images = pelt_arena_alloc(arena, room, sizeof *p.images);
    p.sorted = pelt_arena_alloc(arena, inout->image_count, sizeof *p.sorted);
    p.losses = pelt_arena_alloc(arena, (size_t)count + 1, sizeof *p.losses);
    p.image_count = inout->image_count;
    bool is_ok =
        sorted != NULL && copy_lists(&p, materials) &&
        (source == NULL || pelti_path_is_same_folder(&p.is_same_folder, path, source) == PELT_OK);
    if (!is_ok)
    {
        return pelt_error_memory(error);
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sorted[used] = &materials[i];
        used += materials[i].texture != NULL;
    }
    pelt_result result = used > 0 ? pack_textures(&p, sorted, used) : PELT_OK;
    count_still_clips(&p);
    if (result != PELT_OK || !pelti_losses_add(inout, arena, p.losses, p.loss_count))
    {
        return pelt_error_memory(error);
    }
    inout->materials = materials;
    inout->images = p.images;
    inout->image_count = p.image_count;
    return PELT_OK;
}
