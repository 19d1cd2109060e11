// SPDX-License-Identifier: MIT
#include "mesh_extent.h"

#include <string.h>

enum
{
    DIRECTION_COUNT = 6 + 32,
};

typedef struct farthest
{
    float distance;
    uint32_t vertex; // or PELT_NONE
} farthest;

// Axes first, since boxes and the ground lie along them; then evenly over the sphere, on a spiral
// with the golden angle between steps.
static pelt_vec3 direction_of(uint32_t index)
{
    if (index < 6)
    {
        float side = index % 2 == 0 ? 1.0f : -1.0f;
        return pelt_vec3_make(index / 2 == 0 ? side : 0.0f, index / 2 == 1 ? side : 0.0f,
                              index / 2 == 2 ? side : 0.0f);
    }
    float height = 1.0f - (2.0f * (float)(index - 6) + 1.0f) / (DIRECTION_COUNT - 6);
    float radius = sqrtf(1.0f - height * height), angle = 2.399963f * (float)index;
    return pelt_vec3_make(radius * cosf(angle), height, radius * sinf(angle));
}

// Two groups for each joint: vertices that it moves alone, and those in bends, which are farthest
// out in other poses. One more for vertices without weights.
static uint32_t group_of(const pelt_weights* weights, uint32_t vertex)
{
    const pelt_influence* strongest = &weights->influences[weights->first[vertex]];
    if (weights->first[vertex] == weights->first[vertex + 1])
    {
        return 2 * weights->joint_count;
    }
    return 2u * strongest->joint + (strongest->weight < 0.9f ? 1u : 0u);
}

static void find_farthest(farthest* out, const pelt_mesh* mesh)
{
    pelt_vec3 directions[DIRECTION_COUNT];
    for (uint32_t i = 0; i < DIRECTION_COUNT; ++i)
    {
        directions[i] = direction_of(i);
    }
    for (uint32_t v = 0; v < mesh->weights.vertex_count; ++v)
    {
        farthest* group = out + (size_t)group_of(&mesh->weights, v) * DIRECTION_COUNT;
        for (uint32_t i = 0; i < DIRECTION_COUNT; ++i)
        {
            float distance = pelt_vec3_dot(directions[i], mesh->positions[v]);
            if (group[i].vertex == PELT_NONE || distance > group[i].distance)
            {
                group[i] = (farthest){distance, v};
            }
        }
    }
}

// Each vertex once, in order.
static uint32_t mark_vertices(bool* is_chosen, const farthest* found, size_t count)
{
    uint32_t chosen = 0;
    for (size_t i = 0; i < count; ++i)
    {
        if (found[i].vertex != PELT_NONE && !is_chosen[found[i].vertex])
        {
            is_chosen[found[i].vertex] = true;
            ++chosen;
        }
    }
    return chosen;
}

static pelt_result copy_vertices(pelti_mesh_extent* out, const pelt_mesh* mesh,
                                 const bool* is_chosen)
{
    const pelt_weights* weights = &mesh->weights;
    uint32_t influence_count = 0, next = 0;
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        influence_count += is_chosen[v] ? weights->first[v + 1] - weights->first[v] : 0;
    }
    size_t count = (size_t)out->count + 1;
    uint32_t* first = pelt_allocate(count, sizeof *first);
    pelt_influence* influences = pelt_allocate((size_t)influence_count + 1, sizeof *influences);
    out->weights = (pelt_weights){.vertex_count = out->count,
                                  .joint_count = weights->joint_count,
                                  .influence_count = influence_count,
                                  .max_influences = weights->max_influences,
                                  .first = first,
                                  .influences = influences};
    out->vertices = pelt_allocate(count, sizeof *out->vertices);
    out->rest = pelt_allocate(count, sizeof *out->rest);
    out->cors = pelt_allocate(count, sizeof *out->cors);
    out->factors = pelt_allocate(count, sizeof *out->factors);
    out->posed = pelt_allocate(count, sizeof *out->posed);
    if (!first || !influences || !out->vertices || !out->rest || !out->cors || !out->factors ||
        !out->posed)
    {
        return PELT_ERROR_MEMORY;
    }
    first[0] = 0;
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        if (is_chosen[v])
        {
            uint32_t begin = weights->first[v], own = weights->first[v + 1] - begin;
            memcpy(influences + first[next], weights->influences + begin, own * sizeof *influences);
            out->vertices[next] = v;
            out->rest[next] = mesh->positions[v];
            first[next + 1] = first[next] + own;
            ++next;
        }
    }
    return PELT_OK;
}

pelt_result pelti_mesh_extent_create(pelti_mesh_extent* out, const pelt_mesh* mesh)
{
    size_t slot_count = (2 * (size_t)mesh->weights.joint_count + 1) * DIRECTION_COUNT;
    farthest* found = pelt_allocate(slot_count, sizeof *found);
    bool* is_chosen = pelt_allocate((size_t)mesh->vertex_count + 1, sizeof *is_chosen);
    pelt_result result = found != NULL && is_chosen != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    *out = (pelti_mesh_extent){0};
    if (result == PELT_OK)
    {
        memset(found, 0xff, slot_count * sizeof *found); // PELT_NONE
        memset(is_chosen, 0, mesh->vertex_count * sizeof *is_chosen);
        find_farthest(found, mesh);
        out->count = mark_vertices(is_chosen, found, slot_count);
        result = copy_vertices(out, mesh, is_chosen);
    }
    if (result != PELT_OK)
    {
        pelti_mesh_extent_destroy(out);
    }
    pelt_release(found);
    pelt_release(is_chosen);
    return result;
}

void pelti_mesh_extent_destroy(pelti_mesh_extent* extent)
{
    pelt_weights_destroy(&extent->weights);
    pelt_release(extent->vertices);
    pelt_release(extent->rest);
    pelt_release(extent->cors);
    pelt_release(extent->factors);
    pelt_release(extent->posed);
    *extent = (pelti_mesh_extent){0};
}

void pelti_mesh_extent_add(pelt_bounds* box, pelti_mesh_extent* extent,
                           const pelt_deform_input* input, const pelt_deform_options* options)
{
    for (uint32_t i = 0; i < extent->count; ++i)
    {
        uint32_t v = extent->vertices[i];
        extent->cors[i] = input->cors != NULL ? input->cors[v] : extent->rest[i];
        extent->factors[i] = input->mix_factors != NULL ? input->mix_factors[v] : 0.0f;
    }
    const pelt_deform_input few = {
        .positions = extent->rest,
        .cors = extent->cors,
        .mix_factors = input->mix_factors != NULL ? extent->factors : NULL,
        .weights = &extent->weights,
        .palette = input->palette,
    };
    const pelt_surface out = {.positions = extent->posed};
    pelt_deform(&out, &few, options, (pelt_range){0, extent->count});
    pelt_bounds_add(box, extent->posed, extent->count);
}
