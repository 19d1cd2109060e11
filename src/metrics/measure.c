// SPDX-License-Identifier: MIT
// The metrics of vertices.
#include "../base/exact.h"

#include "../base/nearest_rotation.h"
#include "body.h"

#include "../normals/vertex_rings.h"

#include <math.h>

pelti_double3 pelti_anchor_point(const pelt_body* body, uint32_t group,
                                 const pelti_double3* positions, const pelti_segment* segments)
{
    pelti_anchor anchor = body->anchors[group];
    return anchor.bone != PELT_NONE ? pelti_segment_point(&segments[anchor.bone], anchor.along)
                                    : positions[group];
}

// ---------------------------------------------------------------------------------------------
// Volume

// The solid between a triangle p and the triangle q of its anchors, whose sides are ruled by lines
// from each q to p: the integral of the determinant of x(u, s) = q(u) + s (p(u) - q(u)). Triangles
// with a common edge have the ruled side in common, so that the solids of a closed surface fill
// what is between it and the bones.
double pelti_solid_volume(pelti_double3 gradient[3], const pelti_double3 p[3],
                          const pelti_double3 q[3])
{
    pelti_double3 p1 = pelti_double3_sub(p[1], p[0]), p2 = pelti_double3_sub(p[2], p[0]);
    pelti_double3 q1 = pelti_double3_sub(q[1], q[0]), q2 = pelti_double3_sub(q[2], q[0]);
    pelti_double3 mean = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k)
    {
        mean = pelti_double3_mad(mean, 1.0 / 3.0, pelti_double3_sub(p[k], q[k]));
    }
    pelti_double3 area = pelti_double3_scale(pelti_double3_cross(p1, p2), 1.0 / 3.0);
    area = pelti_double3_mad(area, 1.0 / 3.0, pelti_double3_cross(q1, q2));
    area = pelti_double3_mad(area, 1.0 / 6.0, pelti_double3_cross(p1, q2));
    area = pelti_double3_mad(area, 1.0 / 6.0, pelti_double3_cross(q1, p2));
    if (gradient != NULL)
    {
        // Derivatives by corners 1 and 2 through `area`; corner 0 moves both of its edges.
        pelti_double3 from1 = pelti_double3_mad(pelti_double3_scale(p1, 2.0), 1.0, q1);
        pelti_double3 from2 = pelti_double3_mad(pelti_double3_scale(p2, 2.0), 1.0, q2);
        pelti_double3 edge1 = pelti_double3_scale(pelti_double3_cross(from2, mean), 1.0 / 12.0);
        pelti_double3 edge2 = pelti_double3_scale(pelti_double3_cross(mean, from1), 1.0 / 12.0);
        pelti_double3 sum = pelti_double3_mad(edge1, 1.0, edge2);
        gradient[0] = pelti_double3_mad(pelti_double3_scale(sum, -1.0), 1.0 / 6.0, area);
        gradient[1] = pelti_double3_mad(edge1, 1.0 / 6.0, area);
        gradient[2] = pelti_double3_mad(edge2, 1.0 / 6.0, area);
    }
    return 0.5 * pelti_double3_dot(mean, area);
}

void pelti_triangle_volumes(double* out, const pelt_body* body, const pelti_double3* positions,
                            const pelti_segment* segments)
{
    for (uint32_t t = 0; t < body->triangle_count; ++t)
    {
        pelti_double3 p[3], q[3];
        for (uint32_t k = 0; k < 3; ++k)
        {
            uint32_t group = body->triangle_groups[3 * t + k];
            p[k] = positions[group];
            q[k] = pelti_anchor_point(body, group, positions, segments);
        }
        out[t] = pelti_solid_volume(NULL, p, q);
    }
}

