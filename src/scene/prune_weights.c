// SPDX-License-Identifier: MIT
// Fewer influences of each vertex.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"

#include <string.h>

typedef struct pruner
{
    const pelt_prune_options* options;
    pelt_prune_report report;
    uint32_t *first, *joints; // of the mesh at hand
    float* weights;
} pruner;

static bool allocate(pruner* out, const pelt_scene* scene)
{
    size_t vertices = 0, influences = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        size_t count = mesh->weights.first != NULL ? mesh->weights.first[mesh->vertex_count] : 0;
        vertices = mesh->vertex_count > vertices ? mesh->vertex_count : vertices;
        influences = count > influences ? count : influences;
    }
    out->first = pelt_allocate(vertices + 1, sizeof *out->first);
    out->joints = pelt_allocate(influences + 1, sizeof *out->joints);
    out->weights = pelt_allocate(influences + 1, sizeof *out->weights);
    return out->first != NULL && out->joints != NULL && out->weights != NULL;
}

// Influences to keep, strongest first; the strongest always stays.
// @return vertices that lose some
static uint32_t list_kept(pruner* p, const pelt_mesh* mesh)
{
    const pelt_weights* from = &mesh->weights;
    uint32_t most = p->options->max_influences, total = 0, changed = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t begin = from->first[v], end = from->first[v + 1];
        p->first[v] = total;
        for (uint32_t i = begin; i < end; ++i)
        {
            const pelt_influence* influence = &from->influences[i];
            bool is_kept = i == begin || ((most == 0 || i - begin < most) &&
                                          influence->weight >= p->options->min_weight);
            p->joints[total] = influence->joint;
            p->weights[total] = influence->weight;
            total += is_kept;
            p->report.dropped_count += !is_kept;
            if (!is_kept && influence->weight > p->report.largest)
            {
                p->report.largest = influence->weight;
            }
        }
        changed += total - p->first[v] < end - begin;
    }
    p->first[mesh->vertex_count] = total;
    return changed;
}

static pelt_result prune_mesh(pelt_mesh* inout, pruner* p, pelt_arena* arena)
{
    uint32_t changed = list_kept(p, inout);
    if (changed == 0)
    {
        return PELT_OK;
    }
    uint32_t joint_count = 0;
    for (uint32_t i = 0; i < p->first[inout->vertex_count]; ++i)
    {
        joint_count = p->joints[i] >= joint_count ? p->joints[i] + 1 : joint_count;
    }
    const pelt_weights_source source = {.vertex_count = inout->vertex_count,
                                        .joint_count = joint_count,
                                        .first = p->first,
                                        .joints_u32 = p->joints,
                                        .weights = p->weights};
    PELT_TRY(pelt_weights_import(&inout->weights, NULL, &source, arena));
    // Made for other weights.
    p->report.prepared_count += inout->cors != NULL || inout->normal_factors != NULL ||
                                (inout->mix_factors != NULL && inout->is_mix_computed) ||
                                inout->bounds != NULL;
    inout->cors = NULL;
    inout->normal_factors = NULL;
    inout->bounds = NULL;
    if (inout->is_mix_computed)
    {
        inout->mix_factors = NULL;
        inout->is_mix_computed = false;
    }
    p->report.mesh_count++;
    p->report.vertex_count += changed;
    return PELT_OK;
}

static pelt_result prune_all(pelt_mesh** out, pruner* p, const pelt_scene* scene, pelt_arena* arena)
{
    *out = pelt_arena_alloc(arena, scene->mesh_count, sizeof **out);
    if (*out == NULL || !allocate(p, scene))
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        (*out)[i] = scene->meshes[i];
        if (scene->meshes[i].weights.first != NULL)
        {
            PELT_TRY(prune_mesh(&(*out)[i], p, arena));
        }
    }
    return PELT_OK;
}

pelt_result pelt_scene_prune_weights(pelt_scene* inout, pelt_prune_report* report,
                                     const pelt_prune_options* options, pelt_arena* arena)
{
    PELT_ASSERT(inout != NULL && options != NULL && arena != NULL);
    pruner p = {.options = options};
    pelt_mesh* meshes = NULL;
    pelt_result result = prune_all(&meshes, &p, inout, arena);
    if (result == PELT_OK)
    {
        inout->meshes = meshes;
    }
    if (result == PELT_OK && report != NULL)
    {
        *report = p.report;
    }
    pelt_release(p.first);
    pelt_release(p.joints);
    pelt_release(p.weights);
    return result;
}
