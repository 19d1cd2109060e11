// SPDX-License-Identifier: MIT
// Gradients of weights (Tarini et al. 2014, section 3): those of the triangles, averaged over the
// cells of vertices.
#include "normal_slopes.h"

#include "triangle.h"

#include <stdlib.h>

// A weight that changes by less than this across a cell is rounding: weights are floats near one.
static const double flat_change = 2e-7;

static pelt_range influences_of(const pelt_mesh* mesh, uint32_t v)
{
    const uint32_t* first = mesh->weights.first;
    return (pelt_range){first[v], first[v + 1] - first[v]};
}

static pelti_slope* slope_of(pelti_slopes* s, uint32_t joint, float weight)
{
    if (s->places[joint] == 0)
    {
        s->slopes[s->count] = (pelti_slope){.joint = joint, .weight = weight};
        s->places[joint] = ++s->count;
    }
    return &s->slopes[s->places[joint] - 1];
}

static void add_weights(pelti_slopes* s, const pelti_triangle* t)
{
    const pelt_weights* weights = &s->mesh->weights;
    for (int k = 0; k < 3; ++k)
    {
        pelt_range range = influences_of(s->mesh, t->vertices[k]);
        for (uint32_t i = range.first; i < range.first + range.count; ++i)
        {
            const pelt_influence* inf = &weights->influences[i];
            pelti_slope* to = slope_of(s, inf->joint, 0.0f);
            to->gradient = pelti_double3_mad(to->gradient, t->cell * inf->weight, t->gradients[k]);
        }
    }
    s->area += t->cell;
}

// How a vertex came to its centre: 0, it has none; 1, no part of the surface resembles it, so its
// own position serves; 2, it was found.
static int center_kind(const pelti_slopes* s, uint32_t v)
{
    pelt_vec3 p = s->mesh->positions[v], c = s->cors[v];
    bool is_own = p.x == c.x && p.y == c.y && p.z == c.z;
    return influences_of(s->mesh, v).count < 2 ? 0 : is_own ? 1 : 2;
}

// From one kind to another centres jump. That is no rate, so such triangles do not count.
static void add_centers(pelti_slopes* s, const pelti_triangle* t)
{
    int kind = center_kind(s, t->vertices[0]);
    if (kind == 0 || kind != center_kind(s, t->vertices[1]) ||
        kind != center_kind(s, t->vertices[2]))
    {
        return;
    }
    pelti_double3 origin = pelti_double3_from(s->cors[t->vertices[0]]);
    for (int k = 1; k < 3; ++k)
    {
        pelti_double3 c = pelti_double3_sub(pelti_double3_from(s->cors[t->vertices[k]]), origin);
        const double components[3] = {c.x, c.y, c.z};
        for (int i = 0; i < 3; ++i)
        {
            s->center_changes[i] =
                pelti_double3_mad(s->center_changes[i], t->cell * components[i], t->gradients[k]);
        }
    }
    s->center_area += t->cell;
}

static bool is_weighted(const pelt_mesh* mesh, const pelti_triangle* t)
{
    return influences_of(mesh, t->vertices[0]).count > 0 &&
           influences_of(mesh, t->vertices[1]).count > 0 &&
           influences_of(mesh, t->vertices[2]).count > 0;
}

