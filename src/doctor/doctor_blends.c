// SPDX-License-Identifier: MIT
// Checks of deformed vertices: dropped influences, the order of signs, and seams that open.
#include "../base/exact.h"

#include "doctor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Part of the size of the character; less is hard to see.
static const float visible_part = 1e-3f;

// Per mesh.
typedef struct prune_cost
{
    uint32_t count;     // vertices with too many influences
    uint32_t* vertices; // these
    float worst;        // meters
    uint32_t vertex, clip;
    float time;
} prune_cost;

static uint32_t influence_count(const pelt_weights* weights, uint32_t v)
{
    return weights->first[v + 1] - weights->first[v];
}

static bool list_vertices(prune_cost* out, const pelti_doctor* d, const pelt_weights* weights)
{
    uint32_t limit = d->options.max_influences;
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        out->count += influence_count(weights, v) > limit;
    }
    out->vertices = pelt_arena_alloc(d->scratch, out->count, sizeof *out->vertices);
    for (uint32_t v = 0, at = 0; out->vertices != NULL && v < weights->vertex_count; ++v)
    {
        if (influence_count(weights, v) > limit)
        {
            out->vertices[at++] = v;
        }
    }
    out->vertex = out->vertices != NULL && out->count > 0 ? out->vertices[0] : PELT_NONE;
    return out->vertices != NULL;
}

static void* create_influences(pelti_doctor* d)
{
    const pelt_scene* scene = d->scene;
    prune_cost* costs = pelt_arena_alloc(d->scratch, scene->mesh_count, sizeof *costs);
    for (uint32_t m = 0; costs != NULL && m < scene->mesh_count; ++m)
    {
        costs[m].clip = PELT_NONE;
        bool is_ok =
            d->skins[m] == PELT_NONE || list_vertices(&costs[m], d, &scene->meshes[m].weights);
        costs = is_ok ? costs : NULL;
    }
    return costs;
}

static void look_influences(void* state, pelti_doctor* d, const pelti_sample* sample)
{
    prune_cost* costs = state;
    for (uint32_t m = 0; m < d->scene->mesh_count; ++m)
    {
        for (uint32_t i = 0; i < costs[m].count; ++i)
        {
            const pelt_mesh* mesh = &d->scene->meshes[m];
            const pelt_mat34* matrices = d->palettes[d->skins[m]].matrices;
            uint32_t v = costs[m].vertices[i];
            float distance = pelt_vec3_distance(
                pelti_vertex_blend(mesh, v, PELT_NONE, matrices),
                pelti_vertex_blend(mesh, v, d->options.max_influences, matrices));
            if (distance > costs[m].worst)
            {
                costs[m].worst = distance;
                costs[m].vertex = v;
                costs[m].clip = sample->clip;
                costs[m].time = sample->time;
            }
        }
    }
}

static void end_influences(void* state, pelti_doctor* d)
{
    const prune_cost* costs = state;
    for (uint32_t m = 0; m < d->scene->mesh_count; ++m)
    {
        const prune_cost* cost = &costs[m];
        if (cost->count == 0)
        {
            continue;
        }
        bool is_seen = cost->worst > visible_part * d->size;
        pelt_finding finding = pelti_finding_make(
            PELT_FINDING_MANY_INFLUENCES, is_seen ? PELT_SEVERITY_WARNING : PELT_SEVERITY_NOTE);
        finding.mesh = m;
        finding.vertex = cost->vertex;
        finding.clip = cost->clip;
        finding.time = cost->time;
        finding.count = cost->count;
        finding.value = pelti_millimeters(cost->worst);
        finding.unit = "mm";
        pelti_finding_add(d, &finding,
                          "mesh " PELTI_NAME
                          ": %u %s than %u influences, up to %u; dropping the weakest moves "
                          "vertex %u by %s mm %s",
                          pelti_mesh_name(d, m), cost->count,
                          pelti_word(cost->count, "vertex has more", "vertices have more"),
                          d->options.max_influences, d->scene->meshes[m].weights.max_influences,
                          cost->vertex, pelti_number(finding.value).text,
                          pelti_moment_describe(d, cost->clip, cost->time).text);
    }
}

const pelti_observer pelti_observe_influences = {create_influences, look_influences, NULL,
                                                 end_influences};

// =============================================================================================
// Vertices whose quaternions get other signs when their influences come in another order, under the
// rule of the running sum (PELT_SIGN_RUNNING).