void pelti_measure_volume(double* out, pelt_pose_metrics* pose, pelt_body* body)
{
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        out[g] = 0.0;
    }
    pelti_triangle_volumes(body->pose_volumes, body, body->deformed, body->segments);
    for (uint32_t t = 0; t < body->triangle_count; ++t)
    {
        double third = (body->pose_volumes[t] - body->triangle_volumes[t]) / 3.0;
        for (uint32_t k = 0; k < 3; ++k)
        {
            out[body->triangle_groups[3 * t + k]] += third;
        }
    }
    for (uint32_t i = 0; i < pose->region_count; ++i)
    {
        pose->regions[i].volume = body->info.regions[i].volume;
    }
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        uint32_t region = body->info.vertex_regions[body->group_vertices[g]];
        pose->regions[0].volume += out[g];
        pose->regions[region].volume += region > 0 ? out[g] : 0.0;
        out[g] = body->group_areas[g] > 0.0 ? out[g] / body->group_areas[g] : 0.0;
    }
    for (uint32_t i = 0; i < pose->region_count; ++i)
    {
        pose->regions[i].volume = pelti_number(pose->regions[i].volume);
    }
    if (body->info.is_closed)
    {
        pose->enclosed_volume = pelti_number(
            pelt_mesh_volume(body->positions, body->mesh.indices, body->mesh.index_count));
    }
}

// ---------------------------------------------------------------------------------------------
// Sections

void pelti_section_radii(double* out, pelt_body* body, const pelti_double3* positions,
                         const pelti_segment* segments)
{
    pelti_section_sum* sums = body->section_sums;
    for (uint32_t i = 0; i < body->info.section_count; ++i)
    {
        sums[i] = (pelti_section_sum){0};
    }
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        uint32_t section = body->group_sections[g];
        if (section != PELT_NONE)
        {
            // From the anchor, so that the length of a section does not matter.
            pelti_double3 from =
                pelti_double3_sub(positions[g], pelti_anchor_point(body, g, positions, segments));
            double weight = body->group_areas[g];
            ++sums[section].count;
            sums[section].weight += weight;
            sums[section].square += weight * pelti_double3_dot(from, from);
            sums[section].mean = pelti_double3_mad(sums[section].mean, weight, from);
        }
    }
    for (uint32_t i = 0; i < body->info.section_count; ++i)
    {
        double weight = sums[i].weight;
        pelti_double3 mean = pelti_double3_scale(sums[i].mean, 1.0 / weight);
        double square = sums[i].square / weight - pelti_double3_dot(mean, mean);
        out[i] = weight > 0.0 ? pelti_number(sqrt(square < 0.0 ? 0.0 : square)) : 0.0;
    }
}

void pelti_measure_radius(double* out, pelt_pose_metrics* pose, pelt_body* body)
{
    pelti_section_radii(pose->section_radii, body, body->deformed, body->segments);
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        uint32_t section = body->group_sections[g];
        double rest = section != PELT_NONE ? body->info.sections[section].radius : 0.0;
        bool has_radius = rest > 1e-6 * body->info.size;
        out[g] = has_radius ? pose->section_radii[section] / rest - 1.0 : 0.0;
    }
}

// ---------------------------------------------------------------------------------------------
// Distance

void pelti_measure_bulge(double* out, const pelt_body* body)
{
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        double rest = body->bone_distances[g];
        double now = pelti_bone_distance(body, g, body->deformed[g], body->segments);
        out[g] = rest >= 0.0 ? now - rest : 0.0;
    }
}

void pelti_measure_collapse(double* out, const pelt_body* body)
{
    pelti_measure_bulge(out, body);
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        double rest = body->bone_distances[g];
        out[g] = rest > 1e-6 * body->info.size ? fmax(-out[g] / rest, 0.0) : 0.0;
    }
}

// =============================================================================================
// How the surface itself is deformed: edges, areas, angles.

// ---------------------------------------------------------------------------------------------
// Strain

// Shorter edges have no length in float precision.
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
    double sum[3][3] = {{0.0}}, squares = 0.0, left = 0.0;
    for (const pelti_neighbor* to = first; to < end; ++to)
    {
        pelti_double3 rest = edge_vector(body->rest, group, to->group);
        double weight = pelti_ring_weight(out, body, to);
        out->squares += weight * pelti_double3_dot(rest, rest);
        pelti_double3 now = edge_vector(positions, group, to->group);
        squares += weight * pelti_double3_dot(now, now);
        add_product(sum, weight, now, rest);
    }
    if (!(out->squares > 0.0))
    {
        return 0.0;
    }
    pelti_nearest_rotation(out->rotation, sum, sqrt(squares * out->squares));
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

