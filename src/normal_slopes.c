// SPDX-License-Identifier: MIT
// Weights around vertices (after Tarini et al. 2014, section 3): gradients over triangles, averaged
// by area. Such a mean is a sum over the outline of the triangles: however a pose stretches them,
// none pulls it to its side.
#include "normal_slopes.h"

#include "triangle.h"

#include <stdlib.h>
#include <string.h>

// A weight that changes by less than this around a vertex is rounding: weights are floats near one.
static const double flat_change = 2e-7;

static pelt_range influences_of(const pelt_mesh* mesh, uint32_t v)
{
    const uint32_t* first = mesh->weights.first;
    return (pelt_range){first[v], first[v + 1] - first[v]};
}

// Where a vertex has one influence any centre of rotation gives the same deformation: what counts
// there is the centre of whoever looks at it.
static bool has_center(const pelti_slopes* s, uint32_t v)
{
    return influences_of(s->mesh, v).count >= 2;
}

// @return false: the triangle has no area, or a corner that nothing pulls on
static bool find_triangle(pelti_triangle* out, const pelti_slopes* s, uint32_t corner)
{
    return pelti_triangle_at(out, s->mesh->positions, s->mesh->indices, corner) &&
           influences_of(s->mesh, out->vertices[0]).count > 0 &&
           influences_of(s->mesh, out->vertices[1]).count > 0 &&
           influences_of(s->mesh, out->vertices[2]).count > 0;
}

// ---------------------------------------------------------------------------------------------
// The first walk over the triangles of a group finds their plane, and a centre for a vertex that
// has none.

static void find_plane(pelti_slopes* s, uint32_t group)
{
    const pelti_weld* weld = &s->weld;
    pelti_double3 normal = {0.0, 0.0, 0.0}, centers = {0.0, 0.0, 0.0};
    double center_area = 0.0;
    for (uint32_t i = weld->corner_first[group]; i < weld->corner_first[group + 1]; ++i)
    {
        pelti_triangle t;
        if (!find_triangle(&t, s, weld->corners[i]))
        {
            continue;
        }
        normal = pelti_double3_mad(normal, t.area, t.normal);
        for (int k = 1; k < 3 && s->cors != NULL; ++k)
        {
            double area = has_center(s, t.vertices[k]) ? t.area : 0.0;
            centers = pelti_double3_mad(centers, area, pelti_double3_from(s->cors[t.vertices[k]]));
            center_area += area;
        }
    }
    s->normal = pelti_double3_unit(normal);
    s->axes[0] = pelti_double3_across(s->normal);
    s->axes[1] = pelti_double3_cross(s->normal, s->axes[0]);

    uint32_t v = weld->vertices[weld->vertex_first[group]];
    if (s->cors != NULL)
    {
        s->center = has_center(s, v) || center_area == 0.0
                        ? pelti_double3_from(s->cors[v])
                        : pelti_double3_scale(centers, 1.0 / center_area);
    }
}

// ---------------------------------------------------------------------------------------------
// The second sums up gradients within the plane.

static pelti_slope* slope_of(pelti_slopes* s, uint32_t joint, float weight)
{
    if (s->places[joint] == 0)
    {
        s->slopes[s->count] = (pelti_slope){.joint = joint, .weight = weight};
        s->places[joint] = ++s->count;
    }
    return &s->slopes[s->places[joint] - 1];
}

