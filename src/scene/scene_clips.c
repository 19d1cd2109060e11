// SPDX-License-Identifier: MIT
// Clips of one scene on the skeleton of another. Names are sorted before they are looked up, so
// that no file makes it slow.
#include "../base/exact.h"

#include "scene_private.h"

#include <ctype.h>
#include <math.h>
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

// Merge two sorted lists.
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

// A name without the namespaces of Maya and the prefix of Mixamo.
static const char* bare_name(const char* name)
{
    static const char mixamo[] = "mixamorig";
    const char* colon = strrchr(name, ':');
    const char* bare = colon != NULL && colon[1] != '\0' ? colon + 1 : name;
    if (strncmp(bare, mixamo, sizeof mixamo - 1) != 0)
    {
        return bare;
    }
    const char* rest = bare + sizeof mixamo - 1;
    rest += strspn(rest, "0123456789");
    rest += *rest == '_';
    return *rest != '\0' ? rest : bare;
}

// Nodes that are not matched yet, by their bare names.
static uint32_t list_left(named* out, const pelt_scene* scene, const bool* is_matched)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        if (!is_matched[i])
        {
            out[count++] = (named){bare_name(scene->nodes[i].name), i};
        }
    }
    qsort(out, count, sizeof *out, compare_named);
    return count;
}

static pelt_result match_bare_names(uint32_t* inout, const pelt_scene* scene,
                                    const pelt_scene* from)
{
    size_t here = (size_t)scene->node_count + 1, there = (size_t)from->node_count + 1;
    bool *is_taken = pelt_allocate(here, 1), *is_found = pelt_allocate(there, 1);
    named *own = pelt_allocate(here, sizeof *own), *other = pelt_allocate(there, sizeof *other);
    bool has_memory = is_taken != NULL && is_found != NULL && own != NULL && other != NULL;
    if (has_memory)
    {
        memset(is_taken, 0, here);
        for (uint32_t i = 0; i < from->node_count; ++i)
        {
            is_found[i] = inout[i] != PELT_NONE;
            is_taken[is_found[i] ? inout[i] : scene->node_count] = true;
        }
        uint32_t own_count = list_left(own, scene, is_taken);
        uint32_t other_count = list_left(other, from, is_found);
        match(inout, other, other_count, own, own_count);
    }
    pelt_release(is_taken);
    pelt_release(is_found);
    pelt_release(own);
    pelt_release(other);
    return has_memory ? PELT_OK : PELT_ERROR_MEMORY;
}

pelt_result pelt_scene_match_nodes(uint32_t* out, const pelt_scene* scene, const pelt_scene* from)
{
    PELT_TRY(match_names(out, scene, scene->node_count, from, from->node_count, node_name));
    return match_bare_names(out, scene, from);
}

// ---------------------------------------------------------------------------------------------
// Tracks

