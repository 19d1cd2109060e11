// SPDX-License-Identifier: MIT
// Vertices that move alike have equal descriptions: everything that deforming reads, as words.
// Sorted by hash, equal ones lie side by side.
#include "../base/exact.h"

#include "bake_places.h"

#include "../baked/baked_texels.h"

#include <stdlib.h>
#include <string.h>

typedef struct description
{
    uint32_t count;
    uint32_t* words;
} description;

static void add_word(description* out, uint32_t word)
{
    out->words[out->count++] = word;
}

static void add_float(description* out, float value)
{
    add_word(out, pelti_float_word(value == 0.0f ? 0.0f : value)); // -0 is 0
}

static void add_point(description* out, const pelt_vec3* points, uint32_t vertex)
{
    pelt_vec3 p = points != NULL ? points[vertex] : pelt_vec3_make(0.0f, 0.0f, 0.0f);
    add_float(out, p.x);
    add_float(out, p.y);
    add_float(out, p.z);
}

enum
{
    FIXED_WORDS = 4 + 10,
    INFLUENCE_WORDS = 2,
    MORPH_WORDS = 6,
};

static uint32_t most_words(const pelt_scene* scene)
{
    uint32_t most = FIXED_WORDS;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        uint32_t own = FIXED_WORDS + INFLUENCE_WORDS * mesh->weights.max_influences +
                       MORPH_WORDS * mesh->morph_count;
        most = own > most ? own : most;
    }
    return most;
}

// All vertices of a scene, and how they are deformed.
typedef struct vertex_list
{
    const pelt_scene* scene;
    const pelt_deform_options* deform;
    const pelti_vertex_place* vertices;
    uint32_t count;
} vertex_list;

static void describe(description* out, const vertex_list* list, uint32_t index)
{
    const pelt_scene* scene = list->scene;
    const pelt_deform_options* deform = list->deform;
    const pelti_vertex_place* at = &list->vertices[index];
    const pelt_instance* instance = &scene->instances[at->instance];
    const pelt_mesh* mesh = &scene->meshes[instance->mesh];
    const pelt_weights* weights = &mesh->weights;
    uint32_t v = at->vertex;
    bool is_skinned = instance->skin != PELT_NONE;
    // Weights of morph targets belong to an instance. Normals of the other rules follow from
    // neighbors, too: nothing is shared then.
    bool has_neighbors = deform->normal_rule != PELT_NORMAL_STANDARD && mesh->normals != NULL;
    out->count = 0;
    add_word(out, instance->skin);
    add_word(out, is_skinned ? PELT_NONE : instance->node);
    add_word(out, mesh->morph_count > 0 || has_neighbors ? at->instance : PELT_NONE);
    add_word(out, has_neighbors ? v : PELT_NONE);
    add_point(out, mesh->positions, v);
    add_point(out, mesh->normals, v);
    add_point(out, mesh->cors, v);
    add_float(out, mesh->mix_factors != NULL ? mesh->mix_factors[v] : deform->mix);
    bool has_weights = is_skinned && weights->first != NULL;
    for (uint32_t i = 0; has_weights && i < weights->first[v + 1] - weights->first[v]; ++i)
    {
        const pelt_influence* own = &weights->influences[weights->first[v] + i];
        add_word(out, own->joint | (uint32_t)own->slot << 16);
        add_float(out, own->weight);
    }
    for (uint32_t i = 0; i < mesh->morph_count; ++i)
    {
        add_point(out, mesh->morphs[i].positions, v);
        add_point(out, mesh->morphs[i].normals, v);
    }
}

// FNV-1a (Fowler, Noll, Vo), by words.
static uint64_t hash_of(const description* own)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < own->count; ++i)
    {
        hash = (hash ^ own->words[i]) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    return hash;
}

typedef struct hashed_vertex
{
    uint64_t hash;
    uint32_t index; // in all
} hashed_vertex;

static int compare_hashes(const void* a, const void* b)
{
    const hashed_vertex *x = a, *y = b;
    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1)
                              : (x->index > y->index) - (x->index < y->index);
}

