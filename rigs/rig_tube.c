// SPDX-License-Identifier: MIT
// A closed surface about the x axis. Vertices: left pole, one per segment; inner rings, one more
// than segments each, for the UV seam; right pole.
#include "rig_tube.h"

#include "rig_grid.h"

void rig_tube_resolve(rig_tube* tube, uint32_t vertex_count, float aspect)
{
    float segments = sqrtf((float)vertex_count / aspect);
    tube->segment_count = 4 * (uint32_t)fmaxf(2.0f, roundf(0.25f * segments));

    // The poles have segment_count vertices each, the rings between them one more.
    float poles = 2.0f * (float)tube->segment_count;
    float rings = ((float)vertex_count - poles) / (float)(tube->segment_count + 1);
    tube->ring_count = 3 + 2 * (uint32_t)fmaxf(2.0f, roundf(0.5f * (rings - 1.0f)));
}

static rig_ring ring_at(const rig_tube* tube, uint32_t ring)
{
    // In whole numbers, so that the middle ring is at 0 exactly and the two halves mirror.
    int last = (int)tube->ring_count - 1;
    rig_ring r = tube->profile((float)(2 * (int)ring - last) / (float)last);
    if (ring == 0 || ring == tube->ring_count - 1)
    {
        r.radius_y = r.radius_z = 0.0f;
    }
    return r;
}

// Direction of segment k: cosine along y, sine along z. The last segment is the first one again,
// bit by bit.
static pelt_vec3 segment_direction(const rig_tube* tube, uint32_t segment)
{
    double part = (double)(segment % tube->segment_count) / tube->segment_count;
    double angle = 6.28318530717958647692 * part;
    return pelt_vec3_make(0.0f, (float)cos(angle), (float)sin(angle));
}

static pelt_vec3 ring_point(rig_ring ring, pelt_vec3 direction)
{
    return pelt_vec3_add(ring.center, pelt_vec3_make(0.0f, ring.radius_y * direction.y,
                                                     ring.radius_z * direction.z));
}

static void fill_ring(rig_mesh* mesh, const rig_tube* tube, uint32_t ring)
{
    rig_ring left = ring_at(tube, ring - 1), here = ring_at(tube, ring);
    rig_ring right = ring_at(tube, ring + 1);
    uint32_t first = tube->segment_count + (ring - 1) * (tube->segment_count + 1);

    for (uint32_t segment = 0; segment <= tube->segment_count; ++segment)
    {
        pelt_vec3 out = segment_direction(tube, segment);
        pelt_vec3 tangent = pelt_vec3_make(0.0f, -here.radius_y * out.z, here.radius_z * out.y);
        pelt_vec3 along = pelt_vec3_sub(ring_point(right, out), ring_point(left, out));
        uint32_t vertex = first + segment;
        mesh->positions[vertex] = ring_point(here, out);
        mesh->normals[vertex] = pelt_vec3_normalize(pelt_vec3_cross(tangent, along));
        mesh->uvs[vertex] = (pelt_vec2){(float)segment / (float)tube->segment_count,
                                        1.0f - (float)ring / (float)(tube->ring_count - 1)};
    }
}

// One vertex per segment, so that each triangle of the fan has its own u.
static void fill_pole(rig_mesh* mesh, const rig_tube* tube, bool is_right)
{
    uint32_t first = is_right ? mesh->vertex_count - tube->segment_count : 0;
    rig_ring pole = ring_at(tube, is_right ? tube->ring_count - 1 : 0);

    for (uint32_t segment = 0; segment < tube->segment_count; ++segment)
    {
        uint32_t vertex = first + segment;
        mesh->positions[vertex] = pole.center;
        mesh->normals[vertex] = pelt_vec3_make(is_right ? 1.0f : -1.0f, 0.0f, 0.0f);
        mesh->uvs[vertex] = (pelt_vec2){((float)segment + 0.5f) / (float)tube->segment_count,
                                        is_right ? 0.0f : 1.0f};
    }
}

static void fill_fans(uint32_t* out, const rig_mesh* mesh, uint32_t segment_count)
{
    uint32_t left_ring = segment_count;
    uint32_t right_pole = mesh->vertex_count - segment_count;
    uint32_t right_ring = right_pole - (segment_count + 1);

    for (uint32_t segment = 0; segment < segment_count; ++segment)
    {
        const uint32_t fan[6] = {segment,
                                 left_ring + segment + 1,
                                 left_ring + segment,
                                 right_pole + segment,
                                 right_ring + segment,
                                 right_ring + segment + 1};
        for (int i = 0; i < 6; ++i)
        {
            *out++ = fan[i];
        }
    }
}

rig_mesh* rig_tube_add(rig_builder* rig, const rig_tube* tube)
{
    PELT_ASSERT(tube->ring_count >= 4 && tube->segment_count >= 3);

    uint32_t segments = tube->segment_count, inner_count = tube->ring_count - 2;
    uint32_t vertex_count = 2 * segments + inner_count * (segments + 1);
    uint32_t grid_count = 6 * segments * (inner_count - 1);
    rig_mesh* mesh = rig_mesh_add(rig, tube->name, vertex_count, grid_count + 6 * segments,
                                  tube->stride, tube->color);
    if (mesh == NULL)
    {
        return NULL;
    }

    fill_pole(mesh, tube, false);
    for (uint32_t ring = 1; ring <= inner_count; ++ring)
    {
        fill_ring(mesh, tube, ring);
    }
    fill_pole(mesh, tube, true);
    rig_grid_indices(mesh->indices, segments, segments, inner_count - 1);
    fill_fans(mesh->indices + grid_count, mesh, segments);
    return mesh;
}
