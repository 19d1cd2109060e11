// SPDX-License-Identifier: MIT
// Vertices whose quaternions get other signs when their influences come in another order, under the
// rule of the running sum (PELT_SIGN_RUNNING).
#include "../base/exact.h"

#include "doctor.h"

enum
{
    INFLUENCE_MIN = 3, // two signs never depend on their order
    INFLUENCE_MAX = 8, // the others are too weak to turn a sum
};

typedef struct sign_state
{
    uint32_t* counts; // of each mesh, in its worst pose
    uint32_t* vertices;
    pelti_sample* moments;
} sign_state;

static void* create(pelti_doctor* d)
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
        float side = is_negative ? -influence->weight : influence->weight;
        sum = pelt_quat_add(sum, pelt_quat_scale(q, side));
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
    // Each influence first in turn, the others after it.
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

static void look(void* in, pelti_doctor* d, const pelti_sample* sample)
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

static void end(void* in, pelti_doctor* d)
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

const pelti_observer pelti_observe_signs = {create, look, NULL, end};