typedef struct adding
{
    const pelt_scene *scene, *from;
    const pelt_add_clips_options* options;
    pelti_retarget retarget;
    uint32_t *nodes, *instances; // of `scene`, for those of `from`
    uint32_t* held;              // nodes of `from` with another rest rotation than in `scene`
    uint32_t held_count;
    uint32_t* rotated; // by node of `from`: the last clip, plus 1, that has a rotation track for it
    named* taken;      // names of the clips that are there
    pelt_clip* clips;  // of the result
    uint32_t clip_count;
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

static float* copy_floats(const float* values, size_t count, pelt_arena* arena)
{
    float* out = pelt_arena_alloc(arena, count, sizeof *out);
    return out != NULL && count > 0 ? memcpy(out, values, count * sizeof *out) : out;
}

static bool copy_track(pelt_track* out, const adding* a, const pelt_track* track, uint32_t target)
{
    size_t values_per_key = track->interpolation == PELT_INTERPOLATION_CUBIC ? 3u : 1u;
    *out = *track;
    out->target = target;
    out->times = copy_floats(track->times, track->key_count, a->arena);
    float* values =
        copy_floats(track->values, values_per_key * track->key_count * track->width, a->arena);
    out->values = values;
    if (values != NULL && a->options->is_relative_to_rest)
    {
        pelti_retarget_track(values, out, &a->retarget, track->target);
    }
    return out->times != NULL && values != NULL;
}

// ---------------------------------------------------------------------------------------------
// Joints that a clip does not rotate, and that have another rotation in its rest pose than here:
// readers leave out tracks that keep a node at rest, and other files never had them.

enum
{
    HELD_MAX = 1 << 22, // tracks; only files made to exhaust memory need more
};

static bool is_turned(pelt_quat a, pelt_quat b)
{
    // The sine of half of the angle, which is exact where the angle is small.
    pelt_quat d = pelt_quat_mul(pelt_quat_conjugate(a), b);
    return d.x * d.x + d.y * d.y + d.z * d.z > 1e-8f;
}

// Joints and what is above them.
static void mark_skeleton(bool* out, const pelt_scene* scene)
{
    pelti_mark_joints(out, scene);
    for (uint32_t i = scene->node_count; i-- > 0;)
    {
        uint32_t parent = scene->nodes[i].parent;
        if (out[i] && parent != PELT_NONE)
        {
            out[parent] = true;
        }
    }
}

static bool find_held(adding* a)
{
    const pelt_scene* from = a->from;
    bool* is_wanted = pelt_allocate((size_t)a->scene->node_count + 1, 1);
    a->held = pelt_allocate((size_t)from->node_count + 1, sizeof *a->held);
    a->rotated = pelt_allocate((size_t)from->node_count + 1, sizeof *a->rotated);
    bool has_memory = is_wanted != NULL && a->held != NULL && a->rotated != NULL;
    if (has_memory)
    {
        mark_skeleton(is_wanted, a->scene);
        memset(a->rotated, 0, from->node_count * sizeof *a->rotated);
    }
    for (uint32_t i = 0; has_memory && i < from->node_count; ++i)
    {
        uint32_t node = a->nodes[i];
        bool is_held = node != PELT_NONE && is_wanted[node] && !a->options->is_relative_to_rest &&
                       is_turned(a->scene->nodes[node].rest.rotation, from->nodes[i].rest.rotation);
        if (is_held)
        {
            a->held[a->held_count++] = i;
        }
    }
    bool is_too_much = (uint64_t)a->held_count * from->clip_count > HELD_MAX;
    a->held_count = is_too_much ? 0 : a->held_count;
    pelt_release(is_wanted);
    return has_memory;
}

static bool hold_joints(pelt_track* tracks, uint32_t* count, adding* a, uint32_t stamp)
{
    static const float start = 0.0f;
    for (uint32_t i = 0; i < a->held_count; ++i)
    {
        uint32_t node = a->held[i];
        if (a->rotated[node] == stamp)
        {
            continue;
        }
        const pelt_track still = {.target = node,
                                  .path = PELT_PATH_ROTATION,
                                  .key_count = 1,
                                  .width = 4,
                                  .times = &start,
                                  .values = &a->from->nodes[node].rest.rotation.x};
        if (!copy_track(&tracks[(*count)++], a, &still, a->nodes[node]))
        {
            return false;
        }
        ++a->report.held_count;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Names

// Whether a name is this word, in any case, followed by nothing but a number.
static bool is_numbered(const char* name, size_t length, const char* word)
{
    size_t i = 0;
    while (i < length && word[i] != '\0' && tolower((unsigned char)name[i]) == word[i])
    {
        ++i;
    }
    bool is_word = word[i] == '\0';
    while (i < length && strchr(" ._0123456789", name[i]) != NULL)
    {
        ++i;
    }
    return is_word && i == length;
}

bool pelt_clip_name_is_generic(const char* name)
{
    static const char* const words[] = {
        "take",   "default take", "unreal take",    "motion",    "clip",       "animation", "anim",
        "action", "scene",        "armatureaction", "animstack", "mixamo.com", "untitled"};
    PELT_ASSERT(name != NULL);
    // Blender separates the names of an object, its action and its layer by "|".
    const char* part = name;
    bool is_generic = false;
    for (;;)
    {
        size_t length = strcspn(part, "|");
        bool is_last = part[length] == '\0';
        if (is_numbered(part, length, "mixamo.com"))
        {
            return true;
        }
        bool is_layer =
            is_last && part != name &&
            (is_numbered(part, length, "layer") || is_numbered(part, length, "baselayer"));
        if (!is_layer)
        {
            is_generic = length == 0;
            for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
            {
                is_generic = is_generic || is_numbered(part, length, words[i]);
            }
        }
        if (is_last)
        {
            return is_generic;
        }
        part += length + 1;
    }
}

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
    const char* label = a->options->label;
    // A name that is the label itself gets a number.
    label = label != NULL && strcmp(label, name) == 0 ? NULL : label;
    size_t size = strlen(name) + (label != NULL ? strlen(label) : 0) + 16;
    char* text = pelt_allocate(size, 1);
    if (text == NULL)
    {
        return NULL;
    }
    compose_name(text, size, name, label, *number);
    while (is_taken(a, text))
    {
        compose_name(text, size, name, label, ++*number);
    }
    char* out = pelt_arena_string(a->arena, text);
    pelt_release(text);
    return out;
}

// Clips with the same name follow each other, and numbers continue from one to the next.
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

// @param stamp  of the clip: its index, plus 1
static bool add_clip(adding* a, const pelt_clip* clip, uint32_t stamp)
{
    pelt_track* tracks =
        pelt_arena_alloc(a->arena, (size_t)clip->track_count + a->held_count, sizeof *tracks);
    uint32_t count = 0;
    for (uint32_t i = 0; tracks != NULL && i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        uint32_t target = find_target(a, track);
        if (target == PELT_NONE)
        {
            ++a->report.dropped_count;
            continue;
        }
        if (track->path == PELT_PATH_ROTATION)
        {
            a->rotated[track->target] = stamp;
        }
        if (!copy_track(&tracks[count++], a, track, target))
        {
            return false;
        }
    }
    if (count > 0)
    {
        if (!hold_joints(tracks, &count, a, stamp))
        {
            return false;
        }
        const char* label = a->options->label;
        bool is_unnamed = label != NULL && pelt_clip_name_is_generic(clip->name);
        a->clips[a->clip_count++] =
            (pelt_clip){is_unnamed ? label : clip->name, clip->duration, count, tracks};
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
                    instance_name) != PELT_OK ||
        !find_held(a))
    {
        return false;
    }
    if (a->options->is_relative_to_rest &&
        pelti_retarget_create(&a->retarget, scene, from, a->nodes) != PELT_OK)
    {
        return false;
    }
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        a->clips[a->clip_count++] = scene->clips[i];
    }
    for (uint32_t i = 0; i < from->clip_count; ++i)
    {
        if (!add_clip(a, &from->clips[i], i + 1))
        {
            return false;
        }
    }
    return name_clips(a);
}

pelt_result pelt_scene_add_clips(pelt_scene* inout, pelt_add_clips_report* report,
                                 const pelt_scene* from, const pelt_add_clips_options* options,
                                 pelt_arena* arena)
{
    const pelt_add_clips_options defaults = {0};
    adding a = {.scene = inout,
                .from = from,
                .options = options != NULL ? options : &defaults,
                .arena = arena};
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
    pelti_retarget_destroy(&a.retarget);
    pelt_release(a.nodes);
    pelt_release(a.instances);
    pelt_release(a.held);
    pelt_release(a.rotated);
    pelt_release(a.taken);
    return has_memory ? PELT_OK : PELT_ERROR_MEMORY;
}
