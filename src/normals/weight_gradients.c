// SPDX-License-Identifier: MIT
// Gradients of weights over the triangles of a vertex, averaged by area or cotangents (Tarini,
// Panozzo and Sorkine-Hornung, "Accurate and Efficient Lighting for Skinned Models", 2014, section
// 3). The mean is a sum over the outline of the triangles, so it does not depend on how a pose
// stretches them.
#include "../base/exact.h"

#include "vertex_rings.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static pelt_range influences_of(const pelt_mesh* mesh, uint32_t v)
{
    const uint32_t* first = mesh->weights.first;
    return (pelt_range){first[v], first[v + 1] - first[v]};
}

// With a single influence every center of rotation gives the same deformation, so a vertex takes
// the centers of its neighbors instead.
static bool has_center(const pelti_weight_gradients* s, uint32_t v)
{
    return influences_of(s->mesh, v).count >= 2;
}

// The part of a triangle in the mixed Voronoi cell of its first corner: of an obtuse triangle half
// belongs to the obtuse corner, a quarter to each of the others.
static double cell_area(const pelti_triangle* t)
{
    double cotangents[3];
    int obtuse = 3;
    for (int k = 0; k < 3; ++k)
    {
        cotangents[k] =
            -pelti_double3_dot(t->edges[(k + 1) % 3], t->edges[(k + 2) % 3]) / (2.0 * t->area);
        obtuse = cotangents[k] < 0.0 ? k : obtuse;
    }
    if (obtuse < 3)
    {
        return t->area * (obtuse == 0 ? 0.5 : 0.25);
    }
    return 0.125 * (pelti_double3_dot(t->edges[1], t->edges[1]) * cotangents[1] +
                    pelti_double3_dot(t->edges[2], t->edges[2]) * cotangents[2]);
}

// @param out  its area is that by which it counts in means
// @return false: the triangle has no area, or a corner without influences
static bool find_triangle(pelti_triangle* out, const pelti_weight_gradients* s, uint32_t corner)
{
    bool counts = pelti_triangle_at(out, s->mesh->positions, s->mesh->indices, corner) &&
                  influences_of(s->mesh, out->vertices[0]).count > 0 &&
                  influences_of(s->mesh, out->vertices[1]).count > 0 &&
                  influences_of(s->mesh, out->vertices[2]).count > 0;
    if (counts && s->has_cotangents)
    {
        out->area = cell_area(out);
    }
    return counts;
}

// ---------------------------------------------------------------------------------------------
// The first pass over the triangles of a group finds their plane, and a center for a vertex that
// has none.

static void find_plane(pelti_weight_gradients* s, uint32_t group)
{
    const pelti_weld* weld = &s->weld;
    pelti_double3 normal = {0.0, 0.0, 0.0}, centers = {0.0, 0.0, 0.0};
    double area = 0.0, center_area = 0.0;
    for (uint32_t i = weld->corner_first[group]; i < weld->corner_first[group + 1]; ++i)
    {
        pelti_triangle t;
        if (!find_triangle(&t, s, weld->corners[i]))
        {
            continue;
        }
        area += t.area;
        normal = pelti_double3_mad(normal, t.area, t.normal);
        for (int k = 1; k < 3 && s->cors != NULL; ++k)
        {
            double part = has_center(s, t.vertices[k]) ? t.area : 0.0;
            centers = pelti_double3_mad(centers, part, pelti_double3_from(s->cors[t.vertices[k]]));
            center_area += part;
        }
    }
    s->normal = pelti_plane_normal(normal, area);
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
// The second pass sums gradients within the plane.

static pelti_weight_gradient* entry_of(pelti_weight_gradients* s, pelt_joint_index joint,
                                       float weight)
{
    if (s->slots[joint] == 0)
    {
        s->entries[s->count] = (pelti_weight_gradient){.joint = joint, .weight = weight};
        s->slots[joint] = ++s->count;
    }
    return &s->entries[s->slots[joint] - 1];
}

// The gradient of the hat function of a corner, times the area.
static void find_gradients(double out[2], const pelti_weight_gradients* s, const pelti_triangle* t,
                           int k)
{
    out[0] = t->area * pelti_double3_dot(t->gradients[k], s->axes[0]);
    out[1] = t->area * pelti_double3_dot(t->gradients[k], s->axes[1]);
}

static void add_corner(pelti_weight_gradients* s, const pelti_triangle* t, int k)
{
    const pelt_mesh* mesh = s->mesh;
    pelti_double3 x = pelti_double3_sub(pelti_double3_from(mesh->positions[t->vertices[k]]),
                                        pelti_double3_from(mesh->positions[t->vertices[0]]));
    double gradients[2];
    find_gradients(gradients, s, t, k);
    const double offset[2] = {pelti_double3_dot(x, s->axes[0]), pelti_double3_dot(x, s->axes[1])};
    pelt_range range = influences_of(mesh, t->vertices[k]);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        double weight = mesh->weights.influences[i].weight;
        pelti_weight_gradient* to = entry_of(s, mesh->weights.influences[i].joint, 0.0f);
        to->mean += t->area / 3.0 * weight;
        for (int axis = 0; axis < 2; ++axis)
        {
            to->gradients[axis] += gradients[axis] * weight;
            to->moments[axis][0] += gradients[axis] * weight * offset[0];
            to->moments[axis][1] += gradients[axis] * weight * offset[1];
        }
    }
    for (int axis = 0; axis < 2 && s->cors != NULL && has_center(s, t->vertices[k]); ++axis)
    {
        pelti_double3 away =
            pelti_double3_sub(pelti_double3_from(s->cors[t->vertices[k]]), s->center);
        s->center_derivatives[axis] =
            pelti_double3_mad(s->center_derivatives[axis], gradients[axis], away);
    }
}

