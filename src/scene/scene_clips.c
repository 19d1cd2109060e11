// SPDX-License-Identifier: MIT
// Clips of one scene on the skeleton of another. Whatever is looked up by name is sorted first, so
// that no file makes it slow.
#include "../base/exact.h"

#include "../../include/pelt/pelt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct named
{
    const char* name;
    uint32_t index;
} named;

static int compare_named(const void* a, const void* b)
{
    const named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static const char* node_name(const pelt_scene* scene, uint32_t index)
{
    return scene->nodes[index].name;
}

static const char* instance_name(const pelt_scene* scene, uint32_t index)
{
    const char* name = scene->meshes[scene->instances[index].mesh].name;
    return name != NULL ? name : "";
}

static const char* clip_name(const pelt_scene* scene, uint32_t index)
{
    return scene->clips[index].name;
}

typedef const char* (*name_of)(const pelt_scene* scene, uint32_t index);

// @return NULL: no memory
static named* sort_names(const pelt_scene* scene, uint32_t count, name_of get)
{
    named* out = pelt_allocate((size_t)count + 1, sizeof *out);
    for (uint32_t i = 0; out != NULL && i < count; ++i)
    {
        out[i] = (named){get(scene, i), i};
    }
    if (out != NULL)
    {
        qsort(out, count, sizeof *out, compare_named);
    }
    return out;
}

// Two sorted lists side by side.
static void match(uint32_t* out, const named* from, uint32_t from_count, const named* to,
                  uint32_t to_count)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < from_count; ++i)
    {
        while (at < to_count && strcmp(to[at].name, from[i].name) < 0)
        {
            ++at;
        }
        bool is_here = at < to_count && strcmp(to[at].name, from[i].name) == 0;
        out[from[i].index] = is_here ? to[at++].index : PELT_NONE;
    }
}

static pelt_result match_names(uint32_t* out, const pelt_scene* scene, uint32_t count,
                               const pelt_scene* from, uint32_t from_count, name_of get)
{
    named *own = sort_names(scene, count, get), *other = sort_names(from, from_count, get);
    bool has_memory = own != NULL && other != NULL;
    if (has_memory)
    {
        match(out, other, from_count, own, count);
    }
    pelt_release(own);
    pelt_release(other);
    return has_memory ? PELT_OK : PELT_ERROR_MEMORY;
}

pelt_result pelt_scene_match_nodes(uint32_t* out, const pelt_scene* scene, const pelt_scene* from)
{
    return match_names(out, scene, scene->node_count, from, from->node_count, node_name);
}

// ---------------------------------------------------------------------------------------------
// Tracks

typedef struct adding
{
    const pelt_scene *scene, *from;
    uint32_t *nodes, *instances; // of `scene`, for those of `from`
    named* taken;                // names of the clips that are there
    pelt_clip* clips;            // of the result
    uint32_t clip_count;
    const char* label;
    pelt_arena* arena;
    pelt_add_clips_report report;
} adding;

static uint32_t shape_count(const pelt_scene* scene, uint32_t instance)
{
    return scene->meshes[scene->instances[instance].mesh].morph_count;
}

// @return node or instance of the scene, or PELT_NONE
static uint32_t find_target(const adding* a, const pelt_track* track)
{
    if (track->path != PELT_PATH_MORPH)
    {
        return a->nodes[track->target];
    }
    uint32_t instance = a->instances[track->target];
    bool fits = instance != PELT_NONE && shape_count(a->scene, instance) == track->width;
    return fits ? instance : PELT_NONE;
}

static const float* copy_floats(const float* values, size_t count, pelt_arena* arena)
{
    float* out = pelt_arena_alloc(arena, count, sizeof *out);
    return out != NULL && count > 0 ? memcpy(out, values, count * sizeof *out) : out;
}

static bool copy_track(pelt_track* out, const pelt_track* track, uint32_t target, pelt_arena* arena)
{
    size_t values_per_key = track->interpolation == PELT_INTERPOLATION_CUBIC ? 3u : 1u;
    *out = *track;
    out->target = target;
    out->times = copy_floats(track->times, track->key_count, arena);
    out->values =
        copy_floats(track->values, values_per_key * track->key_count * track->width, arena);
    return out->times != NULL && out->values != NULL;
}

// ---------------------------------------------------------------------------------------------
// Names