// For each vertex the first one that is the same.
static void find_firsts(uint32_t* firsts, hashed_vertex* hashed, const vertex_list* list,
                        description both[2])
{
    for (uint32_t i = 0; i < list->count; ++i)
    {
        describe(&both[0], list, i);
        hashed[i] = (hashed_vertex){hash_of(&both[0]), i};
    }
    qsort(hashed, list->count, sizeof *hashed, compare_hashes);
    for (uint32_t i = 0, first = 0; i < list->count; ++i)
    {
        // Those of another description and the same hash begin anew: at worst less is shared.
        bool is_same = i > 0 && hashed[i].hash == hashed[i - 1].hash;
        if (is_same)
        {
            describe(&both[1], list, hashed[i].index);
            is_same =
                both[0].count == both[1].count &&
                memcmp(both[0].words, both[1].words, both[0].count * sizeof *both[0].words) == 0;
        }
        if (!is_same)
        {
            first = hashed[i].index;
            describe(&both[0], list, first);
        }
        firsts[hashed[i].index] = first;
    }
}

static bool list_vertices(pelti_vertex_places* out, uint32_t* count, const pelt_scene* scene,
                          pelt_arena* arena)
{
    size_t all = 0;
    out->ids = pelt_arena_alloc(arena, scene->instance_count, sizeof *out->ids);
    for (uint32_t i = 0; out->ids != NULL && i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        all += mesh->vertex_count;
        out->has_normals = out->has_normals || mesh->normals != NULL;
        out->ids[i] = pelt_arena_alloc(arena, mesh->vertex_count, sizeof **out->ids);
        if (out->ids[i] == NULL)
        {
            return false;
        }
    }
    if (out->ids == NULL || all > UINT32_MAX)
    {
        return false;
    }
    out->firsts = pelt_arena_alloc(arena, all, sizeof *out->firsts);
    for (uint32_t i = 0; out->firsts != NULL && i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            out->firsts[(*count)++] = (pelti_vertex_place){i, v, mesh->positions[v]};
        }
    }
    return out->firsts != NULL;
}

pelt_result pelti_vertex_places_find(pelti_vertex_places* out, const pelt_scene* scene,
                                     const pelt_bake_options* options, pelt_arena* arena)
{
    uint32_t count = 0, words = most_words(scene);
    *out = (pelti_vertex_places){0};
    if (!list_vertices(out, &count, scene, arena))
    {
        return PELT_ERROR_MEMORY;
    }
    hashed_vertex* hashed = pelt_allocate(count, sizeof *hashed);
    uint32_t* firsts = pelt_allocate(count, sizeof *firsts);
    description both[2] = {{0, pelt_allocate(words, sizeof(uint32_t))},
                           {0, pelt_allocate(words, sizeof(uint32_t))}};
    bool has_memory =
        hashed != NULL && firsts != NULL && both[0].words != NULL && both[1].words != NULL;
    for (uint32_t i = 0; has_memory && options->keeps_copies && i < count; ++i)
    {
        firsts[i] = i;
    }
    if (has_memory && !options->keeps_copies)
    {
        find_firsts(firsts, hashed, &(vertex_list){scene, &options->deform, out->firsts, count},
                    both);
    }
    // Numbers in the order of first vertices. The list of all shrinks to these: what is overwritten
    // has been read.
    for (uint32_t i = 0; has_memory && i < count; ++i)
    {
        pelti_vertex_place own = out->firsts[i];
        bool is_first = firsts[i] == i;
        firsts[i] = is_first ? out->count : firsts[firsts[i]];
        out->ids[own.instance][own.vertex] = firsts[i];
        if (is_first)
        {
            out->firsts[out->count++] = own;
        }
    }
    pelt_release(hashed);
    pelt_release(firsts);
    pelt_release(both[0].words);
    pelt_release(both[1].words);
    return has_memory ? PELT_OK : PELT_ERROR_MEMORY;
}
