// SPDX-License-Identifier: MIT
// Normals, cracks, and what changes from frame to frame and from method to method.
#include "../base/exact.h"

#include "body.h"

#include "../normals/recompute.h"

// Normals of a surface that joints mirror point outwards, as those of its triangles do not.
static void find_sides(pelt_body* inout, const pelt_palette* palettes)
{
    for (uint32_t skin = 0; skin < inout->skin_count; ++skin)
    {
        uint32_t first = inout->first_slots[skin];
        for (uint32_t slot = first; slot < inout->first_slots[skin + 1]; ++slot)
        {
            pelt_mat3 linear = pelt_mat34_linear(&palettes[skin].matrices[slot - first]);
            inout->sides[slot] = pelt_mat3_determinant(&linear) < 0.0f ? -1.0 : 1.0;
        }
    }
}

static double side_of(const pelt_body* body, uint32_t vertex)
{
    const pelt_weights* weights = &body->mesh.weights;
    uint32_t first = weights->first[vertex];
    return first < weights->first[vertex + 1] ? body->sides[weights->influences[first].joint] : 1.0;
}

void pelti_measure_normals(float* out, pelt_body* body, const pelt_metric_input* input)
{
    for (uint32_t v = 0; v < body->mesh.vertex_count; ++v)
    {
        body->normals[v] = pelt_vec3_make(0.0f, 0.0f, 0.0f);
    }
    find_sides(body, input->palettes);
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
            double cosine = side_of(body, vertex) * pelti_double3_dot(normal, truth);
            // Both are zero where one of the two has no direction.
            out[vertex] = sine == 0.0 && cosine == 0.0 ? 0.0f : (float)atan2(sine, cosine);
        }
    }
}

void pelti_measure_gaps(float* out, pelt_body* body)
{
    for (uint32_t i = 0; i < body->place_count; ++i)
    {
        body->values[i] = 0.0;
        body->place_sums[i] = (pelti_double3){0.0, 0.0, 0.0};
    }
    for (uint32_t v = 0; v < body->mesh.vertex_count; ++v)
    {
        // From the first copy, so that copies that stay together have no rounding.
        uint32_t place = body->vertex_places[v];
        pelti_double3 off =
            pelti_double3_sub(pelti_double3_from(body->positions[v]),
                              pelti_double3_from(body->positions[body->place_vertices[place]]));
        body->values[place] += 1.0;
        body->place_sums[place] = pelti_double3_mad(body->place_sums[place], 1.0, off);
    }
    for (uint32_t v = 0; v < body->mesh.vertex_count; ++v)
    {
        uint32_t place = body->vertex_places[v];
        pelti_double3 off =
            pelti_double3_sub(pelti_double3_from(body->positions[v]),
                              pelti_double3_from(body->positions[body->place_vertices[place]]));
        off = pelti_double3_mad(off, -1.0 / body->values[place], body->place_sums[place]);
        out[v] = (float)(2.0 * pelti_double3_length(off));
    }
}

// ---------------------------------------------------------------------------------------------
// From frame to frame

// What takes the previous frame of each joint to this one.
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

// Seen from its strongest joint, how far a vertex has moved, beyond how far the farthest of its
// joints alone would have moved it. Averages of places stay below, so lbs never jumps.
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
        // Groups are numbered by their first vertices, so that parts come one after the other.
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
