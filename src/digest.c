// SPDX-License-Identifier: MIT
// Digests of what centres of rotation and normal factors follow from: docs/files.md, "Digests", is
// the definition, so that other programs can compute them.
#include "../include/pelt/pelt.h"

#include <string.h>

// Finalizer of SplitMix64 (Steele, Lea and Flood 2014, with Stafford's constants).
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t add_word(uint64_t hash, uint32_t word)
{
    return mix((hash ^ word) + 0x9e3779b97f4a7c15u);
}

static uint64_t add_float(uint64_t hash, float value)
{
    uint32_t word;
    value = value == 0.0f ? 0.0f : value; // -0 is 0
    memcpy(&word, &value, sizeof word);
    return add_word(hash, word);
}

static uint64_t add_point(uint64_t hash, pelt_vec3 p)
{
    return add_float(add_float(add_float(hash, p.x), p.y), p.z);
}

static uint64_t hash_vertex(const pelt_mesh* mesh, uint32_t vertex)
{
    const pelt_weights* weights = &mesh->weights;
    uint32_t start = weights->first != NULL ? weights->first[vertex] : 0;
    uint32_t end = weights->first != NULL ? weights->first[vertex + 1] : 0;
    uint64_t hash = add_word(add_point(0, mesh->positions[vertex]), end - start);
    for (uint32_t i = start; i < end; ++i)
    {
        hash = add_word(hash, weights->influences[i].joint);
        hash = add_float(hash, weights->influences[i].weight);
    }
    return hash;
}

// Sums do not know an order, of triangles or of the corners of one. Triangles without three
// different corners have no area: they may come and go.
static uint64_t sum_triangles(const pelt_mesh* mesh, const uint64_t* hashes)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
    {
        uint64_t a = hashes[mesh->indices[i]], b = hashes[mesh->indices[i + 1]],
                 c = hashes[mesh->indices[i + 2]];
        sum += a != b && b != c && c != a ? mix(a + b + c) : 0;
    }
    return sum;
}

static pelt_result digest(uint64_t* out, const pelt_mesh* mesh, const pelt_vec3* normals,
                          const pelt_vec3* cors)
{
    uint64_t* hashes = pelt_allocate(mesh->vertex_count, sizeof *hashes);
    *out = 0;
    if (hashes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        hashes[v] = hash_vertex(mesh, v);
        hashes[v] = normals != NULL ? add_point(hashes[v], normals[v]) : hashes[v];
        hashes[v] = cors != NULL ? add_point(hashes[v], cors[v]) : hashes[v];
    }
    *out = sum_triangles(mesh, hashes);
    pelt_release(hashes);
    return PELT_OK;
}

pelt_result pelt_cor_digest(uint64_t* out, const pelt_mesh* mesh)
{
    PELT_ASSERT(out != NULL && mesh != NULL);
    return digest(out, mesh, NULL, NULL);
}

pelt_result pelt_normal_digest(uint64_t* out, const pelt_mesh* mesh, const pelt_vec3* cors)
{
    PELT_ASSERT(out != NULL && mesh != NULL);
    return digest(out, mesh, mesh->normals, cors);
}
