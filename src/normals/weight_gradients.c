// SPDX-License-Identifier: MIT
// Weights around vertices (after Tarini et al. 2014, section 3): gradients over triangles, averaged
// by area. Such a mean is a sum over the outline of the triangles: however a pose stretches them,
// none pulls it to its side.
#include "../base/exact.h"

#include "weight_gradients.h"

#include "triangle.h"

#include <string.h>

static pelt_range influences_of(const pelt_mesh* mesh, uint32_t v)
{
    const uint32_t* first = mesh->weights.first;
    return (pelt_range){first[v], first[v + 1] - first[v]};
}

// Where a vertex has one influence any center of rotation gives the same deformation: what counts
// there is the center of whoever looks at it.
static bool has_center(const pelti_weight_gradients* s, uint32_t v)
{
    return influences_of(s->mesh, v).count >= 2;
}

// @return false: the triangle has no area, or a corner that nothing pulls on
static bool find_triangle(pelti_triangle* out, const pelti_weight_gradients* s, uint32_t corner)
{
    return pelti_triangle_at(out, s->mesh->positions, s->mesh->indices, corner) &&
           influences_of(s->mesh, out->vertices[0]).count > 0 &&
           influences_of(s->mesh, out->vertices[1]).count > 0 &&
           influences_of(s->mesh, out->vertices[2]).count > 0;
}

// ---------------------------------------------------------------------------------------------
// The first walk over the triangles of a group finds their plane, and a center for a vertex that
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
// The second sums up gradients within the plane.

static pelti_weight_gradient* entry_of(pelti_weight_gradients* s, pelt_joint_index joint,
                                       float weight)
{
    if (s->places[joint] == 0)
    {
        s->entries[s->count] = (pelti_weight_gradient){.joint = joint, .weight = weight};
        s->places[joint] = ++s->count;
    }
    return &s->entries[s->places[joint] - 1];
}

// What a function that is one at a corner and zero at the others adds to the sums of gradients.
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
    const double place[2] = {pelti_double3_dot(x, s->axes[0]), pelti_double3_dot(x, s->axes[1])};
    pelt_range range = influences_of(mesh, t->vertices[k]);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        double weight = mesh->weights.influences[i].weight;
        pelti_weight_gradient* to = entry_of(s, mesh->weights.influences[i].joint, 0.0f);
        to->mean += t->area / 3.0 * weight;
        for (int axis = 0; axis < 2; ++axis)
        {
            to->gradients[axis] += gradients[axis] * weight;
            to->moments[axis][0] += gradients[axis] * weight * place[0];
            to->moments[axis][1] += gradients[axis] * weight * place[1];
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
// The third sums up gradients of products of weights, for pelti_weight_gradients_solve(): C a in
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
        s->places[s->entries[i].joint] = 0;
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
    out->places = pelt_arena_alloc(scratch, joint_count, sizeof *out->places);
    return out->entries != NULL && out->places != NULL &&
           pelti_weld_vertices(&out->weld, mesh, scratch);
}