// The normal of a triangle that has lost nearly all of its area is undetermined.
static bool has_area(const pelt_body* body, uint32_t triangle)
{
    double rest = body->triangle_areas[triangle];
    double area = 0.5 * pelti_double3_length(triangle_vector(body, triangle, body->deformed));
    return area > 1e-4 * rest && rest > shortest_edge(body) * body->info.size * 1e-3;
}

void pelti_measure_folds(double* out, const pelt_body* body)
{
    const double full_circle = 6.28318530717958647692;
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
            change = pelti_number(fmin(change, full_circle - change));
            for (int k = 0; k < 2; ++k)
            {
                out[edge->groups[k]] = fmax(out[edge->groups[k]], change);
            }
        }
    }
}

// =============================================================================================
// Normals, cracks, and what changes from frame to frame and from method to method.

// Normals of a mirrored surface point outwards, unlike those of its triangles.
static void find_handedness(pelt_body* inout, const pelt_palette* palettes)
{
    for (uint32_t skin = 0; skin < inout->skin_count; ++skin)
    {
        uint32_t first = inout->first_slots[skin];
        for (uint32_t slot = first; slot < inout->first_slots[skin + 1]; ++slot)
        {
            pelt_mat3 linear = pelt_mat34_linear(&palettes[skin].matrices[slot - first]);
            inout->handedness[slot] = pelt_mat3_determinant(&linear) < 0.0f ? -1.0 : 1.0;
        }
    }
}

static double handedness_of(const pelt_body* body, uint32_t vertex)
{
    const pelt_weights* weights = &body->mesh.weights;
    uint32_t first = weights->first[vertex];
    return first < weights->first[vertex + 1] ? body->handedness[weights->influences[first].joint]
                                              : 1.0;
}

void pelti_measure_normals(float* out, pelt_body* body, const pelt_metric_input* input)
{
    for (uint32_t v = 0; v < body->mesh.vertex_count; ++v)
    {
        body->normals[v] = pelt_vec3_make(0.0f, 0.0f, 0.0f);
    }
    find_handedness(body, input->palettes);
    pelti_normals_recompute(body->normals, &body->mesh, body->positions, &body->normal_weld);
    for (uint32_t i = 0; i < body->part_count; ++i)
    {
        const pelti_body_part* part = &body->parts[i];
        const pelt_surface* surface = &input->surfaces[part->instance];
        for (uint32_t v = 0; v < part->vertices.count; ++v)
        {
            uint32_t vertex = part->vertices.first + v;
            pelti_double3 truth = pelti_double3_from(body->normals[vertex]);
            pelti_double3 normal = {0.0, 0.0, 0.0};
            if (surface->normals != NULL)
            {
                normal =
                    pelti_double3_from(*pelt_vec3_at(surface->normals, surface->normal_stride, v));
            }
            // Exact near zero, where a cosine is not.
            double sine = pelti_double3_length(pelti_double3_cross(normal, truth));
            double cosine = handedness_of(body, vertex) * pelti_double3_dot(normal, truth);
            // Both are zero where one of the two has no direction.
            out[vertex] = sine == 0.0 && cosine == 0.0 ? 0.0f : (float)atan2(sine, cosine);
        }
    }
}

void pelti_measure_gaps(float* out, pelt_body* body)
{
    for (uint32_t i = 0; i < body->point_count; ++i)
    {
        body->values[i] = 0.0;
        body->point_sums[i] = (pelti_double3){0.0, 0.0, 0.0};
    }
    for (uint32_t v = 0; v < body->mesh.vertex_count; ++v)
    {
        // Relative to the first copy, so that copies that stay together have no rounding.
        uint32_t point = body->vertex_points[v];
        pelti_double3 off =
            pelti_double3_sub(pelti_double3_from(body->positions[v]),
                              pelti_double3_from(body->positions[body->point_vertices[point]]));
        body->values[point] += 1.0;
        body->point_sums[point] = pelti_double3_mad(body->point_sums[point], 1.0, off);
    }
    for (uint32_t v = 0; v < body->mesh.vertex_count; ++v)
    {
        uint32_t point = body->vertex_points[v];
        pelti_double3 off =
            pelti_double3_sub(pelti_double3_from(body->positions[v]),
                              pelti_double3_from(body->positions[body->point_vertices[point]]));
        off = pelti_double3_mad(off, -1.0 / body->values[point], body->point_sums[point]);
        out[v] = (float)(2.0 * pelti_double3_length(off));
    }
}

