// SPDX-License-Identifier: MIT
// How the surface lies about its bones: volume, radius, distance.
#include "../base/exact.h"

#include "body.h"

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
        // Of the corners 1 and 2 through `area`; corner 0 moves both of its edges.
        pelti_double3 from1 = pelti_double3_mad(pelti_double3_scale(p1, 2.0), 1.0, q1);
        pelti_double3 from2 = pelti_double3_mad(pelti_double3_scale(p2, 2.0), 1.0, q2);
        pelti_double3 side1 = pelti_double3_scale(pelti_double3_cross(from2, mean), 1.0 / 12.0);
        pelti_double3 side2 = pelti_double3_scale(pelti_double3_cross(mean, from1), 1.0 / 12.0);
        pelti_double3 sides = pelti_double3_mad(side1, 1.0, side2);
        gradient[0] = pelti_double3_mad(pelti_double3_scale(sides, -1.0), 1.0 / 6.0, area);
        gradient[1] = pelti_double3_mad(side1, 1.0 / 6.0, area);
        gradient[2] = pelti_double3_mad(side2, 1.0 / 6.0, area);
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
            // From the anchor, so that it does not matter how long a section is.
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
