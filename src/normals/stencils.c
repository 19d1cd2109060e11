// SPDX-License-Identifier: MIT
// Derivatives of displacements over the triangles around each vertex, as sums over its neighbors.
#include "../base/exact.h"

#include "../base/rescale.h"
#include "vertex_rings.h"

#include <float.h>

// A neighbor of a group, with the gradient of the hat function that is 1 there.
typedef struct neighbor
{
    uint32_t vertex;
    pelti_double3 offset; // from the vertex of the group
    pelti_double3 gradient;
} neighbor;

typedef struct stencil_builder
{
    const pelt_mesh* mesh;
    pelti_weld weld;
    uint32_t* slots; // by vertex: index into neighbors plus 1; 0: not a neighbor

    // State of the current group:
    pelti_double3 normal; // unit; zero where triangles cancel out
    uint32_t count;
    neighbor* neighbors;
} stencil_builder;

static neighbor* neighbor_of(stencil_builder* b, uint32_t vertex)
{
    if (b->slots[vertex] == 0)
    {
        b->neighbors[b->count] = (neighbor){.vertex = vertex};
        b->slots[vertex] = ++b->count;
    }
    return &b->neighbors[b->slots[vertex] - 1];
}

// Project the gradients onto the plane of the triangles such that the Jacobian of the position is
// the identity there. See pelti_plane_flatten().
// @return false: the triangles do not define a derivative
static bool flatten(stencil_builder* b)
{
    pelti_double3 u = pelti_double3_across(b->normal), v = pelti_double3_cross(b->normal, u);
    double gradients[2][2] = {{0.0}}, flattening[2][2];
    for (uint32_t i = 0; i < b->count; ++i)
    {
        const neighbor* n = &b->neighbors[i];
        double along[2] = {pelti_double3_dot(n->gradient, u), pelti_double3_dot(n->gradient, v)};
        double offset[2] = {pelti_double3_dot(n->offset, u), pelti_double3_dot(n->offset, v)};
        for (int k = 0; k < 4; ++k)
        {
            gradients[k / 2][k % 2] += along[k / 2] * offset[k % 2];
        }
    }
    if (!pelti_plane_flatten(flattening, gradients))
    {
        return false;
    }
    bool is_moderate = true;
    for (uint32_t i = 0; i < b->count; ++i)
    {
        neighbor* n = &b->neighbors[i];
        double along[2] = {pelti_double3_dot(n->gradient, u), pelti_double3_dot(n->gradient, v)};
        n->gradient = pelti_double3_mad(
            pelti_double3_scale(u, flattening[0][0] * along[0] + flattening[0][1] * along[1]),
            flattening[1][0] * along[0] + flattening[1][1] * along[1], v);
        double length = pelti_double3_length(n->gradient);
        is_moderate = is_moderate && length < (double)FLT_MAX &&
                      length * pelti_double3_length(n->offset) < pelti_moment_limit;
    }
    return is_moderate;
}

// Average over the triangles of a group, weighted by area.
static void gather(stencil_builder* b, uint32_t group)
{
    double area = 0.0;
    pelti_double3 normal = {0.0, 0.0, 0.0};
    b->count = 0;
    for (uint32_t i = b->weld.corner_first[group]; i < b->weld.corner_first[group + 1]; ++i)
    {
        pelti_triangle t;
        if (!pelti_triangle_at(&t, b->mesh->positions, b->mesh->indices, b->weld.corners[i]))
        {
            continue;
        }
        area += t.area;
        normal = pelti_double3_mad(normal, t.area, t.normal);
        for (int k = 1; k < 3; ++k)
        {
            neighbor* to = neighbor_of(b, t.vertices[k]);
            to->offset = k == 1 ? t.edges[2] : pelti_double3_scale(t.edges[1], -1.0);
            to->gradient = pelti_double3_mad(to->gradient, t.area, t.gradients[k]);
        }
    }
    b->normal = pelti_plane_normal(normal, area);
    for (uint32_t i = 0; i < b->count; ++i)
    {
        b->slots[b->neighbors[i].vertex] = 0;
        b->neighbors[i].gradient = pelti_double3_scale(b->neighbors[i].gradient, 1.0 / area);
    }
    if (!flatten(b))
    {
        b->count = 0;
    }
}

