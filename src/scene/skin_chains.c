// SPDX-License-Identifier: MIT
#include "skin_chains.h"

#include <string.h>

pelt_result pelti_skin_chains_find(pelti_skin_chains* out, const pelt_scene* scene,
                                   pelt_arena* scratch)
{
    out->leaders = pelt_arena_alloc(scratch, scene->mesh_count, sizeof *out->leaders);
    out->next = pelt_arena_alloc(scratch, scene->mesh_count, sizeof *out->next);
    uint32_t* skins = pelt_arena_alloc(scratch, scene->mesh_count, sizeof *skins);
    uint32_t* last = pelt_arena_alloc(scratch, scene->skin_count, sizeof *last);
    if (out->leaders == NULL || out->next == NULL || skins == NULL || last == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    // The skin of a mesh is that of its first instance that has one.
    memset(skins, 0xff, scene->mesh_count * sizeof *skins);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        if (skins[instance->mesh] == PELT_NONE)
        {
            skins[instance->mesh] = instance->skin;
        }
    }
    memset(last, 0xff, scene->skin_count * sizeof *last);
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        bool is_skinned = scene->meshes[i].weights.vertex_count > 0;
        out->leaders[i] = is_skinned ? i : PELT_NONE;
        out->next[i] = PELT_NONE;
        if (!is_skinned || skins[i] == PELT_NONE)
        {
            continue;
        }
        uint32_t before = last[skins[i]];
        if (before != PELT_NONE)
        {
            out->next[before] = i;
            out->leaders[i] = out->leaders[before];
        }
        last[skins[i]] = i;
    }
    return PELT_OK;
}