static void sum_triangles(pelti_slopes* s, uint32_t group)
{
    const pelti_weld* weld = &s->weld;
    for (uint32_t i = weld->corner_first[group]; i < weld->corner_first[group + 1]; ++i)
    {
        pelti_triangle t;
        if (!pelti_triangle_at(&t, s->mesh->positions, s->mesh->indices, weld->corners[i]))
        {
            continue;
        }
        s->normal = pelti_double3_mad(s->normal, t.area, t.normal);
        if (!is_weighted(s->mesh, &t))
        {
            continue;
        }
        add_weights(s, &t);
        if (s->cors != NULL)
        {
            add_centers(s, &t);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// From sums to a list that keeps the promises of pelt_normal_factors

// Means instead of sums, exactly zero where there is nothing but rounding.
// @return false: all are zero
static bool take_means(pelti_slopes* s)
{
    bool is_any = false;
    double size = sqrt(s->area);
    for (uint32_t i = 0; i < s->count; ++i)
    {
        pelti_double3* g = &s->slopes[i].gradient;
        *g = pelti_double3_scale(*g, s->area > 0.0 ? 1.0 / s->area : 0.0);
        if (!(pelti_double3_length(*g) * size > flat_change))
        {
            *g = (pelti_double3){0.0, 0.0, 0.0};
            continue;
        }
        is_any = true;
    }
    for (int i = 0; i < 3; ++i)
    {
        double scale = s->center_area > 0.0 ? 1.0 / s->center_area : 0.0;
        s->center_changes[i] = pelti_double3_scale(s->center_changes[i], scale);
    }
    return is_any;
}

static int compare_steepness(const void* left, const void* right)
{
    const pelti_slope *a = left, *b = right;
    double la = pelti_double3_length(a->gradient), lb = pelti_double3_length(b->gradient);
    if (la != lb)
    {
        return la > lb ? -1 : 1;
    }
    return a->joint < b->joint ? -1 : 1;
}

// Neighbours' joints, from `first` on: steepest first, and flat ones gone.
static void sort_neighbours(pelti_slopes* s, uint32_t first)
{
    qsort(s->slopes + first, s->count - first, sizeof *s->slopes, compare_steepness);
    while (s->count > first && pelti_double3_length(s->slopes[s->count - 1].gradient) == 0.0)
    {
        --s->count;
    }
}

// Weights sum to one everywhere, so gradients sum to zero. What pruning and rounding have left
// over goes to the influences by their weights: as if it belonged to a joint that moves as the
// vertex does.
static void balance(pelti_slopes* s)
{
    pelti_double3 sum = {0.0, 0.0, 0.0};
    double weight = 0.0;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        sum = pelti_double3_mad(sum, 1.0, s->slopes[i].gradient);
        weight += s->slopes[i].weight;
    }
    for (uint32_t i = 0; i < s->count; ++i)
    {
        pelti_slope* to = &s->slopes[i];
        to->gradient = pelti_double3_mad(to->gradient, -to->weight / weight, sum);
    }
}

void pelti_slopes_gather(pelti_slopes* s, uint32_t group)
{
    uint32_t vertex = s->weld.vertices[s->weld.vertex_first[group]];
    pelt_range own = influences_of(s->mesh, vertex);
    s->count = 0;
    s->area = s->center_area = 0.0;
    s->normal = (pelti_double3){0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i)
    {
        s->center_changes[i] = (pelti_double3){0.0, 0.0, 0.0};
    }
    for (uint32_t i = own.first; i < own.first + own.count; ++i)
    {
        slope_of(s, s->mesh->weights.influences[i].joint, s->mesh->weights.influences[i].weight);
    }
    sum_triangles(s, group);
    for (uint32_t i = 0; i < s->count; ++i)
    {
        s->places[s->slopes[i].joint] = 0;
    }
    if (!take_means(s) || own.count == 0)
    {
        s->count = 0;
        return;
    }
    sort_neighbours(s, own.count);
    s->count = s->count < s->limit ? s->count : s->limit;
    balance(s);
}

// ---------------------------------------------------------------------------------------------

bool pelti_slopes_create(pelti_slopes* out, const pelt_mesh* mesh, const pelt_vec3* cors,
                         uint32_t limit, pelt_arena* scratch)
{
    uint32_t joint_count = mesh->weights.joint_count;
    *out = (pelti_slopes){.mesh = mesh, .cors = cors, .limit = limit};
    out->slopes = pelt_arena_alloc(scratch, joint_count, sizeof *out->slopes);
    out->places = pelt_arena_alloc(scratch, joint_count, sizeof *out->places);
    return out->slopes != NULL && out->places != NULL &&
           pelti_weld_vertices(&out->weld, mesh, scratch);
}
