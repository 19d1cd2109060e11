// SPDX-License-Identifier: MIT
// Vertices at one place with different weights: a seam that opens.
#include "../base/exact.h"

#include "doctor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Weights that differ by less are those of an exporter that rounds: 1 / 255 is one step of a byte.
static const float weight_tolerance = 0.01f;

// Of the size of the character; a narrower gap is hard to see.
static const float visible_part = 1e-3f;

// ---------------------------------------------------------------------------------------------
// Finding them

// The first vertex at each place, by hash. Open addressing, at most half full.
typedef struct place_table
{
    pelti_seam* slots; // only first_mesh and first_vertex; mesh is PELT_NONE where it is free
    size_t mask;
} place_table;

uint32_t pelti_place_hash(pelt_vec3 p, uint32_t seed)
{
    // Adding zero makes -0 and 0 equal in their bits.
    float key[3] = {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};
    uint32_t bits[3], hash = 2166136261u ^ seed;
    memcpy(bits, key, sizeof bits);
    for (int i = 0; i < 3; ++i)
    {
        hash = (hash ^ bits[i]) * 16777619u; // FNV-1a on words
        hash ^= hash >> 15;
    }
    hash *= 0x85ebca6bu; // as murmur3 ends
    return hash ^ (hash >> 13);
}

