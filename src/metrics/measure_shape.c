// SPDX-License-Identifier: MIT
// How the surface itself is deformed: edges, areas, angles.
#include "../base/exact.h"

#include "body.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------
// Strain

// Edges that are shorter have no length that float could tell from none.
static double shortest_edge(const pelt_body* body)
{
    return 1e-7 * body->info.size;
}

static pelti_double3 edge_vector(const pelti_double3* positions, uint32_t from, uint32_t to)
{
    return pelti_double3_sub(positions[to], positions[from]);
}

void pelti_measure_edges(double* out, const pelt_body* body)
{
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        out[g] = 0.0;
    }
    for (uint32_t i = 0; i < body->edge_count; ++i)
    {
        const pelti_edge* edge = &body->edges[i];
        if (edge->length > shortest_edge(body))
        {
            double length =
                pelti_double3_length(edge_vector(body->deformed, edge->groups[0], edge->groups[1]));
            double strain = pelti_number(length / edge->length - 1.0);
            for (int k = 0; k < 2; ++k)
            {
                double* most = &out[edge->groups[k]];
                *most = fabs(strain) > fabs(*most) ? strain : *most;
            }
        }
    }
}

static pelti_double3 triangle_vector(const pelt_body* body, uint32_t triangle,
                                     const pelti_double3* positions)
{
    const uint32_t* groups = body->triangle_groups + 3 * (size_t)triangle;
    return pelti_double3_cross(edge_vector(positions, groups[0], groups[1]),
                               edge_vector(positions, groups[0], groups[2]));
}

void pelti_measure_area(double* out, const pelt_body* body)
{
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        out[g] = 0.0;
    }
    for (uint32_t t = 0; t < body->triangle_count; ++t)
    {
        double area = 0.5 * pelti_double3_length(triangle_vector(body, t, body->deformed));
        for (uint32_t k = 0; k < 3; ++k)
        {
            out[body->triangle_groups[3 * t + k]] += (area - body->triangle_areas[t]) / 3.0;
        }
    }
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        double least = shortest_edge(body) * shortest_edge(body);
        out[g] = body->group_areas[g] > least ? out[g] / body->group_areas[g] : 0.0;
    }
}

// ---------------------------------------------------------------------------------------------
// Rigidity

static void add_product(double out[3][3], double s, pelti_double3 a, pelti_double3 b)
{
    double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 9; ++i)
    {
        out[i / 3][i % 3] += s * p[i / 3] * q[i % 3];
    }
}

static pelti_double3 rotate(const double r[3][3], pelti_double3 v)
{
    return (pelti_double3){r[0][0] * v.x + r[0][1] * v.y + r[0][2] * v.z,
                           r[1][0] * v.x + r[1][1] * v.y + r[1][2] * v.z,
                           r[2][0] * v.x + r[2][1] * v.y + r[2][2] * v.z};
}

double pelti_ring_weight(const pelti_ring* ring, const pelt_body* body, const pelti_neighbor* to)
{
    return ring->has_weights ? body->edges[to->edge].weight : 1.0;
}

pelti_double3 pelti_ring_strain(const pelti_ring* ring, const pelt_body* body, uint32_t group,
                                const pelti_neighbor* to, const pelti_double3* positions)
{
    return pelti_double3_sub(edge_vector(positions, group, to->group),
                             rotate(ring->rotation, edge_vector(body->rest, group, to->group)));
}

double pelti_ring_fit(pelti_ring* out, const pelt_body* body, uint32_t group,
                      const pelti_double3* positions)
{
    const pelti_neighbor* first = body->neighbors + body->first_neighbors[group];
    const pelti_neighbor* end = body->neighbors + body->first_neighbors[group + 1];
    *out = (pelti_ring){0};
    for (const pelti_neighbor* to = first; to < end; ++to)
    {
        out->has_weights |= body->edges[to->edge].weight > 1e-6;
    }
    double sum[3][3] = {{0.0}}, left = 0.0;
    for (const pelti_neighbor* to = first; to < end; ++to)
    {
        pelti_double3 rest = edge_vector(body->rest, group, to->group);
        double weight = pelti_ring_weight(out, body, to);
        out->squares += weight * pelti_double3_dot(rest, rest);
        add_product(sum, weight, edge_vector(positions, group, to->group), rest);
    }
    if (!(out->squares > 0.0))
    {
        return 0.0;
    }
    pelti_nearest_rotation(out->rotation, sum);
    for (const pelti_neighbor* to = first; to < end; ++to)
    {
        pelti_double3 off = pelti_ring_strain(out, body, group, to, positions);
        left += pelti_ring_weight(out, body, to) * pelti_double3_dot(off, off);
    }
    return sqrt(left / out->squares);
}

void pelti_measure_rigidity(double* out, const pelt_body* body)
{
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        pelti_ring ring;
        out[g] = pelti_ring_fit(&ring, body, g, body->deformed);
    }
}

// ---------------------------------------------------------------------------------------------
// Folds

double pelti_edge_angle(const pelt_body* body, const pelti_edge* edge,
                        const pelti_double3* positions)
{
    if (edge->triangles[0] == PELT_NONE || edge->triangles[1] == PELT_NONE)
    {
        return 0.0;
    }
    pelti_double3 along =
        pelti_double3_unit(edge_vector(positions, edge->groups[0], edge->groups[1]));
    pelti_double3 a = triangle_vector(body, edge->triangles[0], positions);
    pelti_double3 b = triangle_vector(body, edge->triangles[1], positions);
    return atan2(pelti_double3_dot(along, pelti_double3_cross(a, b)), pelti_double3_dot(a, b));
}

// A triangle that has lost nearly all of its area has no side to it.
static bool has_area(const pelt_body* body, uint32_t triangle)
{
    double rest = body->triangle_areas[triangle];
    double area = 0.5 * pelti_double3_length(triangle_vector(body, triangle, body->deformed));
    return area > 1e-4 * rest && rest > shortest_edge(body) * body->info.size * 1e-3;
}

void pelti_measure_folds(double* out, const pelt_body* body)
{
    const double turn = 6.28318530717958647692;
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        out[g] = 0.0;
    }
    for (uint32_t i = 0; i < body->edge_count; ++i)
    {
        const pelti_edge* edge = &body->edges[i];
        if (edge->triangles[0] != PELT_NONE && edge->triangles[1] != PELT_NONE &&
            has_area(body, edge->triangles[0]) && has_area(body, edge->triangles[1]))
        {
            double change = fabs(pelti_edge_angle(body, edge, body->deformed) - edge->angle);
            change = pelti_number(fmin(change, turn - change));
            for (int k = 0; k < 2; ++k)
            {
                out[edge->groups[k]] = fmax(out[edge->groups[k]], change);
            }
        }
    }
}