typedef void (*corner_visitor)(pelti_weight_gradients* s, const pelti_triangle* t, int k);

// @return the area of the triangles
static double visit_corners(pelti_weight_gradients* s, uint32_t group, corner_visitor visit)
{
    const pelti_weld* weld = &s->weld;
    double area = 0.0;
    for (uint32_t i = weld->corner_first[group]; i < weld->corner_first[group + 1]; ++i)
    {
        pelti_triangle t;
        if (find_triangle(&t, s, weld->corners[i]))
        {
            area += t.area;
            visit(s, &t, 0);
            visit(s, &t, 1);
            visit(s, &t, 2);
        }
    }
    return area;
}

// ---------------------------------------------------------------------------------------------
// The third pass sums gradients of products of weights, for pelti_weight_gradients_solve(): C a in
// its terms.

static void add_products(pelti_weight_gradients* s, const pelti_triangle* t, int k)
{
    const pelt_weights* weights = &s->mesh->weights;
    pelt_range range = influences_of(s->mesh, t->vertices[k]);
    double gradients[2], along[2] = {0.0, 0.0};
    find_gradients(gradients, s, t, k);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        const pelti_weight_gradient* entry = entry_of(s, weights->influences[i].joint, 0.0f);
        along[0] += (double)weights->influences[i].weight * entry->gradients[0];
        along[1] += (double)weights->influences[i].weight * entry->gradients[1];
    }
    double gradient = (gradients[0] * along[0] + gradients[1] * along[1]) / s->area;
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        pelti_weight_gradient* entry = entry_of(s, weights->influences[i].joint, 0.0f);
        entry->product_derivative += gradient * (double)weights->influences[i].weight;
    }
}

// ---------------------------------------------------------------------------------------------

static void take_means(pelti_weight_gradients* s)
{
    double scale = s->area > 0.0 ? 1.0 / s->area : 0.0;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        pelti_weight_gradient* entry = &s->entries[i];
        entry->mean *= scale;
        for (int axis = 0; axis < 2; ++axis)
        {
            entry->gradients[axis] *= scale;
            entry->moments[axis][0] *= scale;
            entry->moments[axis][1] *= scale;
        }
    }
    s->center_derivatives[0] = pelti_double3_scale(s->center_derivatives[0], scale);
    s->center_derivatives[1] = pelti_double3_scale(s->center_derivatives[1], scale);
}

void pelti_weight_gradients_gather(pelti_weight_gradients* s, uint32_t group)
{
    uint32_t vertex = s->weld.vertices[s->weld.vertex_first[group]];
    pelt_range own = influences_of(s->mesh, vertex);
    s->count = 0;
    s->area = 0.0;
    memset(s->center_derivatives, 0, sizeof s->center_derivatives);
    find_plane(s, group);
    for (uint32_t i = own.first; i < own.first + own.count; ++i)
    {
        entry_of(s, s->mesh->weights.influences[i].joint, s->mesh->weights.influences[i].weight);
    }
    s->area = visit_corners(s, group, add_corner);
    take_means(s);
    visit_corners(s, group, add_products);
    for (uint32_t i = 0; i < s->count; ++i)
    {
        s->slots[s->entries[i].joint] = 0;
    }
    pelti_weight_gradients_solve(s);
    if (own.count == 0 || !pelti_weight_gradients_flatten(s) ||
        !pelti_weight_gradients_prune(s, own.count))
    {
        s->count = 0;
        memset(s->center_derivatives, 0, sizeof s->center_derivatives);
    }
}