enum
{
    INFLUENCE_MIN = 3, // two signs never depend on their order
    INFLUENCE_MAX = 8, // the others are too weak to flip a sum
};

typedef struct sign_state
{
    uint32_t* counts; // of each mesh, in its worst pose
    uint32_t* vertices;
    pelti_sample* moments;
} sign_state;

static void* create_signs(pelti_doctor* d)
{
    uint32_t mesh_count = d->scene->mesh_count;
    sign_state* state = pelt_arena_alloc(d->scratch, 1, sizeof *state);
    if (state == NULL)
    {
        return NULL;
    }
    state->counts = pelt_arena_alloc(d->scratch, mesh_count, sizeof *state->counts);
    state->vertices = pelt_arena_alloc(d->scratch, mesh_count, sizeof *state->vertices);
    state->moments = pelt_arena_alloc(d->scratch, mesh_count, sizeof *state->moments);
    return state->counts != NULL && state->vertices != NULL && state->moments != NULL ? state
                                                                                      : NULL;
}

// Signs relative to the strongest influence, as bits, when influences come in a given order.
static uint32_t running_signs(const pelt_influence* influences, const uint8_t* order,
                              uint32_t count, const pelt_dquat* motions)
{
    pelt_quat sum = {0};
    uint32_t signs = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelt_influence* influence = &influences[order[i]];
        pelt_quat q = motions[influence->joint].real;
        bool is_negative = pelt_quat_dot(sum, q) < 0.0f;
        float weight = is_negative ? -influence->weight : influence->weight;
        sum = pelt_quat_add(sum, pelt_quat_scale(q, weight));
        signs |= (uint32_t)is_negative << order[i];
    }
    return (signs & 1u) != 0 ? ~signs & ((1u << count) - 1u) : signs;
}

static bool depends_on_order(const pelt_influence* influences, uint32_t count,
                             const pelt_dquat* motions)
{
    count = count < INFLUENCE_MAX ? count : INFLUENCE_MAX;
    // Where all quaternions agree in pairs, every order gives the same signs.
    bool agrees = true;
    for (uint32_t i = 1; i < count && agrees; ++i)
    {
        for (uint32_t j = 0; j < i && agrees; ++j)
        {
            agrees = pelt_quat_dot(motions[influences[i].joint].real,
                                   motions[influences[j].joint].real) >= 0.0f;
        }
    }
    if (agrees)
    {
        return false;
    }
    uint8_t order[INFLUENCE_MAX], reverse[INFLUENCE_MAX];
    for (uint32_t i = 0; i < count; ++i)
    {
        order[i] = (uint8_t)i;
        reverse[i] = (uint8_t)(count - 1 - i);
    }
    uint32_t signs = running_signs(influences, order, count, motions);
    if (running_signs(influences, reverse, count, motions) != signs)
    {
        return true;
    }
    // Each influence first one after another, the others after it.
    for (uint32_t first = 1; first < count; ++first)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            order[i] = (uint8_t)((first + i) % count);
        }
        if (running_signs(influences, order, count, motions) != signs)
        {
            return true;
        }
    }
    return false;
}

static void look_signs(void* in, pelti_doctor* d, const pelti_sample* sample)
{
    sign_state* state = in;
    for (uint32_t m = 0; m < d->scene->mesh_count; ++m)
    {
        const pelt_weights* weights = &d->scene->meshes[m].weights;
        uint32_t vertex_count = d->skins[m] != PELT_NONE && weights->max_influences >= INFLUENCE_MIN
                                    ? weights->vertex_count
                                    : 0;
        uint32_t found = 0, last = 0;
        for (uint32_t v = 0; v < vertex_count; ++v)
        {
            uint32_t first = weights->first[v], count = weights->first[v + 1] - first;
            if (count >= INFLUENCE_MIN && depends_on_order(&weights->influences[first], count,
                                                           d->palettes[d->skins[m]].motions))
            {
                ++found;
                last = v;
            }
        }
        if (found > state->counts[m])
        {
            state->counts[m] = found;
            state->vertices[m] = last;
            state->moments[m] = *sample;
        }
    }
}

