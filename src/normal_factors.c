// SPDX-License-Identifier: MIT
// Rates of weights along the surface (Tarini et al. 2014, sections 3 and 4): gradients of the
// triangles, averaged over the cells of vertices and written in the frame of each.
#include "triangle.h"
#include "weld.h"

#include <stdlib.h>

// A weight that changes by less than this across a cell is rounding: weights are floats near one.
static const double flat_change = 2e-7;

typedef struct slope
{
    uint32_t joint;
    float weight;           // at the vertex; 0 for a joint that only neighbours have
    pelti_double3 gradient; // per metre
} slope;

typedef struct builder
{
    const pelt_mesh* mesh;
    const pelt_vec3* cors;
    uint32_t limit;
    pelti_weld weld;

    // Of the group at hand.
    uint32_t count;
    slope* slopes;                   // room for all joints
    uint32_t* places;                // of each joint in slopes, plus one; 0: not there
    double area;                     // of its cell
    pelti_double3 normal;            // of its triangles, times their area
    double center_area;              // of the part of the cell where the centre changes smoothly
    pelti_double3 center_changes[3]; // gradients of the components of the centre
} builder;

static pelt_range influences_of(const pelt_mesh* mesh, uint32_t v)
{
    const uint32_t* first = mesh->weights.first;
    return (pelt_range){first[v], first[v + 1] - first[v]};
}

// ---------------------------------------------------------------------------------------------
// Gradients of one group

static slope* slope_of(builder* b, uint32_t joint, float weight)
{
    if (b->places[joint] == 0)
    {
        b->slopes[b->count] = (slope){.joint = joint, .weight = weight};
        b->places[joint] = ++b->count;
    }
    return &b->slopes[b->places[joint] - 1];
}

static void add_weights(builder* b, const pelti_triangle* t)
{
    const pelt_weights* weights = &b->mesh->weights;
    for (int k = 0; k < 3; ++k)
    {
        pelt_range range = influences_of(b->mesh, t->vertices[k]);
        for (uint32_t i = range.first; i < range.first + range.count; ++i)
        {
            const pelt_influence* inf = &weights->influences[i];
            slope* to = slope_of(b, inf->joint, 0.0f);
            to->gradient = pelti_double3_mad(to->gradient, t->cell * inf->weight, t->gradients[k]);
        }
    }
    b->area += t->cell;
}

// How a vertex came to its centre: 0, it has none; 1, no part of the surface resembles it, so its
// own position serves; 2, it was found.
static int center_kind(const builder* b, uint32_t v)
{
    pelt_vec3 p = b->mesh->positions[v], c = b->cors[v];
    bool is_own = p.x == c.x && p.y == c.y && p.z == c.z;
    return influences_of(b->mesh, v).count < 2 ? 0 : is_own ? 1 : 2;
}

// From one kind to another centres jump. That is no rate, so such triangles do not count.
static void add_centers(builder* b, const pelti_triangle* t)
{
    int kind = center_kind(b, t->vertices[0]);
    if (kind == 0 || kind != center_kind(b, t->vertices[1]) ||
        kind != center_kind(b, t->vertices[2]))
    {
        return;
    }
    pelti_double3 origin = pelti_double3_from(b->cors[t->vertices[0]]);
    for (int k = 1; k < 3; ++k)
    {
        pelti_double3 c = pelti_double3_sub(pelti_double3_from(b->cors[t->vertices[k]]), origin);
        const double components[3] = {c.x, c.y, c.z};
        for (int i = 0; i < 3; ++i)
        {
            b->center_changes[i] =
                pelti_double3_mad(b->center_changes[i], t->cell * components[i], t->gradients[k]);
        }
    }
    b->center_area += t->cell;
}

static bool is_weighted(const pelt_mesh* mesh, const pelti_triangle* t)
{
    return influences_of(mesh, t->vertices[0]).count > 0 &&
           influences_of(mesh, t->vertices[1]).count > 0 &&
           influences_of(mesh, t->vertices[2]).count > 0;
}