// ---------------------------------------------------------------------------------------------

static bool build(pelt_stencils* out, stencil_builder* b, pelt_arena* arena)
{
    const pelti_weld* weld = &b->weld;
    uint32_t vertex_count = b->mesh->vertex_count, group_count = weld->group_count;
    uint32_t* groups = pelt_arena_alloc(arena, vertex_count, sizeof *groups);
    uint32_t* first = pelt_arena_alloc(arena, (size_t)group_count + 1, sizeof *first);
    pelt_vec3* normals = pelt_arena_alloc(arena, group_count, sizeof *normals);
    if (groups == NULL || first == NULL || normals == NULL)
    {
        return false;
    }
    for (uint32_t group = 0; group < group_count; ++group)
    {
        gather(b, group);
        first[group + 1] = first[group] + b->count;
        normals[group] = pelti_double3_to(b->normal);
        for (uint32_t i = weld->vertex_first[group]; i < weld->vertex_first[group + 1]; ++i)
        {
            groups[weld->vertices[i]] = group;
        }
    }
    pelt_stencil_entry* entries = pelt_arena_alloc(arena, first[group_count], sizeof *entries);
    for (uint32_t group = 0; group < group_count && entries != NULL; ++group)
    {
        gather(b, group);
        for (uint32_t i = 0; i < b->count; ++i)
        {
            const neighbor* n = &b->neighbors[i];
            entries[first[group] + i] =
                (pelt_stencil_entry){n->vertex, pelti_double3_to(n->gradient)};
        }
    }
    *out = (pelt_stencils){.vertex_count = vertex_count,
                           .group_count = group_count,
                           .groups = groups,
                           .first = first,
                           .entries = entries,
                           .normals = normals};
    return entries != NULL;
}

pelt_result pelt_stencils_build(pelt_stencils* out, const pelt_mesh* mesh, pelt_arena* arena)
{
    *out = (pelt_stencils){0};
    pelt_arena* scratch = pelt_arena_create();
    if (scratch == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    stencil_builder b = {.mesh = mesh};
    b.slots = pelt_arena_alloc(scratch, mesh->vertex_count, sizeof *b.slots);
    b.neighbors = pelt_arena_alloc(scratch, mesh->vertex_count, sizeof *b.neighbors);
    bool is_ok = b.slots != NULL && b.neighbors != NULL &&
                 pelti_weld_vertices(&b.weld, mesh, scratch) && build(out, &b, arena);
    pelt_arena_destroy(scratch);
    if (!is_ok)
    {
        *out = (pelt_stencils){0};
    }
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------

pelt_mat3 pelti_stencil_map(const pelt_stencils* stencils, const pelt_vec3* displacements,
                            uint32_t vertex)
{
    uint32_t group = stencils->groups[vertex];
    pelt_mat3 map = pelt_mat3_identity();
    bool is_still = true;
    for (uint32_t i = stencils->first[group]; i < stencils->first[group + 1]; ++i)
    {
        const pelt_stencil_entry* entry = &stencils->entries[i];
        pelt_vec3 move = pelt_vec3_sub(displacements[entry->vertex], displacements[vertex]);
        pelt_mat3 product = pelt_mat3_outer(move, entry->gradient);
        map = pelt_mat3_mad(&map, 1.0f, &product);
        is_still = is_still && move.x == 0.0f && move.y == 0.0f && move.z == 0.0f;
    }
    if (is_still)
    {
        return map;
    }
    // So far the map keeps the normal. Map it to the cross product of the mapped axes of the plane,
    // which the cofactor matrix yields, with the mean stretch of the plane as its length.
    pelt_vec3 normal = stencils->normals[group];
    float scale = pelti_scale_to_one(&map.m[0][0], 9);
    pelt_mat3 near = pelti_mat3_rescale(&map), cofactor = pelt_mat3_cofactor(&near);
    pelt_vec3 cross = pelt_mat3_vector(&cofactor, normal);
    float length = pelt_vec3_length(cross);
    pelt_vec3 image = pelt_vec3_scale(cross, length > 0.0f ? 1.0f / (scale * sqrtf(length)) : 0.0f);
    pelt_mat3 product = pelt_mat3_outer(pelt_vec3_sub(image, normal), normal);
    return pelt_mat3_mad(&map, 1.0f, &product);
}