static void end_signs(void* in, pelti_doctor* d)
{
    const sign_state* state = in;
    for (uint32_t m = 0; m < d->scene->mesh_count; ++m)
    {
        if (state->counts[m] == 0)
        {
            continue;
        }
        pelt_finding finding = pelti_finding_make(PELT_FINDING_SIGN_ORDER, PELT_SEVERITY_NOTE);
        finding.mesh = m;
        finding.vertex = state->vertices[m];
        finding.clip = state->moments[m].clip;
        finding.time = state->moments[m].time;
        finding.count = state->counts[m];
        pelti_finding_add(
            d, &finding,
            "mesh " PELTI_NAME ": dual quaternions of %u %s on the order of influences %s, such as "
            "vertex %u",
            pelti_mesh_name(d, m), finding.count,
            pelti_word(finding.count, "vertex depend", "vertices depend"),
            pelti_moment_describe(d, finding.clip, finding.time).text, finding.vertex);
    }
}

const pelti_observer pelti_observe_signs = {create_signs, look_signs, NULL, end_signs};

// =============================================================================================
// Vertices at one position with different weights: a seam that opens.

// Weights that differ by less are those of an exporter that rounds: 1 / 255 is one step of a byte.
static const float weight_tolerance = 0.01f;

// ---------------------------------------------------------------------------------------------
// Finding them

// The first vertex at each position, by hash. Open addressing, at most half full.
typedef struct position_table
{
    pelti_seam* slots; // only first_mesh and first_vertex; mesh is PELT_NONE where it is free
    size_t mask;
} position_table;

uint32_t pelti_position_hash(pelt_vec3 p, uint32_t seed)
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

bool pelti_leaders_find(uint32_t* leaders, const pelt_mesh* mesh)
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
        pelt_vec3 position = mesh->positions[v];
        size_t slot = pelti_position_hash(position, 0) & (slot_count - 1);
        while (slots[slot] != PELT_NONE && !is_at(mesh->positions[slots[slot]], position))
        {
            slot = (slot + 1) & (slot_count - 1);
        }
        slots[slot] = slots[slot] == PELT_NONE ? v : slots[slot];
        leaders[v] = slots[slot];
    }
    pelt_release(slots);
    return slots != NULL;
}

// The first vertex at the position of another, which is itself where it is alone so far.
static pelti_seam find_first(const position_table* table, const pelt_scene* scene,
                             const uint32_t* skins, uint32_t m, uint32_t v)
{
    pelt_vec3 position = scene->meshes[m].positions[v];
    pelti_seam seam = {m, v, m, v};
    size_t slot = pelti_position_hash(position, skins[m]) & table->mask;
    for (; table->slots[slot].mesh != PELT_NONE; slot = (slot + 1) & table->mask)
    {
        const pelti_seam* taken = &table->slots[slot];
        if (skins[taken->mesh] == skins[m] &&
            is_at(scene->meshes[taken->mesh].positions[taken->vertex], position))
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

static bool create_table(position_table* out, const pelt_scene* scene, const uint32_t* skins)
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
    position_table table;
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

static void* create_seams(pelti_doctor* d)
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

static pelt_vec3 position_of(const pelti_doctor* d, uint32_t mesh, uint32_t vertex)
{
    return pelti_vertex_blend(&d->scene->meshes[mesh], vertex, PELT_NONE,
                              d->palettes[d->skins[mesh]].matrices);
}

static void look_seams(void* in, pelti_doctor* d, const pelti_sample* sample)
{
    seam_state* state = in;
    for (uint32_t i = 0; i < state->count; ++i)
    {
        const pelti_seam* seam = &state->seams[i];
        float gap = pelt_vec3_distance(position_of(d, seam->mesh, seam->vertex),
                                       position_of(d, seam->first_mesh, seam->first_vertex));
        if (gap > state->widest)
        {
            state->widest = gap;
            state->worst = *seam;
            state->moment = *sample;
        }
    }
}

static void end_seams(void* in, pelti_doctor* d)
{
    const seam_state* state = in;
    if (state->count == 0)
    {
        return;
    }
    // Without clips the distance is unknown.
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
                      "mesh " PELTI_NAME
                      ": %u %s other weights than the first at the same position, "
                      "such as vertices %u and %u of mesh " PELTI_NAME "%s",
                      pelti_mesh_name(d, worst->mesh), state->count,
                      pelti_word(state->count, "vertex has", "vertices have"), worst->vertex,
                      worst->first_vertex, pelti_mesh_name(d, worst->first_mesh), gap);
}

const pelti_observer pelti_observe_seams = {create_seams, look_seams, NULL, end_seams};