// ---------------------------------------------------------------------------------------------

bool pelti_weight_gradients_create(pelti_weight_gradients* out, const pelt_mesh* mesh,
                                   const pelt_vec3* cors, uint32_t limit, pelt_arena* scratch)
{
    uint32_t joint_count = mesh->weights.joint_count;
    *out = (pelti_weight_gradients){.mesh = mesh, .cors = cors, .limit = limit};
    out->entries = pelt_arena_alloc(scratch, joint_count, sizeof *out->entries);
    out->slots = pelt_arena_alloc(scratch, joint_count, sizeof *out->slots);
    return out->entries != NULL && out->slots != NULL &&
           pelti_weld_vertices(&out->weld, mesh, scratch);
}

// =============================================================================================
// From means at a vertex to a list that keeps the promises of pelt_normal_factors.

// A smaller change of a weight near a vertex is rounding of floats near 1.
static const double flat_change = 2e-7;

// ---------------------------------------------------------------------------------------------
// The weights at which to expand methods that are curved in them. Derivatives at weights c are best
// if the gradients of products (w_i - c_i) (w_j - c_j) vanish: with gradients a of weights and C of
// products, C = a c^T + c a^T. In general not all can vanish: solve by least squares over all pairs
// and both axes, with an equal weight on the distance from the means. The normal equations are
//     (2 |a|^2 + a a^T) c = C a + |a|^2 mean,
// summed over the axes. Their solution keeps the sum of c.

// The matrix is a multiple of the identity plus two outer products, so two unknowns remain: the
// sums of a c along both axes.
void pelti_weight_gradients_solve(pelti_weight_gradients* s)
{
    double a00 = 0.0, a01 = 0.0, a11 = 0.0, b0 = 0.0, b1 = 0.0;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        const pelti_weight_gradient* entry = &s->entries[i];
        a00 += entry->gradients[0] * entry->gradients[0];
        a01 += entry->gradients[0] * entry->gradients[1];
        a11 += entry->gradients[1] * entry->gradients[1];
    }
    double square = a00 + a11, sum = 0.0;
    if (!(square > 0.0))
    {
        return;
    }
    for (uint32_t i = 0; i < s->count; ++i)
    {
        pelti_weight_gradient* entry = &s->entries[i];
        entry->product_derivative =
            (entry->product_derivative + square * entry->mean) / (2.0 * square);
        b0 += entry->gradients[0] * entry->product_derivative;
        b1 += entry->gradients[1] * entry->product_derivative;
    }
    double m00 = 2.0 * square + a00, m11 = 2.0 * square + a11, determinant = m00 * m11 - a01 * a01;
    double c0 = (m11 * b0 - a01 * b1) / determinant, c1 = (m00 * b1 - a01 * b0) / determinant;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        pelti_weight_gradient* entry = &s->entries[i];
        double weight =
            entry->product_derivative - c0 * entry->gradients[0] - c1 * entry->gradients[1];
        // Keep weights positive and near their means.
        entry->mean = fmax(weight, 0.25 * entry->mean);
        sum += entry->mean;
    }
    for (uint32_t i = 0; i < s->count; ++i)
    {
        s->entries[i].mean /= sum;
    }
}

// ---------------------------------------------------------------------------------------------
// Planes

// Transform the derivatives along both axes by a matrix.
static void transform(double inout[2], double by[2][2])
{
    double first = by[0][0] * inout[0] + by[0][1] * inout[1];
    inout[1] = by[1][0] * inout[0] + by[1][1] * inout[1];
    inout[0] = first;
}

static void transform_entry(pelti_weight_gradient* entry, double by[2][2])
{
    double first[2] = {entry->moments[0][0], entry->moments[1][0]};
    double second[2] = {entry->moments[0][1], entry->moments[1][1]};
    transform(entry->gradients, by);
    transform(first, by);
    transform(second, by);
    for (int axis = 0; axis < 2; ++axis)
    {
        entry->moments[axis][0] = first[axis];
        entry->moments[axis][1] = second[axis];
    }
}