static bool is_at(pelt_vec3 a, pelt_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool pelti_places_find(uint32_t* leaders, const pelt_mesh* mesh)
{
    size_t slot_count = 16;
    while (slot_count < 2 * (size_t)mesh->vertex_count)
    {
        slot_count *= 2;
    }
    uint32_t* slots = pelt_allocate(slot_count, sizeof *slots); // vertices, or PELT_NONE
    for (size_t i = 0; slots != NULL && i < slot_count; ++i)
    {
        slots[i] = PELT_NONE;
    }
    for (uint32_t v = 0; slots != NULL && v < mesh->vertex_count; ++v)
    {
        pelt_vec3 place = mesh->positions[v];
        size_t slot = pelti_place_hash(place, 0) & (slot_count - 1);
        while (slots[slot] != PELT_NONE && !is_at(mesh->positions[slots[slot]], place))
        {
            slot = (slot + 1) & (slot_count - 1);
        }
        slots[slot] = slots[slot] == PELT_NONE ? v : slots[slot];
        leaders[v] = slots[slot];
    }
    pelt_release(slots);
    return slots != NULL;
}

// The first vertex at the place of another, which is itself where it is alone so far.
static pelti_seam find_first(const place_table* table, const pelt_scene* scene,
                             const uint32_t* skins, uint32_t m, uint32_t v)
{
    pelt_vec3 place = scene->meshes[m].positions[v];
    pelti_seam seam = {m, v, m, v};
    size_t slot = pelti_place_hash(place, skins[m]) & table->mask;
    for (; table->slots[slot].mesh != PELT_NONE; slot = (slot + 1) & table->mask)
    {
        const pelti_seam* taken = &table->slots[slot];
        if (skins[taken->mesh] == skins[m] &&
            is_at(scene->meshes[taken->mesh].positions[taken->vertex], place))
        {
            seam.first_mesh = taken->mesh;
            seam.first_vertex = taken->vertex;
            return seam;
        }
    }
    table->slots[slot] = seam;
    return seam;
}

static float weight_of(const pelt_weights* weights, uint32_t v, pelt_joint_index joint)
{
    for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
    {
        if (weights->influences[i].joint == joint)
        {
            return weights->influences[i].weight;
        }
    }
    return 0.0f;
}

// The largest difference of the weight of a joint of `a` from that on `b`.
static float weight_difference(const pelt_weights* a, uint32_t v, const pelt_weights* b, uint32_t u)
{
    float largest = 0.0f;
    for (uint32_t i = a->first[v]; i < a->first[v + 1]; ++i)
    {
        const pelt_influence* influence = &a->influences[i];
        largest = fmaxf(largest, fabsf(influence->weight - weight_of(b, u, influence->joint)));
    }
    return largest;
}

static bool differs(const pelt_scene* scene, const pelti_seam* seam)
{
    const pelt_weights* a = &scene->meshes[seam->mesh].weights;
    const pelt_weights* b = &scene->meshes[seam->first_mesh].weights;
    return weight_difference(a, seam->vertex, b, seam->first_vertex) > weight_tolerance ||
           weight_difference(b, seam->first_vertex, a, seam->vertex) > weight_tolerance;
}

static bool create_table(place_table* out, const pelt_scene* scene, const uint32_t* skins)
{
    size_t vertex_count = 0, slot_count = 16;
    for (uint32_t m = 0; m < scene->mesh_count; ++m)
    {
        vertex_count += skins[m] != PELT_NONE ? scene->meshes[m].vertex_count : 0;
    }
    while (slot_count < 2 * vertex_count)
    {
        slot_count *= 2;
    }
    out->slots = pelt_allocate(slot_count, sizeof *out->slots);
    out->mask = slot_count - 1;
    for (size_t i = 0; out->slots != NULL && i < slot_count; ++i)
    {
        out->slots[i].mesh = PELT_NONE;
    }
    return out->slots != NULL;
}

typedef struct seam_list
{
    pelti_seam* items;
    uint32_t count, capacity;
} seam_list;

static bool append(seam_list* list, const pelti_seam* seam, pelt_arena* arena)
{
    if (list->count == list->capacity)
    {
        uint32_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        pelti_seam* items = pelt_arena_alloc(arena, capacity, sizeof *items);
        if (items == NULL)
        {
            return false;
        }
        if (list->count > 0)
        {
            memcpy(items, list->items, list->count * sizeof *items);
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *seam;
    return true;
}

bool pelti_seams_find(pelti_seam** out, uint32_t* count, const pelt_scene* scene,
                      const uint32_t* skins, pelt_arena* arena)
{
    place_table table;
    seam_list list = {0};
    bool is_ok = create_table(&table, scene, skins);
    for (uint32_t m = 0; m < scene->mesh_count && is_ok; ++m)
    {
        uint32_t vertex_count = skins[m] != PELT_NONE ? scene->meshes[m].vertex_count : 0;
        for (uint32_t v = 0; v < vertex_count && is_ok; ++v)
        {
            pelti_seam seam = find_first(&table, scene, skins, m, v);
            bool is_first = seam.first_mesh == m && seam.first_vertex == v;
            is_ok = is_first || !differs(scene, &seam) || append(&list, &seam, arena);
        }
    }
    pelt_release(table.slots);
    *out = list.items;
    *count = list.count;
    return is_ok;
}

// ---------------------------------------------------------------------------------------------
// How far they open

typedef struct seam_state
{
    pelti_seam* seams;
    uint32_t count;
    float widest; // meters
    pelti_seam worst;
    pelti_sample moment;
} seam_state;

static void* create(pelti_doctor* d)
{
    seam_state* state = pelt_arena_alloc(d->scratch, 1, sizeof *state);
    if (state == NULL ||
        !pelti_seams_find(&state->seams, &state->count, d->scene, d->skins, d->scratch))
    {
        return NULL;
    }
    state->moment.clip = PELT_NONE;
    state->worst = state->count > 0 ? state->seams[0] : state->worst;
    return state;
}

static pelt_vec3 place_of(const pelti_doctor* d, uint32_t mesh, uint32_t vertex)
{
    return pelti_vertex_blend(&d->scene->meshes[mesh], vertex, PELT_NONE,
                              d->palettes[d->skins[mesh]].matrices);
}

static void look(void* in, pelti_doctor* d, const pelti_sample* sample)
{
    seam_state* state = in;
    for (uint32_t i = 0; i < state->count; ++i)
    {
        const pelti_seam* seam = &state->seams[i];
        float gap = pelt_vec3_distance(place_of(d, seam->mesh, seam->vertex),
                                       place_of(d, seam->first_mesh, seam->first_vertex));
        if (gap > state->widest)
        {
            state->widest = gap;
            state->worst = *seam;
            state->moment = *sample;
        }
    }
}

static void end(void* in, pelti_doctor* d)
{
    const seam_state* state = in;
    if (state->count == 0)
    {
        return;
    }
    // Without clips nobody knows how far.
    bool has_clips = d->scene->clip_count > 0;
    bool is_seen = state->widest > visible_part * d->size || !has_clips;
    pelt_finding finding = pelti_finding_make(PELT_FINDING_SEAM_WEIGHTS,
                                              is_seen ? PELT_SEVERITY_WARNING : PELT_SEVERITY_NOTE);
    const pelti_seam* worst = has_clips ? &state->worst : &state->seams[0];
    finding.mesh = worst->mesh;
    finding.vertex = worst->vertex;
    finding.clip = state->moment.clip;
    finding.time = state->moment.time;
    finding.count = state->count;
    finding.value = has_clips ? pelti_millimeters(state->widest) : 0.0;
    finding.unit = has_clips ? "mm" : NULL;
    char gap[192] = "";
    if (has_clips)
    {
        snprintf(gap, sizeof gap, ", which part by %s mm %s", pelti_number(finding.value).text,
                 pelti_moment_describe(d, state->moment.clip, state->moment.time).text);
    }
    pelti_finding_add(d, &finding,
                      "mesh " PELTI_NAME ": %u %s other weights than the first at the same place, "
                      "such as vertices %u and %u of mesh " PELTI_NAME "%s",
                      pelti_mesh_name(d, worst->mesh), state->count,
                      pelti_word(state->count, "vertex has", "vertices have"), worst->vertex,
                      worst->first_vertex, pelti_mesh_name(d, worst->first_mesh), gap);
}

const pelti_observer pelti_observe_seams = {create, look, NULL, end};
