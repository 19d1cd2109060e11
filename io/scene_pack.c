// SPDX-License-Identifier: MIT
// Prepares a scene for a file elsewhere: which images are copied, and which are left out.
#include "pelt/io.h"

#include "load_report.h"
#include "name_list.h"
#include "readers.h"
#include "writers.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

// A texture name of some materials, each once.
typedef struct texture
{
    const char* name;
    const char* path;   // of its file; NULL: it needs none, or has none
    const char* file;   // the same from the folder of the source
    const char* reason; // why it has no file
    const char* packed; // the new name for materials; NULL: the texture is left out
    bool is_added;      // to the images
} texture;

static pelt_result add_loss(packing* p, const char* name, const char* reason)
{
    const char* text = pelt_arena_format(p->arena, "the picture \"%.200s\" (%.400s)", name, reason);
    p->losses[p->loss_count++] = (pelti_loss){.one = text, .count = 1};
    return text != NULL ? PELT_OK : pelt_error_memory(p->error);
}

// An image that is left out. A reference to it would not be valid glTF.
static pelt_result lose(packing* p, texture* t, const char* reason)
{
    t->packed = NULL;
    return add_loss(p, t->name, reason);
}

// ---------------------------------------------------------------------------------------------
// Names

static int compare_images(const void* a, const void* b)
{
    return strcmp((*(const pelt_image* const*)a)->name, (*(const pelt_image* const*)b)->name);
}

// NULL: the scene has no image of that name.
static const pelt_image* find_in_scene(const packing* p, const char* name)
{
    const pelt_image wanted = {.name = name}, *key = &wanted;
    const pelt_image* const* found =
        bsearch(&key, p->sorted, p->scene->image_count, sizeof *p->sorted, compare_images);
    return found != NULL ? *found : NULL;
}

// Encode a name as a URI: escape sequences in the name are escaped.
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

// Materials that spell the name of a file in another way get the correct name. "%20" and other
// escapes are not another spelling.
static pelt_result respell(packing* p, texture* t)
{
    char* decoded = pelt_arena_string(p->arena, t->name);
    if (decoded == NULL)
    {
        return pelt_error_memory(p->error);
    }
    pelti_uri_unescape(decoded);
    bool is_right = strcmp(t->name, t->file) == 0 || strcmp(decoded, t->file) == 0;
    t->packed = is_right ? t->name : escape(t->file, p->arena);
    return t->packed != NULL ? PELT_OK : pelt_error_memory(p->error);
}

// ---------------------------------------------------------------------------------------------
// Pictures

static pelt_result add_image(packing* p, texture* t)
{
    pelti_blob blob = {0};
    pelt_error reason = {{0}};
    pelt_result result = pelti_blob_read(&blob, t->path, &reason);
    if (result == PELT_ERROR_MEMORY)
    {
        return pelt_error_memory(p->error);
    }
    if (result != PELT_OK || pelti_gltf_image_type(blob.data, blob.size) == NULL)
    {
        pelti_blob_release(&blob);
        return lose(p, t,
                    result != PELT_OK ? reason.message : "its file is neither PNG, JPEG nor WebP");
    }
    // An image inside the source may have the same name.
    const char* unique = find_in_scene(p, t->file) != NULL
                             ? pelt_arena_format(p->arena, "%s_%u", t->file, p->image_count)
                             : pelt_arena_string(p->arena, t->file);
    uint8_t* bytes = pelt_arena_alloc(p->arena, blob.size, 1);
    if (bytes != NULL)
    {
        memcpy(bytes, blob.data, blob.size);
    }
    p->images[p->image_count++] = (pelt_image){unique, bytes, blob.size};
    pelti_blob_release(&blob);
    t->packed = unique;
    t->is_added = true;
    return unique != NULL && bytes != NULL ? PELT_OK : pelt_error_memory(p->error);
}

static pelt_result find_file(packing* p, texture* t)
{
    if (p->source == NULL || t->name[0] == '*' || find_in_scene(p, t->name) != NULL)
    {
        return PELT_OK;
    }
    char* path = NULL;
    pelt_error reason = {{0}};
    pelt_result result = pelt_texture_path(&path, p->source, t->name, &reason);
    if (result == PELT_ERROR_MEMORY)
    {
        return pelt_error_memory(p->error);
    }
    const char* text = pelt_arena_string(p->arena, result == PELT_OK ? path : reason.message);
    pelt_release(path);
    if (text == NULL)
    {
        return pelt_error_memory(p->error);
    }
    t->path = result == PELT_OK ? text : NULL;
    t->file = result == PELT_OK ? text + pelti_path_folder(p->source) : NULL;
    t->reason = result == PELT_OK ? NULL : text;
    return PELT_OK;
}

