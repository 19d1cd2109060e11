// SPDX-License-Identifier: MIT
// Which vertices of a body are one, and which are neighbors.
#include "../base/exact.h"

#include "body.h"

#include "../normals/triangle.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Copies of vertices

// The group of each vertex under a weld.
static void invert_weld(uint32_t* out, const pelti_weld* weld)
{
    for (uint32_t group = 0; group < weld->group_count; ++group)
    {
        for (uint32_t i = weld->vertex_first[group]; i < weld->vertex_first[group + 1]; ++i)
        {
            out[weld->vertices[i]] = group;
        }
    }
}

// The first vertex of each group. @return NULL when out of memory
static uint32_t* first_vertices(const pelti_weld* weld, pelt_arena* arena)
{
    uint32_t* out = pelt_arena_alloc(arena, weld->group_count, sizeof *out);
    for (uint32_t group = 0; out != NULL && group < weld->group_count; ++group)
    {
        out[group] = weld->vertices[weld->vertex_first[group]];
    }
    return out;
}

static bool weld_body(pelt_body* inout)
{
    pelt_arena* arena = inout->arena;
    uint32_t vertex_count = inout->mesh.vertex_count;
    // Without normals creases do not divide, and without weights nothing does.
    pelt_mesh smooth = inout->mesh, bare = inout->mesh;
    pelti_weld groups, places;
    smooth.normals = bare.normals = NULL;
    bare.weights = (pelt_weights){0};
    inout->vertex_groups = pelt_arena_alloc(arena, vertex_count, sizeof *inout->vertex_groups);
    inout->vertex_places = pelt_arena_alloc(arena, vertex_count, sizeof *inout->vertex_places);
    if (inout->vertex_groups == NULL || inout->vertex_places == NULL ||
        !pelti_weld_vertices(&groups, &smooth, arena) ||
        !pelti_weld_vertices(&places, &bare, arena) ||
        !pelti_weld_vertices(&inout->normal_weld, &inout->mesh, arena))
    {
        return false;
    }
    invert_weld(inout->vertex_groups, &groups);
    invert_weld(inout->vertex_places, &places);
    inout->place_count = places.group_count;
    inout->group_count = groups.group_count;
    inout->group_vertices = first_vertices(&groups, arena);
    inout->place_vertices = first_vertices(&places, arena);
    inout->rest = pelt_arena_alloc(arena, groups.group_count, sizeof *inout->rest);
    bool is_ok =
        inout->group_vertices != NULL && inout->place_vertices != NULL && inout->rest != NULL;
    for (uint32_t g = 0; is_ok && g < groups.group_count; ++g)
    {
        inout->rest[g] = pelti_double3_from(inout->mesh.positions[inout->group_vertices[g]]);
    }
    return is_ok;
}

// ---------------------------------------------------------------------------------------------
// Areas

static bool add_areas(pelt_body* inout)
{
    pelt_arena* arena = inout->arena;
    uint32_t vertex_count = inout->mesh.vertex_count;
    size_t corner_count = inout->mesh.index_count;
    float* areas = pelt_arena_alloc(arena, vertex_count, sizeof *areas);
    uint32_t* copies = pelt_arena_alloc(arena, inout->group_count, sizeof *copies);
    inout->triangle_groups = pelt_arena_alloc(arena, corner_count, sizeof *inout->triangle_groups);
    inout->triangle_areas =
        pelt_arena_alloc(arena, inout->triangle_count, sizeof *inout->triangle_areas);
    inout->group_areas = pelt_arena_alloc(arena, inout->group_count, sizeof *inout->group_areas);
    if (areas == NULL || copies == NULL || inout->triangle_groups == NULL ||
        inout->triangle_areas == NULL || inout->group_areas == NULL)
    {
        return false;
    }
    for (uint32_t t = 0; t < inout->triangle_count; ++t)
    {
        pelti_triangle triangle;
        pelti_triangle_edges(&triangle, inout->mesh.positions, inout->mesh.indices, 3 * t);
        pelti_double3 cross = pelti_double3_cross(triangle.edges[0], triangle.edges[1]);
        inout->triangle_areas[t] = 0.5 * pelti_double3_length(cross);
        for (uint32_t k = 0; k < 3; ++k)
        {
            uint32_t group = inout->vertex_groups[inout->mesh.indices[3 * t + k]];
            inout->triangle_groups[3 * t + k] = group;
            inout->group_areas[group] += inout->triangle_areas[t] / 3.0;
        }
    }
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        ++copies[inout->vertex_groups[v]];
    }
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        uint32_t group = inout->vertex_groups[v];
        areas[v] = (float)(inout->group_areas[group] / copies[group]);
    }
    inout->info.vertex_areas = areas;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Edges

typedef struct half_edge
{
    uint32_t low, high; // groups or places
    uint32_t corner;    // opposite to it
    bool is_reversed;   // it goes from high to low
} half_edge;

static int compare_half_edges(const void* a, const void* b)
{
    const half_edge *s = a, *t = b;
    if (s->low != t->low)
    {
        return s->low < t->low ? -1 : 1;
    }
    if (s->high != t->high)
    {
        return s->high < t->high ? -1 : 1;
    }
    return (s->corner > t->corner) - (s->corner < t->corner);
}