// The change of a weight over the triangles of the group.
static double steepness(const pelti_weight_gradients* s, const pelti_weight_gradient* entry)
{
    double sum = 0.0;
    for (int axis = 0; axis < 2; ++axis)
    {
        double change = entry->gradients[axis] * sqrt(s->area);
        double along = entry->moments[axis][axis] - entry->weight;
        double across = entry->moments[axis][1 - axis];
        sum += change * change + along * along + across * across;
    }
    return sqrt(sum);
}

bool pelti_weight_gradients_flatten(pelti_weight_gradients* s)
{
    double gradients[2][2] = {{0.0}}, flattening[2][2];
    for (uint32_t i = 0; i < 4 * s->count; ++i)
    {
        gradients[i / 2 % 2][i % 2] += s->entries[i / 4].moments[i / 2 % 2][i % 2];
    }
    if (!pelti_plane_flatten(flattening, gradients))
    {
        return false;
    }
    bool is_any = false;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        transform_entry(&s->entries[i], flattening);
        s->entries[i].steepness = steepness(s, &s->entries[i]);
        is_any = is_any || s->entries[i].steepness > flat_change;
    }
    pelti_double3 *u = &s->center_derivatives[0], *v = &s->center_derivatives[1];
    pelti_double3 first =
        pelti_double3_mad(pelti_double3_scale(*u, flattening[0][0]), flattening[0][1], *v);
    *v = pelti_double3_mad(pelti_double3_scale(*u, flattening[1][0]), flattening[1][1], *v);
    *u = first;
    return is_any;
}

// ---------------------------------------------------------------------------------------------
// Limits

static int compare_steepness(const void* left, const void* right)
{
    const pelti_weight_gradient *a = left, *b = right;
    if (a->steepness != b->steepness)
    {
        return a->steepness > b->steepness ? -1 : 1;
    }
    return a->joint < b->joint ? -1 : 1;
}

// Keep the strongest influence, and the steepest of the others up to the limit.
static void drop_flattest(pelti_weight_gradients* s)
{
    if (s->count <= s->limit)
    {
        return;
    }
    s->entries[0].is_kept = true;
    for (uint32_t i = 1; i < s->limit; ++i)
    {
        pelti_weight_gradient* best = NULL;
        for (uint32_t k = 0; k < s->count; ++k)
        {
            pelti_weight_gradient* entry = &s->entries[k];
            bool is_better = best == NULL || entry->steepness > best->steepness;
            best = !entry->is_kept && is_better ? entry : best;
        }
        best->is_kept = true;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        if (s->entries[i].is_kept)
        {
            s->entries[count++] = s->entries[i];
        }
    }
    s->count = count;
}

static void add_entry(pelti_weight_gradient* to, double part, const pelti_weight_gradient* from)
{
    to->mean += part * from->mean;
    for (int axis = 0; axis < 2; ++axis)
    {
        to->gradients[axis] += part * from->gradients[axis];
        to->moments[axis][0] += part * from->moments[axis][0];
        to->moments[axis][1] += part * from->moments[axis][1];
    }
}

// Weights sum to 1 everywhere. The part that pruning and rounding have removed is distributed to
// the influences by weight, as if it belonged to a joint that moves like the vertex.
static void balance(pelti_weight_gradients* s)
{
    pelti_weight_gradient lost = {.mean = 1.0, .moments = {{1.0, 0.0}, {0.0, 1.0}}};
    double weight = 0.0;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        add_entry(&lost, -1.0, &s->entries[i]);
        weight += s->entries[i].weight;
    }
    for (uint32_t i = 0; i < s->count; ++i)
    {
        add_entry(&s->entries[i], s->entries[i].weight / weight, &lost);
    }
}

bool pelti_weight_gradients_prune(pelti_weight_gradients* s, uint32_t own_count)
{
    // Joints of neighbors: steepest first, without constant ones.
    qsort(s->entries + own_count, s->count - own_count, sizeof *s->entries, compare_steepness);
    while (s->count > own_count && !(s->entries[s->count - 1].steepness > flat_change))
    {
        --s->count;
    }
    drop_flattest(s);
    balance(s);
    bool is_moderate = true;
    for (uint32_t i = 0; i < 2 * s->count; ++i)
    {
        const pelti_weight_gradient* entry = &s->entries[i / 2];
        is_moderate = is_moderate && fabs(entry->gradients[i % 2]) < (double)FLT_MAX / 2.0 &&
                      fabs(entry->moments[i % 2][0]) < pelti_moment_limit &&
                      fabs(entry->moments[i % 2][1]) < pelti_moment_limit;
    }
    return is_moderate;
}