static void add_corner(pelti_slopes* s, const pelti_triangle* t, int k)
{
    const pelt_mesh* mesh = s->mesh;
    pelti_double3 x = pelti_double3_sub(pelti_double3_from(mesh->positions[t->vertices[k]]),
                                        pelti_double3_from(mesh->positions[t->vertices[0]]));
    const double rates[2] = {t->area * pelti_double3_dot(t->gradients[k], s->axes[0]),
                             t->area * pelti_double3_dot(t->gradients[k], s->axes[1])};
    const double place[2] = {pelti_double3_dot(x, s->axes[0]), pelti_double3_dot(x, s->axes[1])};
    pelt_range range = influences_of(mesh, t->vertices[k]);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        double weight = mesh->weights.influences[i].weight;
        pelti_slope* to = slope_of(s, mesh->weights.influences[i].joint, 0.0f);
        to->mean += t->area / 3.0 * weight;
        for (int axis = 0; axis < 2; ++axis)
        {
            to->rates[axis] += rates[axis] * weight;
            to->moments[axis][0] += rates[axis] * weight * place[0];
            to->moments[axis][1] += rates[axis] * weight * place[1];
        }
    }
    for (int axis = 0; axis < 2 && s->cors != NULL && has_center(s, t->vertices[k]); ++axis)
    {
        pelti_double3 away =
            pelti_double3_sub(pelti_double3_from(s->cors[t->vertices[k]]), s->center);
        s->center_rates[axis] = pelti_double3_mad(s->center_rates[axis], rates[axis], away);
    }
}

