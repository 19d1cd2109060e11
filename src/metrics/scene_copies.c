// SPDX-License-Identifier: MIT
// Instances of meshes that a measurement need not look at.
#include "../../include/pelt/metrics.h"

#include <string.h>

// Kept instances of one mesh are a chain, the last one first.
typedef struct chains
{
    uint32_t* last; // by mesh: an instance, or PELT_NONE
    uint32_t* next; // by instance that is kept
} chains;

static bool has_copy(const pelt_scene* scene, const pelt_instance* instances, const chains* kept,
                     const pelt_instance* instance)
{
    // Morph weights may differ from node to node, and so do the places of what has no skin.
    if (instance->skin == PELT_NONE || scene->meshes[instance->mesh].morph_count > 0)
    {
        return false;
    }
    uint32_t other = kept->last[instance->mesh];
    while (other != PELT_NONE && instances[other].skin != instance->skin)
    {
        other = kept->next[other];
    }
    return other != PELT_NONE;
}

// @param indices  by instance: its new index, or PELT_NONE
static uint32_t keep_instances(pelt_instance* out, uint32_t* indices, const chains* kept,
                               const pelt_scene* scene, uint64_t max_vertices)
{
    uint64_t vertex_count = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        uint32_t* last = &kept->last[instance->mesh];
        uint64_t next_count = vertex_count + scene->meshes[instance->mesh].vertex_count;
        indices[i] = PELT_NONE;
        if (*last == PELT_NONE ||
            (next_count <= max_vertices && !has_copy(scene, out, kept, instance)))
        {
            vertex_count = next_count;
            out[count] = *instance;
            kept->next[count] = *last;
            *last = indices[i] = count++;
        }
    }
    return count;
}

// Tracks of morph targets are those of instances. @return NULL when out of memory
static pelt_clip* move_tracks(const pelt_scene* scene, const uint32_t* indices, pelt_arena* arena)
{
    pelt_clip* clips = pelt_arena_alloc(arena, scene->clip_count, sizeof *clips);
    for (uint32_t i = 0; clips != NULL && i < scene->clip_count; ++i)
    {
        clips[i] = scene->clips[i];
        pelt_track* tracks = pelt_arena_alloc(arena, clips[i].track_count, sizeof *tracks);
        if (tracks == NULL)
        {
            return NULL;
        }
        clips[i].tracks = tracks;
        clips[i].track_count = 0;
        for (uint32_t k = 0; k < scene->clips[i].track_count; ++k)
        {
            pelt_track track = scene->clips[i].tracks[k];
            bool is_morph = track.path == PELT_PATH_MORPH;
            track.target = is_morph ? indices[track.target] : track.target;
            if (track.target != PELT_NONE)
            {
                tracks[clips[i].track_count++] = track;
            }
        }
    }
    return clips;
}

pelt_result pelt_scene_skip_copies(pelt_scene* inout, uint64_t max_vertices, pelt_arena* arena)
{
    PELT_ASSERT(inout != NULL && arena != NULL);
    size_t count = inout->instance_count;
    pelt_instance* instances = pelt_arena_alloc(arena, count, sizeof *instances);
    uint32_t* indices = pelt_arena_alloc(arena, count, sizeof *indices);
    chains kept = {.last = pelt_arena_alloc(arena, inout->mesh_count, sizeof(uint32_t)),
                   .next = pelt_arena_alloc(arena, count, sizeof(uint32_t))};
    if (instances == NULL || indices == NULL || kept.last == NULL || kept.next == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memset(kept.last, 0xff, inout->mesh_count * sizeof *kept.last);
    uint32_t kept_count = keep_instances(instances, indices, &kept, inout, max_vertices);
    if (kept_count == inout->instance_count)
    {
        return PELT_OK;
    }
    const pelt_clip* clips =
        inout->morph_weight_count > 0 ? move_tracks(inout, indices, arena) : inout->clips;
    if (clips == NULL && inout->clip_count > 0)
    {
        return PELT_ERROR_MEMORY;
    }
    inout->morph_weight_count = 0;
    for (uint32_t i = 0; i < kept_count; ++i)
    {
        instances[i].first_morph_weight = inout->morph_weight_count;
        inout->morph_weight_count += inout->meshes[instances[i].mesh].morph_count;
    }
    inout->clips = clips;
    inout->instances = instances;
    inout->instance_count = kept_count;
    return PELT_OK;
}
