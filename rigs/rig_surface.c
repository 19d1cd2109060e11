// SPDX-License-Identifier: MIT
// Normals and tangents of a mesh under construction.
#include "rig_surface.h"

#include <string.h>

static bool is_zero(pelt_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static bool is_same_position(pelt_vec3 a, pelt_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static uint32_t hash_position(pelt_vec3 p)
{
    // Adding zero makes -0 and 0, which compare equal, equal in their bits too.
    float values[3] = {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};
    uint32_t bits[3];
    memcpy(bits, values, sizeof(bits));

    uint32_t hash = 2166136261u; // FNV-1a on words, then mixed as murmur3 ends
    for (int i = 0; i < 3; ++i)
    {
        hash = (hash ^ bits[i]) * 16777619u;
        hash ^= hash >> 15;
    }
    hash *= 0x85ebca6bu;
    return hash ^ (hash >> 13);
}

// For each vertex the first one at the same position. Open addressing, at most half full.
static uint32_t* weld_places(const rig_mesh* mesh, pelt_arena* scratch)
{
    size_t slot_count = 16;
    while (slot_count < 2 * (size_t)mesh->vertex_count)
    {
        slot_count *= 2;
    }
    uint32_t* slots = pelt_arena_alloc(scratch, slot_count, sizeof(*slots)); // vertex + 1, or 0
    uint32_t* welded = pelt_arena_alloc(scratch, mesh->vertex_count, sizeof(*welded));
    if (slots == NULL || welded == NULL)
    {
        return NULL;
    }

    for (uint32_t vertex = 0; vertex < mesh->vertex_count; ++vertex)
    {
        pelt_vec3 position = mesh->positions[vertex];
        size_t slot = hash_position(position) & (slot_count - 1);
        while (slots[slot] != 0 && !is_same_position(mesh->positions[slots[slot] - 1], position))
        {
            slot = (slot + 1) & (slot_count - 1);
        }
        if (slots[slot] == 0)
        {
            slots[slot] = vertex + 1;
        }
        welded[vertex] = slots[slot] - 1;
    }
    return welded;
}

static bool has_zero_normal(const rig_mesh* mesh)
{
    uint32_t vertex = 0;
    while (vertex < mesh->vertex_count && !is_zero(mesh->normals[vertex]))
    {
        ++vertex;
    }
    return vertex < mesh->vertex_count;
}

bool rig_normals_complete(rig_mesh* mesh, pelt_arena* scratch)
{
    if (!has_zero_normal(mesh))
    {
        return true;
    }
    uint32_t* welded = weld_places(mesh, scratch);
    uint32_t* indices = pelt_arena_alloc(scratch, mesh->index_count, sizeof(*indices));
    pelt_vec3* normals = pelt_arena_alloc(scratch, mesh->vertex_count, sizeof(*normals));
    if (welded == NULL || indices == NULL || normals == NULL)
    {
        return false;
    }

    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        indices[i] = welded[mesh->indices[i]];
    }
    pelt_normals_compute(normals, mesh->positions, mesh->vertex_count, indices, mesh->index_count);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; ++vertex)
    {
        if (is_zero(mesh->normals[vertex]))
        {
            mesh->normals[vertex] = normals[welded[vertex]];
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Tangents

// Directions in which u grows and v shrinks.
typedef struct uv_axes
{
    pelt_vec3 right, up;
} uv_axes;

// Axes of one triangle, as long as its area; zero where the texture is squeezed to a line.
static uv_axes triangle_axes(const rig_mesh* mesh, const uint32_t* corner)
{
    const pelt_vec3* p = mesh->positions;
    const pelt_vec2* uv = mesh->uvs;
    pelt_vec3 e1 = pelt_vec3_sub(p[corner[1]], p[corner[0]]);
    pelt_vec3 e2 = pelt_vec3_sub(p[corner[2]], p[corner[0]]);
    float u1 = uv[corner[1]].x - uv[corner[0]].x, v1 = uv[corner[1]].y - uv[corner[0]].y;
    float u2 = uv[corner[2]].x - uv[corner[0]].x, v2 = uv[corner[2]].y - uv[corner[0]].y;

    float area = pelt_vec3_length(pelt_vec3_cross(e1, e2));
    float det = u1 * v2 - u2 * v1;
    float size = det > 0.0f ? area : det < 0.0f ? -area : 0.0f;
    pelt_vec3 right = pelt_vec3_mad(pelt_vec3_scale(e1, v2), -v1, e2);
    pelt_vec3 down = pelt_vec3_mad(pelt_vec3_scale(e2, u1), -u2, e1);
    return (uv_axes){pelt_vec3_scale(pelt_vec3_normalize(right), size),
                     pelt_vec3_scale(pelt_vec3_normalize(down), -size)};
}

// A unit vector across the unit vector n.
static pelt_vec3 any_across(pelt_vec3 n)
{
    pelt_vec3 axis =
        fabsf(n.x) < 0.6f ? pelt_vec3_make(1.0f, 0.0f, 0.0f) : pelt_vec3_make(0.0f, 1.0f, 0.0f);
    return pelt_vec3_normalize(pelt_vec3_mad(axis, -pelt_vec3_dot(n, axis), n));
}

static pelt_vec4 vertex_tangent(uv_axes sum, pelt_vec3 normal)
{
    // Unit length first: what is left after the projection then tells how parallel the two were.
    pelt_vec3 right = pelt_vec3_normalize(sum.right);
    pelt_vec3 across = pelt_vec3_mad(right, -pelt_vec3_dot(right, normal), normal);
    if (pelt_vec3_length(across) < 1e-3f)
    {
        across = any_across(normal);
    }
    pelt_vec3 t = pelt_vec3_normalize(across);
    float sign = pelt_vec3_dot(pelt_vec3_cross(normal, t), sum.up) < 0.0f ? -1.0f : 1.0f;
    return (pelt_vec4){t.x, t.y, t.z, sign};
}

bool rig_tangents_compute(pelt_vec4* out, const rig_mesh* mesh, pelt_arena* scratch)
{
    uv_axes* sums = pelt_arena_alloc(scratch, mesh->vertex_count, sizeof(*sums));
    if (sums == NULL)
    {
        return false;
    }

    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
    {
        uv_axes axes = triangle_axes(mesh, mesh->indices + i);
        for (uint32_t c = 0; c < 3; ++c)
        {
            uv_axes* sum = &sums[mesh->indices[i + c]];
            sum->right = pelt_vec3_add(sum->right, axes.right);
            sum->up = pelt_vec3_add(sum->up, axes.up);
        }
    }
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; ++vertex)
    {
        out[vertex] = vertex_tangent(sums[vertex], mesh->normals[vertex]);
    }
    return true;
}