// ---------------------------------------------------------------------------------------------
// From frame to frame

// The motion of each joint from the previous frame to this one.
static void find_motions(pelt_body* inout, const pelt_metric_input* input)
{
    for (uint32_t skin = 0; skin < inout->skin_count; ++skin)
    {
        uint32_t first = inout->first_slots[skin];
        for (uint32_t slot = first; slot < inout->first_slots[skin + 1]; ++slot)
        {
            pelt_mat34 back;
            const pelt_mat34* before = &input->previous_palettes[skin].matrices[slot - first];
            const pelt_mat34* now = &input->palettes[skin].matrices[slot - first];
            inout->motions[slot] = pelt_mat34_inverse(&back, before) ? pelt_mat34_mul(now, &back)
                                                                     : pelt_mat34_identity();
        }
    }
}

static double moved_by(const pelt_mat34* motion, pelt_vec3 before, pelt_vec3 now)
{
    return pelti_double3_length(pelti_double3_sub(
        pelti_double3_from(now), pelti_double3_from(pelt_mat34_point(motion, before))));
}

// The distance that a vertex has moved relative to its strongest joint, beyond the largest distance
// that one of its joints alone would have moved it. Averages of points stay below, so lbs never
// jumps.
static double jump_of(const pelt_body* body, const pelt_metric_input* input,
                      const pelti_body_part* part, uint32_t vertex)
{
    const pelt_weights* weights = &body->mesh.weights;
    const pelt_surface* surface = &input->previous_surfaces[part->instance];
    uint32_t first = weights->first[vertex], end = weights->first[vertex + 1];
    uint32_t first_slot = body->first_slots[part->skin];
    pelt_vec3 before =
        *pelt_vec3_at(surface->positions, surface->position_stride, vertex - part->vertices.first);
    pelt_vec3 bind = body->bind_positions[vertex];
    if (end - first < 2)
    {
        return 0.0;
    }
    const pelt_mat34* motion = &body->motions[weights->influences[first].joint];
    double farthest = 0.0;
    for (uint32_t i = first + 1; i < end; ++i)
    {
        uint32_t joint = weights->influences[i].joint - first_slot;
        pelt_vec3 from =
            pelt_mat34_point(&input->previous_palettes[part->skin].matrices[joint], bind);
        pelt_vec3 to = pelt_mat34_point(&input->palettes[part->skin].matrices[joint], bind);
        farthest = fmax(farthest, moved_by(motion, from, to));
    }
    double excess = moved_by(motion, before, body->positions[vertex]) - farthest;
    // Products of matrices round.
    return excess > 1e-6 * body->info.size ? excess : 0.0;
}

void pelti_measure_jumps(double* out, pelt_body* body, const pelt_metric_input* input)
{
    find_motions(body, input);
    uint32_t part = 0;
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        // Groups are numbered by their first vertices, so that parts are consecutive.
        uint32_t vertex = body->group_vertices[g];
        while (vertex - body->parts[part].vertices.first >= body->parts[part].vertices.count)
        {
            ++part;
        }
        out[g] = jump_of(body, input, &body->parts[part], vertex);
    }
}

void pelti_measure_distances(float* out, const pelt_body* body, const pelt_metric_input* input)
{
    for (uint32_t i = 0; i < body->part_count; ++i)
    {
        const pelti_body_part* part = &body->parts[i];
        const pelt_surface* other = &input->reference[part->instance];
        for (uint32_t v = 0; v < part->vertices.count; ++v)
        {
            uint32_t vertex = part->vertices.first + v;
            pelt_vec3 p = *pelt_vec3_at(other->positions, other->position_stride, v);
            out[vertex] = (float)pelti_double3_length(pelti_double3_sub(
                pelti_double3_from(body->positions[vertex]), pelti_double3_from(p)));
        }
    }
}
