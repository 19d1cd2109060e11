// SPDX-License-Identifier: MIT
// Scenes without duplicated vertices.
#include "crowd_merge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct placed_vertex
{
    pelt_vec3 position;
    uint32_t vertex;
} placed_vertex;

static int compare_placed(const void* a, const void* b)
{
    const placed_vertex *x = a, *y = b;
    int order = memcmp(&x->position, &y->position, sizeof x->position);
    return order != 0 ? order : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static bool has_same_influences(const pelt_weights* weights, uint32_t a, uint32_t b)
{
    uint32_t count = weights->first[a + 1] - weights->first[a];
    bool is_same = count == weights->first[b + 1] - weights->first[b];
    for (uint32_t i = 0; is_same && i < count; ++i)
    {
        const pelt_influence* x = &weights->influences[weights->first[a] + i];
        const pelt_influence* y = &weights->influences[weights->first[b] + i];
        is_same = x->joint == y->joint && x->weight == y->weight;
    }
    return is_same;
}

// For each vertex the first one that it is merged with.
static bool find_firsts(uint32_t* firsts, const pelt_mesh* mesh)
{
    placed_vertex* placed = pelt_allocate(mesh->vertex_count, sizeof *placed);
    const float steps = 262144.0f; // 4 micrometers: copies may differ by rounding
    for (uint32_t v = 0; placed != NULL && v < mesh->vertex_count; ++v)
    {
        pelt_vec3 p = pelt_vec3_scale(mesh->positions[v], steps);
        placed[v] =
            (placed_vertex){{floorf(p.x + 0.5f), floorf(p.y + 0.5f), floorf(p.z + 0.5f)}, v};
    }
    if (placed == NULL)
    {
        return false;
    }
    qsort(placed, mesh->vertex_count, sizeof *placed, compare_placed);
    for (uint32_t i = 0, begin = 0; i < mesh->vertex_count; ++i)
    {
        bool is_new = memcmp(&placed[i].position, &placed[begin].position, sizeof(pelt_vec3)) != 0;
        begin = is_new ? i : begin;
        uint32_t own = placed[i].vertex, k = begin;
        while (k < i && !has_same_influences(&mesh->weights, placed[k].vertex, own))
        {
            ++k;
        }
        firsts[own] = k < i ? firsts[placed[k].vertex] : own;
    }
    pelt_release(placed);
    return true;
}

typedef struct merged_arrays
{
    pelt_vec3 *positions, *normals;
    uint32_t *indices, *first;
    pelt_influence* influences;
} merged_arrays;

static bool allocate(merged_arrays* out, const pelt_mesh* mesh, pelt_arena* arena)
{
    uint32_t count = mesh->vertex_count;
    out->positions = pelt_arena_alloc(arena, count, sizeof *out->positions);
    out->normals = pelt_arena_alloc(arena, count, sizeof *out->normals);
    out->indices = pelt_arena_alloc(arena, mesh->index_count, sizeof *out->indices);
    out->first = pelt_arena_alloc(arena, (size_t)count + 1, sizeof *out->first);
    out->influences = pelt_arena_alloc(arena, mesh->weights.first[count], sizeof *out->influences);
    return out->positions != NULL && out->normals != NULL && out->indices != NULL &&
           out->first != NULL && out->influences != NULL;
}

// @param ids  gets the new index of each vertex
static uint32_t fill(merged_arrays* out, uint32_t* ids, const uint32_t* firsts,
                     const pelt_mesh* mesh)
{
    const pelt_weights* weights = &mesh->weights;
    uint32_t count = 0, influence_count = 0;
    // A vertex is not before the first that it is merged with.
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        bool is_first = firsts[v] == v;
        ids[v] = is_first ? count : ids[firsts[v]];
        if (is_first)
        {
            out->positions[count] = mesh->positions[v];
            out->first[count++] = influence_count;
            uint32_t own = weights->first[v + 1] - weights->first[v];
            memcpy(out->influences + influence_count, weights->influences + weights->first[v],
                   own * sizeof *out->influences);
            influence_count += own;
        }
        if (mesh->normals != NULL)
        {
            out->normals[ids[v]] = pelt_vec3_add(out->normals[ids[v]], mesh->normals[v]);
        }
    }
    out->first[count] = influence_count;
    for (uint32_t i = 0; i < count; ++i)
    {
        out->normals[i] = pelt_vec3_normalize(out->normals[i]);
    }
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        out->indices[i] = ids[mesh->indices[i]];
    }
    return count;
}

static bool merge(pelt_mesh* inout, pelt_arena* arena)
{
    const pelt_mesh mesh = *inout;
    merged_arrays arrays;
    uint32_t* firsts = pelt_allocate(mesh.vertex_count, 2 * sizeof *firsts);
    bool has_memory =
        firsts != NULL && find_firsts(firsts, &mesh) && allocate(&arrays, &mesh, arena);
    if (has_memory)
    {
        uint32_t count = fill(&arrays, firsts + mesh.vertex_count, firsts, &mesh);
        *inout = (pelt_mesh){.name = mesh.name,
                             .vertex_count = count,
                             .index_count = mesh.index_count,
                             .positions = arrays.positions,
                             .normals = mesh.normals != NULL ? arrays.normals : NULL,
                             .indices = arrays.indices,
                             .weights = mesh.weights,
                             .material = mesh.material};
        inout->weights.vertex_count = count;
        inout->weights.influence_count = arrays.first[count];
        inout->weights.first = arrays.first;
        inout->weights.influences = arrays.influences;
    }
    pelt_release(firsts);
    return has_memory;
}

pelt_result crowd_merge_vertices(pelt_scene* inout, pelt_arena* arena, pelt_error* error)
{
    pelt_mesh* meshes = pelt_arena_alloc(arena, inout->mesh_count, sizeof *meshes);
    bool has_memory = meshes != NULL;
    for (uint32_t i = 0; has_memory && i < inout->mesh_count; ++i)
    {
        meshes[i] = inout->meshes[i];
        bool is_skinned = meshes[i].weights.vertex_count > 0 && meshes[i].index_count > 0;
        has_memory = !is_skinned || merge(&meshes[i], arena);
    }
    inout->meshes = meshes;
    return has_memory ? PELT_OK : pelt_error_memory(error);
}
