// SPDX-License-Identifier: MIT
#include "packed_scene.h"

#include "output.h"
#include "terminal.h"

#include <string.h>

// A file may lack any number of images, but messages have a limited length.
static const char* list_lost(const pelt_scene* scene, pelt_arena* arena)
{
    enum
    {
        MOST = 12
    };
    uint32_t count = scene->loss_count <= MOST ? scene->loss_count : MOST - 1;
    const char* list = "";
    for (uint32_t i = 0; i < count && list != NULL; ++i)
    {
        list = pelt_arena_format(arena, "%s%s%s", list, i > 0 ? "; " : "", scene->losses[i].what);
    }
    return list != NULL && count < scene->loss_count
               ? pelt_arena_format(arena, "%s; and %u more, which --json lists", list,
                                   scene->loss_count - count)
               : list;
}

int packed_scene_create(packed_scene* out, const pelt_scene* scene, const char* source,
                        const char* path)
{
    *out = (packed_scene){.scene = *scene, .arena = pelt_arena_create()};
    bool is_rig = strncmp(source, "rig:", 4) == 0;
    pelt_error error = {0};
    pelt_result result = out->arena != NULL ? pelt_scene_pack(&out->scene, is_rig ? NULL : source,
                                                              path, out->arena, &error)
                                            : pelt_error_memory(&error);
    if (result == PELT_OK)
    {
        out->lost = list_lost(&out->scene, out->arena);
        result = out->lost != NULL ? PELT_OK : pelt_error_memory(&error);
    }
    if (result != PELT_OK)
    {
        packed_scene_destroy(out);
    }
    return message_error(result, &error);
}

int packed_scene_add_loss(packed_scene* inout, const char* what)
{
    uint32_t count = inout->scene.loss_count;
    pelt_loss* losses = pelt_arena_alloc(inout->arena, (size_t)count + 1, sizeof *losses);
    char* copy = losses != NULL ? pelt_arena_string(inout->arena, what) : NULL;
    if (copy == NULL)
    {
        return message_memory();
    }
    if (count > 0)
    {
        memcpy(losses, inout->scene.losses, count * sizeof *losses);
    }
    losses[count] = (pelt_loss){.what = copy};
    inout->scene.losses = losses;
    inout->scene.loss_count = count + 1;
    inout->lost = list_lost(&inout->scene, inout->arena);
    return inout->lost != NULL ? EXIT_DONE : message_memory();
}

int packed_scene_create_copy(packed_scene* out, const pelt_scene* scene)
{
    *out = (packed_scene){.scene = *scene, .lost = "", .arena = pelt_arena_create()};
    out->scene.loss_count = 0;
    return out->arena != NULL ? EXIT_DONE : message_memory();
}

void packed_scene_destroy(packed_scene* in)
{
    pelt_arena_destroy(in->arena);
    *in = (packed_scene){0};
}

void packed_scene_print_lost(const packed_scene* in, const char* reason)
{
    if (in->lost[0] != '\0')
    {
        message_note("%snot carried over: %s", reason, in->lost);
    }
}

json_t* packed_scene_describe_lost(const packed_scene* in)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < in->scene.loss_count; ++i)
    {
        json_array_append_new(list, output_string(in->scene.losses[i].what));
    }
    return list;
}
