// SPDX-License-Identifier: MIT
// A copy of a scene that may be changed.
#include "../base/exact.h"

#include "scene_copy.h"

#include <string.h>

// After the first failure nothing more is copied; the caller looks once, at the end.
typedef struct copier
{
    pelt_arena* arena;
    bool is_out_of_memory;
} copier;

static void* copy_array(const void* source, size_t count, size_t size, void* user)
{
    copier* c = user;
    void* copy = c->is_out_of_memory ? NULL : pelt_arena_alloc(c->arena, count, size);
    c->is_out_of_memory = copy == NULL;
    return copy != NULL && count > 0 ? memcpy(copy, source, count * size) : copy;
}

static const char* copy_string(const char* text, void* user)
{
    return copy_array(text, strlen(text) + 1, 1, user);
}

pelt_scene* pelti_scene_copy(const pelt_scene* scene)
{
    copier c = {.arena = pelt_arena_create()};
    pelt_scene* out = c.arena != NULL ? copy_array(scene, 1, sizeof *scene, &c) : NULL;
    if (out != NULL)
    {
        out->arena = c.arena;
        pelt_scene_visit(out, &(pelt_scene_visitor){copy_array, copy_string, &c});
    }
    if (out == NULL || c.is_out_of_memory)
    {
        pelt_arena_destroy(c.arena);
        return NULL;
    }
    return out;
}