static void sum_corners(pelti_slopes* s, uint32_t group)
{
    const pelti_weld* weld = &s->weld;
    for (uint32_t i = weld->corner_first[group]; i < weld->corner_first[group + 1]; ++i)
    {
        pelti_triangle t;
        if (find_triangle(&t, s, weld->corners[i]))
        {
            s->area += t.area;
            add_corner(s, &t, 0);
            add_corner(s, &t, 1);
            add_corner(s, &t, 2);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// From sums to a list that keeps the promises of pelt_normal_factors

static void scale_slope(pelti_slope* slope, double scale)
{
    slope->mean *= scale;
    for (int axis = 0; axis < 2; ++axis)
    {
        slope->rates[axis] *= scale;
        slope->moments[axis][0] *= scale;
        slope->moments[axis][1] *= scale;
    }
}

// Rates along both axes, each replaced by a sum of both.
static void turn_rates(double inout[2], double by[2][2])
{
    double first = by[0][0] * inout[0] + by[0][1] * inout[1];
    inout[1] = by[1][0] * inout[0] + by[1][1] * inout[1];
    inout[0] = first;
}

static void turn_slope(pelti_slope* slope, double by[2][2])
{
    double first[2] = {slope->moments[0][0], slope->moments[1][0]};
    double second[2] = {slope->moments[0][1], slope->moments[1][1]};
    turn_rates(slope->rates, by);
    turn_rates(first, by);
    turn_rates(second, by);
    for (int axis = 0; axis < 2; ++axis)
    {
        slope->moments[axis][0] = first[axis];
        slope->moments[axis][1] = second[axis];
    }
}

// What makes the rates of the place itself those of a plane. They are the sum of all moments, and
// less than one where triangles lean against their common plane. None leans by more than a right
// angle on average, so that there is an inverse but for folds.
static void find_flattening(double out[2][2], const pelti_slopes* s)
{
    double k[2][2] = {{0.0}};
    for (uint32_t i = 0; i < 4 * s->count; ++i)
    {
        k[i / 2 % 2][i % 2] += s->slopes[i / 4].moments[i / 2 % 2][i % 2];
    }
    double determinant = k[0][0] * k[1][1] - k[0][1] * k[1][0];
    double scale = determinant > 1e-6 ? 1.0 / determinant : 0.0;
    out[0][0] = scale > 0.0 ? scale * k[1][1] : 1.0;
    out[1][1] = scale > 0.0 ? scale * k[0][0] : 1.0;
    out[0][1] = -scale * k[0][1];
    out[1][0] = -scale * k[1][0];
}

// By how much a weight changes over the surroundings.
static double steepness(const pelti_slopes* s, const pelti_slope* slope)
{
    double sum = 0.0;
    for (int axis = 0; axis < 2; ++axis)
    {
        double change = slope->rates[axis] * sqrt(s->area);
        double along = slope->moments[axis][axis] - slope->weight;
        double across = slope->moments[axis][1 - axis];
        sum += change * change + along * along + across * across;
    }
    return sqrt(sum);
}

static void turn_centers(pelti_slopes* s, double by[2][2])
{
    pelti_double3 *u = &s->center_rates[0], *v = &s->center_rates[1];
    pelti_double3 first = pelti_double3_mad(pelti_double3_scale(*u, by[0][0]), by[0][1], *v);
    *v = pelti_double3_mad(pelti_double3_scale(*u, by[1][0]), by[1][1], *v);
    *u = first;
}

// Means instead of sums, over a plane.
// @return false: weights are constant, but for rounding
static bool take_means(pelti_slopes* s)
{
    double scale = s->area > 0.0 ? 1.0 / s->area : 0.0, flattening[2][2];
    for (uint32_t i = 0; i < s->count; ++i)
    {
        scale_slope(&s->slopes[i], scale);
    }
    find_flattening(flattening, s);
    bool is_any = false;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        turn_slope(&s->slopes[i], flattening);
        s->slopes[i].steepness = steepness(s, &s->slopes[i]);
        is_any = is_any || s->slopes[i].steepness > flat_change;
    }
    s->center_rates[0] = pelti_double3_scale(s->center_rates[0], scale);
    s->center_rates[1] = pelti_double3_scale(s->center_rates[1], scale);
    turn_centers(s, flattening);
    return is_any && s->area > 0.0;
}

static int compare_steepness(const void* left, const void* right)
{
    const pelti_slope *a = left, *b = right;
    if (a->steepness != b->steepness)
    {
        return a->steepness > b->steepness ? -1 : 1;
    }
    return a->joint < b->joint ? -1 : 1;
}

// Neighbours' joints, from `first` on: steepest first, and flat ones gone.
static void sort_neighbours(pelti_slopes* s, uint32_t first)
{
    qsort(s->slopes + first, s->count - first, sizeof *s->slopes, compare_steepness);
    while (s->count > first && !(s->slopes[s->count - 1].steepness > flat_change))
    {
        --s->count;
    }
}

static pelti_slope* steepest_left(pelti_slopes* s)
{
    pelti_slope* best = NULL;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        pelti_slope* slope = &s->slopes[i];
        best =
            !slope->is_kept && (best == NULL || slope->steepness > best->steepness) ? slope : best;
    }
    return best;
}

// Keep the strongest influence, and the steepest of the others up to the limit.
static void prune(pelti_slopes* s)
{
    if (s->count <= s->limit)
    {
        return;
    }
    s->slopes[0].is_kept = true;
    for (uint32_t i = 1; i < s->limit; ++i)
    {
        steepest_left(s)->is_kept = true;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        if (s->slopes[i].is_kept)
        {
            s->slopes[count++] = s->slopes[i];
        }
    }
    s->count = count;
}

static void add_slope(pelti_slope* to, double part, const pelti_slope* from)
{
    to->mean += part * from->mean;
    for (int axis = 0; axis < 2; ++axis)
    {
        to->rates[axis] += part * from->rates[axis];
        to->moments[axis][0] += part * from->moments[axis][0];
        to->moments[axis][1] += part * from->moments[axis][1];
    }
}

// All weights together are one everywhere. What pruning and rounding have taken away goes to the
// influences by their weights: as if it belonged to a joint that moves as the vertex does.
static void balance(pelti_slopes* s)
{
    pelti_slope lost = {.mean = 1.0, .moments = {{1.0, 0.0}, {0.0, 1.0}}};
    double weight = 0.0;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        add_slope(&lost, -1.0, &s->slopes[i]);
        weight += s->slopes[i].weight;
    }
    for (uint32_t i = 0; i < s->count; ++i)
    {
        add_slope(&s->slopes[i], s->slopes[i].weight / weight, &lost);
    }
}

static void reset(pelti_slopes* s)
{
    s->count = 0;
    s->area = 0.0;
    memset(s->center_rates, 0, sizeof s->center_rates);
}

void pelti_slopes_gather(pelti_slopes* s, uint32_t group)
{
    uint32_t vertex = s->weld.vertices[s->weld.vertex_first[group]];
    pelt_range own = influences_of(s->mesh, vertex);
    reset(s);
    find_plane(s, group);
    for (uint32_t i = own.first; i < own.first + own.count; ++i)
    {
        slope_of(s, s->mesh->weights.influences[i].joint, s->mesh->weights.influences[i].weight);
    }
    sum_corners(s, group);
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
    prune(s);
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