// File name extensions of the formats that a glTF may refer to.
static bool has_gltf_extension(const char* name)
{
    static const char* const extensions[] = {".png", ".jpg", ".jpeg", ".webp"};
    const char* dot = strrchr(name, '.');
    bool is_known = false;
    for (size_t i = 0; dot != NULL && i < sizeof extensions / sizeof extensions[0]; ++i)
    {
        is_known = is_known || strcasecmp(dot, extensions[i]) == 0;
    }
    return is_known;
}

// @param first  the first texture of the same file: two spellings may lead to one
static pelt_result pack_texture(packing* p, texture* t, const texture* first)
{
    const pelt_image* image = find_in_scene(p, t->name);
    if (image != NULL)
    {
        return pelti_gltf_image_type(image->bytes, image->size) != NULL
                   ? PELT_OK
                   : add_loss(p, t->name, "it is neither PNG, JPEG nor WebP");
    }
    if (t->reason != NULL)
    {
        return lose(p, t, t->reason);
    }
    if (t->file == NULL)
    {
        return PELT_OK;
    }
    if (first->is_added)
    {
        t->packed = first->packed;
        return PELT_OK;
    }
    if (p->is_same_folder && !has_gltf_extension(t->file))
    {
        return lose(p, t, "its file is neither PNG, JPEG nor WebP");
    }
    return p->is_same_folder ? respell(p, t) : add_image(p, t);
}

// ---------------------------------------------------------------------------------------------

static int compare_textures(const void* a, const void* b)
{
    return strcmp((*(pelt_texture* const*)a)->image, (*(pelt_texture* const*)b)->image);
}

// Each texture once, for any number of materials that name it, and each file once.
static pelt_result pack_textures(packing* p, pelt_texture** sorted, uint32_t count)
{
    pelti_name_list files = {0};
    uint32_t texture_count = 0, use = 0;
    texture* textures = pelt_arena_alloc(p->arena, count, sizeof *textures);
    pelt_result result = textures != NULL ? PELT_OK : pelt_error_memory(p->error);
    qsort(sorted, count, sizeof(pelt_texture*), compare_textures);
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        const char* name = sorted[i]->image;
        if (texture_count == 0 || strcmp(textures[texture_count - 1].name, name) != 0)
        {
            textures[texture_count] = (texture){.name = name, .packed = name};
            result = find_file(p, &textures[texture_count++]);
        }
    }
    if (result == PELT_OK && pelti_name_list_create(&files, &textures[0].file, sizeof *textures,
                                                    texture_count) != PELT_OK)
    {
        result = pelt_error_memory(p->error);
    }
    for (uint32_t i = 0; i < texture_count && result == PELT_OK; ++i)
    {
        texture* t = &textures[i];
        uint32_t first = t->file != NULL ? pelti_name_list_find(&files, t->file) : i;
        result = pack_texture(p, t, &textures[first]);
        while (use < count && strcmp(sorted[use]->image, t->name) == 0)
        {
            sorted[use++]->image = t->packed;
        }
    }
    pelti_name_list_destroy(&files);
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
    size_t use_count = (size_t)count * PELT_SLOT_COUNT;
    size_t room = (size_t)inout->image_count + use_count;
    pelt_material* materials = pelt_arena_alloc(arena, count, sizeof *materials);
    pelt_texture** sorted = pelt_arena_alloc(arena, use_count, sizeof *sorted);
    p.images = pelt_arena_alloc(arena, room, sizeof *p.images);
    p.sorted = pelt_arena_alloc(arena, inout->image_count, sizeof *p.sorted);
    p.losses = pelt_arena_alloc(arena, use_count + 1, sizeof *p.losses);
    p.image_count = inout->image_count;
    bool is_ok =
        sorted != NULL && copy_lists(&p, materials) &&
        (source == NULL || pelti_path_is_same_folder(&p.is_same_folder, path, source) == PELT_OK);
    if (!is_ok)
    {
        return pelt_error_memory(error);
    }
    uint32_t used = 0;
    for (size_t i = 0; i < use_count; ++i)
    {
        pelt_texture* use = &materials[i / PELT_SLOT_COUNT].textures[i % PELT_SLOT_COUNT];
        if (use->image != NULL)
        {
            sorted[used++] = use;
        }
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