static void sum_triangles(builder* b, uint32_t group)
{
    const pelti_weld* weld = &b->weld;
    for (uint32_t i = weld->corner_first[group]; i < weld->corner_first[group + 1]; ++i)
    {
        pelti_triangle t;
        if (!pelti_triangle_at(&t, b->mesh->positions, b->mesh->indices, weld->corners[i]))
        {
            continue;
        }
        b->normal = pelti_double3_mad(b->normal, t.area, t.normal);
        if (!is_weighted(b->mesh, &t))
        {
            continue;
        }
        add_weights(b, &t);
        if (b->cors != NULL)
        {
            add_centers(b, &t);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// From sums to a list that keeps the promises of pelt_normal_factors

// Means instead of sums, exactly zero where there is nothing but rounding.
// @return false: all are zero
static bool take_means(builder* b)
{
    bool is_any = false;
    double size = sqrt(b->area);
    for (uint32_t i = 0; i < b->count; ++i)
    {
        pelti_double3* g = &b->slopes[i].gradient;
        *g = pelti_double3_scale(*g, b->area > 0.0 ? 1.0 / b->area : 0.0);
        if (!(pelti_double3_length(*g) * size > flat_change))
        {
            *g = (pelti_double3){0.0, 0.0, 0.0};
            continue;
        }
        is_any = true;
    }
    for (int i = 0; i < 3; ++i)
    {
        double scale = b->center_area > 0.0 ? 1.0 / b->center_area : 0.0;
        b->center_changes[i] = pelti_double3_scale(b->center_changes[i], scale);
    }
    return is_any;
}

static int compare_steepness(const void* left, const void* right)
{
    const slope *a = left, *b = right;
    double la = pelti_double3_length(a->gradient), lb = pelti_double3_length(b->gradient);
    if (la != lb)
    {
        return la > lb ? -1 : 1;
    }
    return a->joint < b->joint ? -1 : 1;
}

// Neighbours' joints, from `first` on: steepest first, and flat ones gone.
static void sort_neighbours(builder* b, uint32_t first)
{
    qsort(b->slopes + first, b->count - first, sizeof *b->slopes, compare_steepness);
    while (b->count > first && pelti_double3_length(b->slopes[b->count - 1].gradient) == 0.0)
    {
        --b->count;
    }
}

// Weights sum to one everywhere, so gradients sum to zero. What pruning and rounding have left
// over goes to the influences by their weights: as if it belonged to a joint that moves as the
// vertex does.
static void balance(builder* b)
{
    pelti_double3 sum = {0.0, 0.0, 0.0};
    double weight = 0.0;
    for (uint32_t i = 0; i < b->count; ++i)
    {
        sum = pelti_double3_mad(sum, 1.0, b->slopes[i].gradient);
        weight += b->slopes[i].weight;
    }
    for (uint32_t i = 0; i < b->count; ++i)
    {
        slope* s = &b->slopes[i];
        s->gradient = pelti_double3_mad(s->gradient, -s->weight / weight, sum);
    }
}

static void gather(builder* b, uint32_t group)
{
    uint32_t vertex = b->weld.vertices[b->weld.vertex_first[group]];
    pelt_range own = influences_of(b->mesh, vertex);
    b->count = 0;
    b->area = b->center_area = 0.0;
    b->normal = (pelti_double3){0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i)
    {
        b->center_changes[i] = (pelti_double3){0.0, 0.0, 0.0};
    }
    for (uint32_t i = own.first; i < own.first + own.count; ++i)
    {
        slope_of(b, b->mesh->weights.influences[i].joint, b->mesh->weights.influences[i].weight);
    }
    sum_triangles(b, group);
    for (uint32_t i = 0; i < b->count; ++i)
    {
        b->places[b->slopes[i].joint] = 0;
    }
    if (!take_means(b) || own.count == 0)
    {
        b->count = 0;
        return;
    }
    sort_neighbours(b, own.count);
    b->count = b->count < b->limit ? b->count : b->limit;
    balance(b);
}

// ---------------------------------------------------------------------------------------------
// Into the frames of vertices

// A float of any double; a slope that float cannot hold says nothing.
static float finite_float(double value)
{
    float out = (float)value;
    return isfinite(out) ? out : 0.0f;
}

static pelti_double3 normal_of(const builder* b, uint32_t v)
{
    pelti_double3 n = {0.0, 0.0, 0.0};
    if (b->mesh->normals != NULL)
    {
        n = pelti_double3_unit(pelti_double3_from(b->mesh->normals[v]));
    }
    if (pelti_double3_length(n) == 0.0)
    {
        n = pelti_double3_unit(b->normal);
    }
    return pelti_double3_length(n) > 0.0 ? n : (pelti_double3){0.0, 1.0, 0.0};
}

// Eq. 9: the mesh's tangent without its part along the normal.
static pelti_double3 tangent_of(const builder* b, uint32_t v, pelti_double3 normal)
{
    if (b->mesh->tangents == NULL)
    {
        return pelti_double3_across(normal);
    }
    pelt_vec4 t = b->mesh->tangents[v];
    pelti_double3 unit = pelti_double3_unit((pelti_double3){t.x, t.y, t.z});
    pelti_double3 across = pelti_double3_mad(unit, -pelti_double3_dot(unit, normal), normal);
    // Less is left only of a tangent that stands on the surface.
    return pelti_double3_length(across) > 1e-3 ? pelti_double3_unit(across)
                                               : pelti_double3_across(normal);
}

typedef struct output
{
    uint32_t* first;
    pelt_normal_factor* factors;
    pelt_vec3* tangents;
    pelt_vec3* center_rates;
} output;

static pelt_vec3 center_rate(const builder* b, pelti_double3 along)
{
    return pelt_vec3_make(finite_float(pelti_double3_dot(b->center_changes[0], along)),
                          finite_float(pelti_double3_dot(b->center_changes[1], along)),
                          finite_float(pelti_double3_dot(b->center_changes[2], along)));
}

static void write_vertex(const output* out, const builder* b, uint32_t v)
{
    pelti_double3 normal = normal_of(b, v), u = tangent_of(b, v, normal);
    pelti_double3 w = pelti_double3_cross(normal, u);
    out->tangents[v] = pelti_double3_to(u);
    for (uint32_t i = 0; i < b->count; ++i)
    {
        const slope* s = &b->slopes[i];
        out->factors[out->first[v] + i] =
            (pelt_normal_factor){s->joint, finite_float(pelti_double3_dot(s->gradient, u)),
                                 finite_float(pelti_double3_dot(s->gradient, w))};
    }
    if (out->center_rates != NULL)
    {
        out->center_rates[2 * v] = center_rate(b, u);
        out->center_rates[2 * v + 1] = center_rate(b, w);
    }
}

// ---------------------------------------------------------------------------------------------

static uint32_t limit_of(const pelt_normal_options* options)
{
    uint32_t limit = options != NULL ? options->max_joints : 0;
    bool is_known = limit == 0 || limit == 2 || limit == 3 || limit == 4 || limit == 8;
    return !is_known ? 0 : limit == 0 ? UINT32_MAX : limit;
}

static bool create_builder(builder* out, const pelt_mesh* mesh, pelt_arena* scratch)
{
    uint32_t joint_count = mesh->weights.joint_count;
    out->slopes = pelt_arena_alloc(scratch, joint_count, sizeof *out->slopes);
    out->places = pelt_arena_alloc(scratch, joint_count, sizeof *out->places);
    return out->slopes != NULL && out->places != NULL &&
           pelti_weld_vertices(&out->weld, mesh, scratch);
}

// Counts first: for each vertex, and the largest.
static uint32_t count_factors(uint32_t* first, builder* b)
{
    uint32_t most = 0;
    for (uint32_t group = 0; group < b->weld.group_count; ++group)
    {
        gather(b, group);
        most = b->count > most ? b->count : most;
        for (uint32_t i = b->weld.vertex_first[group]; i < b->weld.vertex_first[group + 1]; ++i)
        {
            first[b->weld.vertices[i] + 1] = b->count;
        }
    }
    for (uint32_t v = 0; v < b->mesh->vertex_count; ++v)
    {
        first[v + 1] += first[v];
    }
    return most;
}

static void write_factors(const output* out, builder* b)
{
    for (uint32_t group = 0; group < b->weld.group_count; ++group)
    {
        gather(b, group);
        for (uint32_t i = b->weld.vertex_first[group]; i < b->weld.vertex_first[group + 1]; ++i)
        {
            write_vertex(out, b, b->weld.vertices[i]);
        }
    }
}

static bool build(pelt_normal_factors* out, builder* b, pelt_arena* arena, pelt_arena* scratch)
{
    const pelt_mesh* mesh = b->mesh;
    size_t vertex_count = mesh->vertex_count;
    output to = {.first = pelt_arena_alloc(arena, vertex_count + 1, sizeof *to.first),
                 .tangents = pelt_arena_alloc(arena, vertex_count, sizeof *to.tangents)};
    if (to.first == NULL || to.tangents == NULL || !create_builder(b, mesh, scratch))
    {
        return false;
    }
    uint32_t max_factors = count_factors(to.first, b);
    uint32_t factor_count = to.first[vertex_count];
    to.factors = pelt_arena_alloc(arena, factor_count, sizeof *to.factors);
    to.center_rates =
        b->cors ? pelt_arena_alloc(arena, 2 * vertex_count, sizeof *to.center_rates) : NULL;
    if (to.factors == NULL || (b->cors != NULL && to.center_rates == NULL))
    {
        return false;
    }
    write_factors(&to, b);
    *out = (pelt_normal_factors){mesh->vertex_count, mesh->weights.joint_count,
                                 factor_count,       max_factors,
                                 to.first,           to.factors,
                                 to.tangents,        to.center_rates};
    return true;
}

pelt_result pelt_normal_factors_build(pelt_normal_factors* out, const pelt_mesh* mesh,
                                      const pelt_vec3* cors, const pelt_normal_options* options,
                                      pelt_arena* arena)
{
    PELT_ASSERT(mesh->weights.vertex_count == mesh->vertex_count);
    *out = (pelt_normal_factors){0};
    builder b = {.mesh = mesh, .cors = cors, .limit = limit_of(options)};
    if (b.limit == 0)
    {
        return PELT_ERROR_ARGUMENT;
    }
    pelt_arena* scratch = pelt_arena_create();
    bool is_ok = scratch != NULL && build(out, &b, arena, scratch);
    pelt_arena_destroy(scratch);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}
