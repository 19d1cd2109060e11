// SPDX-License-Identifier: MIT
// What it costs to drop all but the strongest influences of each vertex.
#include "../base/exact.h"

#include "doctor.h"

// Of the size of the character; less is hard to see.
static const float visible_part = 1e-3f;

// Of one mesh.
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

static void* create(pelti_doctor* d)
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

static void look(void* state, pelti_doctor* d, const pelti_sample* sample)
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

static void end(void* state, pelti_doctor* d)
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

const pelti_observer pelti_observe_influences = {create, look, NULL, end};
