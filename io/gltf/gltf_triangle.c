// SPDX-License-Identifier: MIT
// The triangles of a primitive: lists, strips and fans, with or without indices.
#include "gltf_read.h"

enum
{
    MODE_TRIANGLES = 4,
    MODE_STRIP = 5,
    MODE_FAN = 6,
};

// Corners in the order of the primitive.
typedef struct corners
{
    uint32_t* indices;
    uint32_t count;
} corners;

static pelt_result check_indices(pelti_gltf* g, const corners* c, uint32_t vertex_count,
                                 const pelti_place* at)
{
    for (uint32_t i = 0; i < c->count; ++i)
    {
        if (c->indices[i] >= vertex_count)
        {
            return pelti_gltf_fail(g, at, "index %u is %u, but there are %u vertices", i,
                                   c->indices[i], vertex_count);
        }
    }
    return PELT_OK;
}

static pelt_result read_indices(corners* out, pelti_gltf* g, const pelti_primitive* primitive,
                                uint32_t index)
{
    pelti_place here = pelti_place_member(&primitive->at, "indices");
    pelti_accessor accessor;
    void* memory = NULL;
    pelt_result result = pelti_accessor_open(&accessor, g, index, &here);
    if (result == PELT_OK && (accessor.width != 1 || !pelti_accessor_is_unsigned(&accessor)))
    {
        result = pelti_gltf_fail(g, &here, "accessor %u must hold single unsigned integers", index);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_alloc(&memory, g, accessor.count, sizeof(uint32_t));
    }
    if (result != PELT_OK)
    {
        return result;
    }
    pelti_accessor_integers(memory, 1, &accessor);
    *out = (corners){memory, accessor.count};
    return check_indices(g, out, primitive->mesh->vertex_count, &here);
}

static pelt_result count_up(corners* out, pelti_gltf* g, uint32_t vertex_count)
{
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, vertex_count, sizeof(uint32_t));
    *out = (corners){memory, result == PELT_OK ? vertex_count : 0};
    for (uint32_t i = 0; i < out->count; ++i)
    {
        out->indices[i] = i;
    }
    return result;
}

// Triangle i of a strip or fan, by the glTF specification, 3.7.2.1.
static void unroll(uint32_t* out, const corners* c, size_t mode)
{
    for (uint32_t i = 0; i + 2 < c->count; ++i, out += 3)
    {
        uint32_t odd = i % 2;
        bool is_strip = mode == MODE_STRIP;
        out[0] = c->indices[is_strip ? i : i + 1];
        out[1] = c->indices[is_strip ? i + 1 + odd : i + 2];
        out[2] = c->indices[is_strip ? i + 2 - odd : 0];
    }
}

static pelt_result unroll_corners(corners* c, pelti_gltf* g, size_t mode)
{
    uint32_t triangles = c->count < 3 ? 0 : c->count - 2;
    if (triangles > UINT32_MAX / 3)
    {
        return pelti_gltf_fail(g, NULL, "%u triangles are more than pelt can count", triangles);
    }
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, 3 * (size_t)triangles, sizeof(uint32_t));
    if (result == PELT_OK)
    {
        unroll(memory, c, mode);
        *c = (corners){memory, 3 * triangles};
    }
    return result;
}

pelt_result pelti_gltf_read_triangles(pelti_gltf* g, const pelti_primitive* primitive)
{
    pelt_mesh* mesh = primitive->mesh;
    uint32_t index = PELT_NONE;
    size_t mode = MODE_TRIANGLES;
    corners c = {0};
    pelt_result result = pelti_gltf_get_index(&index, g, PELTI_GLTF_ACCESSORS, primitive->json,
                                              "indices", &primitive->at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_size(&mode, g, primitive->json, "mode", &primitive->at);
    }
    if (result == PELT_OK)
    {
        result = index != PELT_NONE ? read_indices(&c, g, primitive, index)
                                    : count_up(&c, g, mesh->vertex_count);
    }
    if (result == PELT_OK && mode != MODE_TRIANGLES)
    {
        result = unroll_corners(&c, g, mode);
    }
    if (result == PELT_OK && c.count % 3 != 0)
    {
        result = pelti_gltf_repair_add(g, "mesh \"%.60s\": left out %u %s no triangle", mesh->name,
                                       c.count % 3,
                                       pelti_plural(c.count % 3, "corner at its end that makes",
                                                    "corners at its end that make"));
    }
    mesh->indices = c.indices;
    mesh->index_count = c.count - c.count % 3;
    return result;
}
