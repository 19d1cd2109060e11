// SPDX-License-Identifier: MIT
// Digests of what centers of rotation and normal factors follow from: docs/files.md, "Digests", is
// the definition, so that other programs can compute them.
#include "../base/exact.h"

#include "../../include/pelt/bake.h"
#include "../../include/pelt/prepare.h"

#include <float.h>
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

// Readers divide weights by their sum where that is off by more than rounding: as they will be
// read.
static double divisor_of(const pelt_influence* influences, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sum += (double)influences[i].weight;
    }
    return fabs(sum - 1.0) <= count * (double)FLT_EPSILON ? 1.0 : sum;
}

static uint64_t hash_vertex(const pelt_mesh* mesh, uint32_t vertex)
{
    const uint32_t* first = mesh->weights.first;
    uint32_t count = first != NULL ? first[vertex + 1] - first[vertex] : 0;
    const pelt_influence* own = count > 0 ? mesh->weights.influences + first[vertex] : NULL;
    double divisor = divisor_of(own, count);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        float weight = (float)((double)own[i].weight / divisor);
        sum += add_float(add_word(0, own[i].joint), weight);
    }
    uint64_t hash = add_point(0, mesh->positions[vertex]);
    return add_word(add_word(hash, (uint32_t)sum), (uint32_t)(sum >> 32));
}

// Readers make normals unit, up where they have no direction: as they will be read.
static pelt_vec3 unit_normal(pelt_vec3 n)
{
    double square =
        (double)n.x * (double)n.x + (double)n.y * (double)n.y + (double)n.z * (double)n.z;
    return fabs(square - 1.0) < 1e-6          ? n
           : isfinite(square) && square > 0.0 ? pelt_vec3_normalize(n)
                                              : pelt_vec3_make(0.0f, 1.0f, 0.0f);
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
        hashes[v] = normals != NULL ? add_point(hashes[v], unit_normal(normals[v])) : hashes[v];
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

uint64_t pelt_baked_digest(const pelt_vec3* positions, uint32_t count)
{
    uint64_t hash = add_word(0, count);
    for (uint32_t vertex = 0; vertex < count; ++vertex)
    {
        hash = add_point(hash, positions[vertex]);
    }
    return hash;
}
