// SPDX-License-Identifier: MIT
// Vertex normals from triangles.
#include "../base/exact.h"

#include "vertex_rings.h"

#include "../../include/pelt/prepare.h"
#include "../base/rescale.h"

void pelt_normals_compute(pelt_vec3* out, const pelt_vec3* positions, uint32_t vertex_count,
                          const uint32_t* indices, uint32_t index_count)
{
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        out[v] = pelt_vec3_make(0.0f, 0.0f, 0.0f);
    }
    float scale = pelti_scale_to_one((const float*)positions, 3 * (size_t)vertex_count);
    if (scale > 1e-15f && scale < 1e15f)
    {
        // No scale is needed: float holds the areas of all triangles, also of small ones.
        scale = 1.0f;
    }
    for (uint32_t i = 0; i + 2 < index_count; i += 3)
    {
        const uint32_t* t = indices + i;
        pelt_vec3 a = pelt_vec3_scale(positions[t[0]], scale);
        // The cross product has twice the area as its length, so it weights by area.
        pelt_vec3 n = pelt_vec3_cross(pelt_vec3_sub(pelt_vec3_scale(positions[t[1]], scale), a),
                                      pelt_vec3_sub(pelt_vec3_scale(positions[t[2]], scale), a));
        for (int k = 0; k < 3; ++k)
        {
            out[t[k]] = pelt_vec3_add(out[t[k]], n);
        }
    }
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        out[v] = pelt_vec3_normalize(out[v]);
        if (pelt_vec3_dot(out[v], out[v]) == 0.0f)
        {
            out[v] = pelt_vec3_make(0.0f, 1.0f, 0.0f);
        }
    }
}

// =============================================================================================
// Normals of deformed triangles that keep the difference between authored normals and triangles.

// The triangles of a vertex, at rest and deformed.
typedef struct ring
{
    pelti_double3 rest, deformed; // normals of the triangles
    pelti_double3 map[3];         // sum of the triangles' maps by their areas, by columns
    pelti_double3 own[3];         // of their maps to themselves, which leave out their normals
    double area;
} ring;

// Its length is twice the area, as in pelt_normals_compute(). The sum over a ring is the vector
// area of its outline, so it does not depend on the stretch of single triangles. Weights by the
// lengths of edges (Max, "Weights for Computing Vertex Normals from Facet Normals", 1999) are more
// accurate at rest but change with the stretch.
static pelti_double3 corner_normal(const pelti_triangle* t)
{
    return pelti_double3_cross(t->edges[1], t->edges[2]);
}

// Add column (x) row, times s, to a matrix of three columns.
static void add_product(pelti_double3 map[3], double s, pelti_double3 column, pelti_double3 row)
{
    map[0] = pelti_double3_mad(map[0], s * row.x, column);
    map[1] = pelti_double3_mad(map[1], s * row.y, column);
    map[2] = pelti_double3_mad(map[2], s * row.z, column);
}

static pelti_double3 apply(const pelti_double3 map[3], pelti_double3 v)
{
    pelti_double3 sum = pelti_double3_scale(map[0], v.x);
    return pelti_double3_mad(pelti_double3_mad(sum, v.y, map[1]), v.z, map[2]);
}

// The map that takes the edges of the rest triangle to those of the other.
static void add_map(pelti_double3 map[3], const pelti_triangle* rest, const pelti_triangle* other)
{
    add_product(map, rest->area, other->edges[2], rest->gradients[1]);
    add_product(map, -rest->area, other->edges[1], rest->gradients[2]);
}

static ring ring_of(const pelti_weld* weld, uint32_t group, const pelt_mesh* mesh,
                    const pelt_vec3* positions)
{
    ring out = {0};
    for (uint32_t i = weld->corner_first[group]; i < weld->corner_first[group + 1]; ++i)
    {
        pelti_triangle rest, deformed;
        if (pelti_triangle_at(&rest, mesh->positions, mesh->indices, weld->corners[i]))
        {
            pelti_triangle_edges(&deformed, positions, mesh->indices, weld->corners[i]);
            out.rest = pelti_double3_mad(out.rest, 1.0, corner_normal(&rest));
            out.deformed = pelti_double3_mad(out.deformed, 1.0, corner_normal(&deformed));
            add_map(out.map, &rest, &deformed);
            add_map(out.own, &rest, &rest);
            out.area += rest.area;
        }
    }
    out.rest = pelti_double3_unit(out.rest);
    out.deformed = pelti_double3_unit(out.deformed);
    return out;
}