// Sorted by their ends; those of triangles with two corners in one are left out.
// @param ends  group or place of each corner
static uint32_t list_half_edges(half_edge* out, const uint32_t* ends, uint32_t corner_count)
{
    uint32_t count = 0;
    for (uint32_t corner = 0; corner < corner_count; ++corner)
    {
        uint32_t first = corner - corner % 3;
        uint32_t from = ends[first + (corner + 1) % 3], to = ends[first + (corner + 2) % 3];
        if (from != to && from != ends[corner] && to != ends[corner])
        {
            out[count++] =
                (half_edge){from < to ? from : to, from < to ? to : from, corner, from > to};
        }
    }
    qsort(out, count, sizeof *out, compare_half_edges);
    return count;
}

static bool is_same_edge(const half_edge* a, const half_edge* b)
{
    return a->low == b->low && a->high == b->high;
}

// Every edge is passed as often one way as the other.
static bool is_closed(const half_edge* list, uint32_t count)
{
    int64_t balance = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        balance += list[i].is_reversed ? -1 : 1;
        bool is_last = i + 1 == count || !is_same_edge(&list[i], &list[i + 1]);
        if (is_last && balance != 0)
        {
            return false;
        }
    }
    return count > 0;
}

// Half the cotangent of the angle at a corner.
static double corner_weight(const pelt_body* body, uint32_t corner)
{
    pelti_triangle triangle;
    if (!pelti_triangle_at(&triangle, body->mesh.positions, body->mesh.indices, corner))
    {
        return 0.0;
    }
    // Edges go round, so those at the corner point at each other's tails.
    return -0.5 * pelti_double3_dot(triangle.edges[1], triangle.edges[2]) / (2.0 * triangle.area);
}

static pelti_edge make_edge(const pelt_body* body, const half_edge* list, uint32_t count)
{
    // Cotangents above this belong to slivers, where they would be all that counts.
    const double largest = 100.0;
    pelti_edge edge = {.groups = {list[0].low, list[0].high}, .triangles = {PELT_NONE, PELT_NONE}};
    uint32_t counts[2] = {0, 0};
    for (uint32_t i = 0; i < count; ++i)
    {
        edge.weight += corner_weight(body, list[i].corner);
        edge.triangles[list[i].is_reversed] = list[i].corner / 3;
        ++counts[list[i].is_reversed];
    }
    for (int k = 0; k < 2; ++k)
    {
        edge.triangles[k] = counts[k] == 1 ? edge.triangles[k] : PELT_NONE;
    }
    edge.weight = fmin(fmax(edge.weight, 0.0), largest);
    edge.length =
        pelti_double3_length(pelti_double3_sub(body->rest[list[0].high], body->rest[list[0].low]));
    edge.angle = pelti_edge_angle(body, &edge, body->rest);
    return edge;
}

static bool add_edges(pelt_body* inout, const half_edge* list, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        inout->edge_count += i == 0 || !is_same_edge(&list[i - 1], &list[i]);
    }
    inout->edges = pelt_arena_alloc(inout->arena, inout->edge_count, sizeof *inout->edges);
    if (inout->edges == NULL)
    {
        return false;
    }
    pelti_edge* next = inout->edges;
    for (uint32_t i = 0, end; i < count; i = end)
    {
        for (end = i + 1; end < count && is_same_edge(&list[i], &list[end]); ++end)
        {
        }
        *next++ = make_edge(inout, list + i, end - i);
    }
    return true;
}

// The neighbors of each group, in the order of edges.
static bool add_neighbors(pelt_body* inout)
{
    size_t offset_count = (size_t)inout->group_count + 2;
    uint32_t* first = pelt_arena_alloc(inout->arena, offset_count, sizeof *inout->first_neighbors);
    inout->neighbors =
        pelt_arena_alloc(inout->arena, (size_t)inout->edge_count * 2, sizeof *inout->neighbors);
    inout->first_neighbors = first;
    if (first == NULL || inout->neighbors == NULL)
    {
        return false;
    }
    // Counted two places ahead, so that filling moves each offset to where it belongs.
    for (uint32_t i = 0; i < 2 * inout->edge_count; ++i)
    {
        ++first[inout->edges[i / 2].groups[i % 2] + 2];
    }
    for (uint32_t group = 0; group < inout->group_count; ++group)
    {
        first[group + 2] += first[group + 1];
    }
    for (uint32_t i = 0; i < 2 * inout->edge_count; ++i)
    {
        const pelti_edge* edge = &inout->edges[i / 2];
        inout->neighbors[first[edge->groups[i % 2] + 1]++] =
            (pelti_neighbor){edge->groups[1 - i % 2], i / 2};
    }
    return true;
}

bool pelti_body_connect(pelt_body* inout)
{
    if (!weld_body(inout) || !add_areas(inout))
    {
        return false;
    }
    uint32_t corner_count = inout->mesh.index_count;
    half_edge* list = pelt_allocate((size_t)corner_count + 1, sizeof *list);
    uint32_t* places = pelt_allocate((size_t)corner_count + 1, sizeof *places);
    bool is_ok = list != NULL && places != NULL;
    if (is_ok)
    {
        for (uint32_t i = 0; i < corner_count; ++i)
        {
            places[i] = inout->vertex_places[inout->mesh.indices[i]];
        }
        inout->info.is_closed = is_closed(list, list_half_edges(list, places, corner_count));
        uint32_t count = list_half_edges(list, inout->triangle_groups, corner_count);
        is_ok = add_edges(inout, list, count) && add_neighbors(inout);
    }
    pelt_release(list);
    pelt_release(places);
    return is_ok;
}