static bool is_taken(const adding* a, const char* name)
{
    uint32_t low = 0, high = a->scene->clip_count;
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(a->taken[middle].name, name);
        if (order == 0)
        {
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}

static void compose_name(char* out, size_t size, const char* name, const char* label,
                         uint32_t number)
{
    if (number == 0)
    {
        snprintf(out, size, "%s", name);
    }
    else if (label == NULL)
    {
        snprintf(out, size, "%s %u", name, number + 1);
    }
    else if (number == 1)
    {
        snprintf(out, size, "%s (%s)", name, label);
    }
    else
    {
        snprintf(out, size, "%s (%s %u)", name, label, number);
    }
}

// A name that no clip has yet. @param number  where to begin looking, and the number that was found
static char* find_name(const adding* a, const char* name, uint32_t* number)
{
    size_t size = strlen(name) + (a->label != NULL ? strlen(a->label) : 0) + 16;
    char* text = pelt_allocate(size, 1);
    if (text == NULL)
    {
        return NULL;
    }
    compose_name(text, size, name, a->label, *number);
    while (is_taken(a, text))
    {
        compose_name(text, size, name, a->label, ++*number);
    }
    char* out = pelt_arena_string(a->arena, text);
    pelt_release(text);
    return out;
}

// Clips of one name follow each other here, and go on counting where the last one ended.
static bool name_clips(adding* a)
{
    named* sorted = pelt_allocate((size_t)a->report.clip_count + 1, sizeof *sorted);
    pelt_clip* added = a->clips + a->scene->clip_count;
    for (uint32_t i = 0; sorted != NULL && i < a->report.clip_count; ++i)
    {
        sorted[i] = (named){added[i].name, i};
    }
    if (sorted == NULL)
    {
        return false;
    }
    qsort(sorted, a->report.clip_count, sizeof *sorted, compare_named);
    bool has_memory = true;
    uint32_t number = 0;
    for (uint32_t i = 0; has_memory && i < a->report.clip_count; ++i)
    {
        bool is_same = i > 0 && strcmp(sorted[i].name, sorted[i - 1].name) == 0;
        number = is_same ? number + 1 : 0;
        char* name = find_name(a, sorted[i].name, &number);
        added[sorted[i].index].name = name;
        has_memory = name != NULL;
    }
    pelt_release(sorted);
    return has_memory;
}

// ---------------------------------------------------------------------------------------------

static bool add_clip(adding* a, const pelt_clip* clip)
{
    pelt_track* tracks = pelt_arena_alloc(a->arena, clip->track_count, sizeof *tracks);
    uint32_t count = 0;
    for (uint32_t i = 0; tracks != NULL && i < clip->track_count; ++i)
    {
        uint32_t target = find_target(a, &clip->tracks[i]);
        if (target == PELT_NONE)
        {
            ++a->report.dropped_count;
        }
        else if (!copy_track(&tracks[count++], &clip->tracks[i], target, a->arena))
        {
            return false;
        }
    }
    if (count > 0)
    {
        a->clips[a->clip_count++] = (pelt_clip){clip->name, clip->duration, count, tracks};
        a->report.track_count += count;
        ++a->report.clip_count;
    }
    return tracks != NULL;
}

static bool add_clips(adding* a)
{
    const pelt_scene *scene = a->scene, *from = a->from;
    a->nodes = pelt_allocate((size_t)from->node_count + 1, sizeof *a->nodes);
    a->instances = pelt_allocate((size_t)from->instance_count + 1, sizeof *a->instances);
    a->taken = sort_names(scene, scene->clip_count, clip_name);
    a->clips =
        pelt_arena_alloc(a->arena, (size_t)scene->clip_count + from->clip_count, sizeof *a->clips);
    if (a->nodes == NULL || a->instances == NULL || a->taken == NULL || a->clips == NULL ||
        pelt_scene_match_nodes(a->nodes, scene, from) != PELT_OK ||
        match_names(a->instances, scene, scene->instance_count, from, from->instance_count,
                    instance_name) != PELT_OK)
    {
        return false;
    }
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        a->clips[a->clip_count++] = scene->clips[i];
    }
    for (uint32_t i = 0; i < from->clip_count; ++i)
    {
        if (!add_clip(a, &from->clips[i]))
        {
            return false;
        }
    }
    return name_clips(a);
}

pelt_result pelt_scene_add_clips(pelt_scene* inout, pelt_add_clips_report* report,
                                 const pelt_scene* from, const char* label, pelt_arena* arena)
{
    adding a = {.scene = inout, .from = from, .label = label, .arena = arena};
    bool has_memory = add_clips(&a);
    if (has_memory)
    {
        inout->clips = a.clips;
        inout->clip_count = a.clip_count;
    }
    if (has_memory && report != NULL)
    {
        *report = a.report;
    }
    pelt_release(a.nodes);
    pelt_release(a.instances);
    pelt_release(a.taken);
    return has_memory ? PELT_OK : PELT_ERROR_MEMORY;
}