static pelti_double3 flatten(pelti_double3 v, pelti_double3 normal)
{
    return pelti_double3_mad(v, -pelti_double3_dot(v, normal), normal);
}

// Two vectors of the rest plane that the triangles, which are inclined to it, map to u and v; u and
// v themselves where the map is singular.
static void lift(pelti_double3 out[2], const ring* r, pelti_double3 u, pelti_double3 v)
{
    pelti_double3 a = apply(r->own, u), b = apply(r->own, v);
    double gradients[2][2] = {
        {pelti_double3_dot(a, u) / r->area, pelti_double3_dot(b, u) / r->area},
        {pelti_double3_dot(a, v) / r->area, pelti_double3_dot(b, v) / r->area}};
    double inverse[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
    pelti_plane_flatten(inverse, gradients);
    out[0] = pelti_double3_mad(pelti_double3_scale(u, inverse[0][0]), inverse[1][0], v);
    out[1] = pelti_double3_mad(pelti_double3_scale(u, inverse[0][1]), inverse[1][1], v);
}

// The plane of the authored normal differs slightly from that of the rest triangles. It follows the
// mean map of the triangles. Along the normal the map stretches by the mean stretch of the plane,
// so that uniform scale changes no angle.
static pelti_double3 carry(const ring* r, pelti_double3 authored)
{
    pelti_double3 u = pelti_double3_across(r->rest), v = pelti_double3_cross(r->rest, u);
    pelti_double3 lifted[2];
    lift(lifted, r, u, v);
    pelti_double3 mu = flatten(apply(r->map, lifted[0]), r->deformed);
    pelti_double3 mv = flatten(apply(r->map, lifted[1]), r->deformed);
    double scale = sqrt(pelti_double3_length(pelti_double3_cross(mu, mv)));
    pelti_double3 mn = pelti_double3_scale(r->deformed, scale);

    pelti_double3 image = pelti_double3_cross(mu, mv);
    if (!(pelti_double3_dot(image, r->deformed) > 0.0))
    {
        // A ring that is folded on itself has no such map, but its triangles have a normal.
        double sign = pelti_double3_dot(authored, r->rest) < 0.0 ? -1.0 : 1.0;
        return pelti_double3_scale(r->deformed, sign);
    }
    // Cofactors of the map that takes u, v and the normal to these three. Normals may also point to
    // the inside, on meshes with the opposite winding.
    pelti_double3 out = pelti_double3_scale(image, pelti_double3_dot(authored, r->rest));
    out = pelti_double3_mad(out, pelti_double3_dot(authored, u), pelti_double3_cross(mv, mn));
    out = pelti_double3_mad(out, pelti_double3_dot(authored, v), pelti_double3_cross(mn, mu));
    return pelti_double3_unit(out);
}

static pelt_vec3 recompute(const ring* r, const pelt_mesh* mesh, uint32_t v)
{
    return mesh->normals != NULL ? pelti_double3_to(carry(r, pelti_double3_from(mesh->normals[v])))
                                 : pelti_double3_to(r->deformed);
}

void pelti_normals_recompute(pelt_vec3* out, const pelt_mesh* mesh, const pelt_vec3* positions,
                             const pelti_weld* weld)
{
    for (uint32_t group = 0; group < weld->group_count; ++group)
    {
        ring r = ring_of(weld, group, mesh, positions);
        bool has_normal =
            pelti_double3_length(r.rest) != 0.0 && pelti_double3_length(r.deformed) != 0.0;
        for (uint32_t i = weld->vertex_first[group];
             has_normal && i < weld->vertex_first[group + 1]; ++i)
        {
            out[weld->vertices[i]] = recompute(&r, mesh, weld->vertices[i]);
        }
    }
}

pelt_result pelt_normals_recompute(pelt_vec3* out, const pelt_mesh* mesh,
                                   const pelt_vec3* positions)
{
    pelti_weld weld;
    pelt_arena* scratch = pelt_arena_create();
    if (scratch == NULL || !pelti_weld_vertices(&weld, mesh, scratch))
    {
        pelt_arena_destroy(scratch);
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        out[v] = mesh->normals != NULL ? mesh->normals[v] : pelt_vec3_make(0.0f, 1.0f, 0.0f);
    }
    pelti_normals_recompute(out, mesh, positions, &weld);
    pelt_arena_destroy(scratch);
    return PELT_OK;
}
