// SPDX-License-Identifier: MIT
// The mesh of one material: equal corners joined, attributes by vertex.
#include "fbx_mesh.h"

#include "../mesh/vertex_join.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Joining

static void list_corners(const pelti_fbx_mesh_source* s, pelti_fbx_part* p)
{
    for (uint32_t i = 0; i < 3 * p->triangle_count; ++i)
    {
        uint32_t corner = s->surface.triangles[3 * (size_t)p->triangles[i / 3] + i % 3];
        if (p->local[corner] == PELT_NONE)
        {
            p->local[corner] = p->corner_count;
            p->corners[p->corner_count++] = corner;
        }
    }
}

// The elements of the corners that are used, end to end.
static void* pick(const pelti_fbx_mesh_source* s, const pelti_fbx_part* p, const void* values,
                  size_t size)
{
    unsigned char* out = pelti_fbx_take(&s->f->file, p->corner_count, size);
    for (uint32_t i = 0; i < p->corner_count && out != NULL; ++i)
    {
        memcpy(out + i * size, (const unsigned char*)values + p->corners[i] * size, size);
    }
    return out;
}

static pelt_result join_corners(const pelti_fbx_mesh_source* s, pelti_fbx_part* p)
{
    const pelti_fbx_surface* from = &s->surface;
    const pelti_join_array all[] = {
        {from->corners, sizeof *from->corners},   {from->normals, sizeof *from->normals},
        {from->tangents, sizeof *from->tangents}, {from->binormals, sizeof *from->binormals},
        {from->uvs, sizeof *from->uvs},           {from->colors, sizeof *from->colors}};
    pelti_join_array arrays[sizeof all / sizeof all[0]];
    pelti_join_input input = {.vertex_count = p->corner_count, .arrays = arrays};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    {
        if (all[i].data != NULL)
        {
            void* picked = pick(s, p, all[i].data, all[i].size);
            if (picked == NULL)
            {
                return PELT_ERROR_MEMORY;
            }
            arrays[input.array_count++] = (pelti_join_array){picked, all[i].size};
        }
    }
    p->sources = pelti_fbx_take(&s->f->file, p->corner_count, sizeof *p->sources);
    p->joined = pelti_fbx_take(&s->f->file, p->corner_count, sizeof *p->joined);
    if (p->sources == NULL || p->joined == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    return pelti_join_vertices(p->sources, p->joined, &p->vertex_count, &input) == PELT_OK
               ? PELT_OK
               : pelt_error_memory(s->f->error);
}

// ---------------------------------------------------------------------------------------------
// Attributes

static uint32_t corner_of(const pelti_fbx_part* p, uint32_t vertex)
{
    return p->corners[p->sources[vertex]];
}

// Values of the corners that vertices are taken from; NULL stays NULL.
static bool copy_corners(const void** out, const pelti_fbx_mesh_source* s, const pelti_fbx_part* p,
                         const void* values, size_t size)
{
    if (values == NULL)
    {
        return true;
    }
    unsigned char* copy = pelt_arena_alloc(s->f->arena, p->vertex_count, size);
    for (uint32_t v = 0; v < p->vertex_count && copy != NULL; ++v)
    {
        memcpy(copy + v * size, (const unsigned char*)values + corner_of(p, v) * size, size);
    }
    *out = copy;
    return copy != NULL;
}

static bool is_zero(pelt_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static pelt_result write_normals(const pelti_fbx_mesh_source* s, const pelti_fbx_part* p,
                                 pelt_mesh* out)
{
    if (s->surface.normals == NULL)
    {
        return PELT_OK;
    }
    pelt_vec3* normals = pelt_arena_alloc(s->f->arena, p->vertex_count, sizeof *normals);
    if (normals == NULL)
    {
        return pelt_error_memory(s->f->error);
    }
    uint32_t bad = 0;
    for (uint32_t v = 0; v < p->vertex_count; ++v)
    {
        pelt_vec3 n = s->surface.normals[corner_of(p, v)];
        bad += is_zero(n);
        normals[v] = is_zero(n) ? pelt_vec3_make(0.0f, 1.0f, 0.0f) : n;
    }
    if (bad == p->vertex_count)
    {
        return pelti_fbx_repair(s->f, "mesh %s: left out its normals, which are all zero",
                                out->name);
    }
    out->normals = normals;
    return bad == 0 ? PELT_OK
                    : pelti_fbx_repair(s->f, "mesh %s: %u %s zero; set to point up", out->name, bad,
                                       pelti_plural(bad, "normal is", "normals are"));
}

static pelt_result write_tangents(const pelti_fbx_mesh_source* s, const pelti_fbx_part* p,
                                  pelt_mesh* out)
{
    if (out->normals == NULL || s->surface.tangents == NULL || s->surface.binormals == NULL)
    {
        return PELT_OK;
    }
    pelt_vec4* tangents = pelt_arena_alloc(s->f->arena, p->vertex_count, sizeof *tangents);
    for (uint32_t v = 0; v < p->vertex_count && tangents != NULL; ++v)
    {
        pelt_vec3 t = s->surface.tangents[corner_of(p, v)];
        pelt_vec3 b = s->surface.binormals[corner_of(p, v)];
        t = is_zero(t) ? pelt_vec3_make(1.0f, 0.0f, 0.0f) : t;
        float side = pelt_vec3_dot(pelt_vec3_cross(out->normals[v], t), b);
        tangents[v] = (pelt_vec4){t.x, t.y, t.z, side < 0.0f ? -1.0f : 1.0f};
    }
    out->tangents = tangents;
    return tangents != NULL ? PELT_OK : pelt_error_memory(s->f->error);
}

static pelt_result write_positions(const pelti_fbx_mesh_source* s, pelti_fbx_part* p,
                                   pelt_mesh* out)
{
    pelt_vec3* positions = pelt_arena_alloc(s->f->arena, p->vertex_count, sizeof *positions);
    float* factors = s->skin.mix_factors != NULL
                         ? pelt_arena_alloc(s->f->arena, p->vertex_count, sizeof *factors)
                         : NULL;
    p->points = pelti_fbx_take(&s->f->file, p->vertex_count, sizeof *p->points);
    if (positions == NULL || p->points == NULL || (s->skin.mix_factors != NULL && factors == NULL))
    {
        return pelt_error_memory(s->f->error);
    }
    for (uint32_t v = 0; v < p->vertex_count; ++v)
    {
        p->points[v] = s->surface.corners[corner_of(p, v)];
        positions[v] = s->surface.points[p->points[v]];
        if (factors != NULL)
        {
            factors[v] = s->skin.mix_factors[p->points[v]];
        }
    }
    out->vertex_count = p->vertex_count;
    out->positions = positions;
    out->mix_factors = factors;
    return PELT_OK;
}

static pelt_result write_indices(const pelti_fbx_mesh_source* s, const pelti_fbx_part* p,
                                 pelt_mesh* out)
{
    uint32_t* indices =
        pelt_arena_alloc(s->f->arena, 3 * (size_t)p->triangle_count, sizeof *indices);
    for (uint32_t i = 0; i < 3 * p->triangle_count && indices != NULL; ++i)
    {
        uint32_t corner = s->surface.triangles[3 * (size_t)p->triangles[i / 3] + i % 3];
        indices[i] = p->joined[p->local[corner]];
    }
    out->indices = indices;
    out->index_count = 3 * p->triangle_count;
    return indices != NULL ? PELT_OK : pelt_error_memory(s->f->error);
}

static pelt_result write_attributes(const pelti_fbx_mesh_source* s, pelti_fbx_part* p,
                                    pelt_mesh* out)
{
    const pelti_fbx_surface* from = &s->surface;
    const void *uvs = NULL, *colors = NULL;
    pelt_result result = write_positions(s, p, out);
    if (result != PELT_OK)
    {
        return result;
    }
    result = write_normals(s, p, out);
    if (result != PELT_OK)
    {
        return result;
    }
    result = write_tangents(s, p, out);
    if (result != PELT_OK)
    {
        return result;
    }
    result = write_indices(s, p, out);
    if (result == PELT_OK && (!copy_corners(&uvs, s, p, from->uvs, sizeof *from->uvs) ||
                              !copy_corners(&colors, s, p, from->colors, sizeof *from->colors)))
    {
        result = pelt_error_memory(s->f->error);
    }
    out->uvs = uvs;
    out->colors = colors;
    return result;
}

// ---------------------------------------------------------------------------------------------

pelt_result pelti_fbx_write_mesh(pelt_mesh* out, const pelti_fbx_mesh_source* s, pelti_fbx_part* p)
{
    pelti_fbx* f = s->f;
    *out = (pelt_mesh){.name = pelt_arena_string(f->arena, s->name), .material = p->material};
    list_corners(s, p);
    pelt_result result = out->name != NULL ? join_corners(s, p) : pelt_error_memory(f->error);
    if (result != PELT_OK)
    {
        return result;
    }
    result = write_attributes(s, p, out);
    if (result == PELT_OK && s->skin.object != PELT_NONE)
    {
        out->has_method = s->skin.has_method;
        out->method = s->skin.method;
        result = pelti_fbx_write_weights(f, out, &s->skin, p->points, p->vertex_count);
    }
    if (result == PELT_OK && s->shapes != NULL)
    {
        result = pelti_fbx_write_morphs(f, out, s->shapes, p->points, s->surface.point_count,
                                        &s->geometric);
    }
    return result;
}
