// SPDX-License-Identifier: MIT
// The scene of a character as a file of its own, with textures that came as files.
#include "character.h"
#include "memory_files.h"
#include "web.h"

#include <string.h>
#include <strings.h>

static const char* file_name_of(const char* path)
{
    const char* name = path;
    for (const char* at = path; *at != '\0'; ++at)
    {
        name = *at == '/' || *at == '\\' ? at + 1 : name;
    }
    return name;
}

static bool has_image(const pelt_scene* scene, const char* name)
{
    for (uint32_t i = 0; i < scene->image_count; ++i)
    {
        if (scene->images[i].name != NULL && strcmp(scene->images[i].name, name) == 0)
        {
            return true;
        }
    }
    return false;
}

// By the name alone: folders are those of the machine that wrote the file.
static const web_file* find_file(const web_character* in, const char* path)
{
    for (uint32_t i = 0; i < in->file_count; ++i)
    {
        if (strcasecmp(file_name_of(in->files[i].name), file_name_of(path)) == 0)
        {
            return &in->files[i];
        }
    }
    return NULL;
}

// Textures that are among the files become images of the scene.
static pelt_result add_images(pelt_scene* inout, const web_character* in, pelt_arena* arena)
{
    size_t most = (size_t)inout->image_count + (size_t)inout->material_count * PELT_SLOT_COUNT;
    pelt_image* images = pelt_arena_alloc(arena, most + 1, sizeof *images);
    if (images == NULL)
    {
        return pelt_error_memory(&web_error);
    }
    if (inout->image_count > 0)
    {
        memcpy(images, inout->images, inout->image_count * sizeof *images);
    }
    inout->images = images;
    for (uint32_t i = 0; i < inout->material_count * PELT_SLOT_COUNT; ++i)
    {
        const char* name =
            inout->materials[i / PELT_SLOT_COUNT].textures[i % PELT_SLOT_COUNT].image;
        const web_file* file = name != NULL && !has_image(inout, name) ? find_file(in, name) : NULL;
        if (file != NULL && pelt_image_type(file->bytes, file->size) != NULL)
        {
            images[inout->image_count++] =
                (pelt_image){.name = name, .bytes = file->bytes, .size = file->size};
        }
    }
    return PELT_OK;
}

uint32_t WEB_EXPORT(web_character_save_scene)(const web_character* in, const char* path)
{
    web_files_clear();
    pelt_scene packed = in->scene;
    pelt_arena* arena = pelt_arena_create();
    pelt_result result =
        arena != NULL ? add_images(&packed, in, arena) : pelt_error_memory(&web_error);
    if (result == PELT_OK)
    {
        result = pelt_scene_pack(&packed, NULL, path, arena, &web_error);
    }
    if (result == PELT_OK)
    {
        result = pelt_save_scene(path, pelt_format_of(path), &packed, &web_error);
    }
    pelt_arena_destroy(arena);
    return result;
}

/// Choose the attributes that files store centers and mix factors in.
/// @param carrier  of pelt_carrier
uint32_t WEB_EXPORT(web_character_set_carrier)(web_character* inout, uint32_t carrier)
{
    return pelt_scene_set_carrier(&inout->scene, NULL, (pelt_carrier)carrier, inout->arena) ==
                   PELT_OK
               ? PELT_OK
               : pelt_error_memory(&web_error);
}
