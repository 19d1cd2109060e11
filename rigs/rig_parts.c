// SPDX-License-Identifier: MIT
// Parts of simple rigs: tubes, blocks, and chains of joints with their weights and clips.
#include "rig_parts.h"

// ---------------------------------------------------------------------------------------------
// Tubes

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

// ---------------------------------------------------------------------------------------------
// Blocks

// Coordinate of a grid plane, from its number alone, so that neighbors agree to the last bit.
static float plane(float min, float max, uint32_t index, uint32_t count)
{
    float t = (float)index / (float)count;
    return (1.0f - t) * min + t * max;
}

static pelt_vec3 grid_point(const rig_block* block, const uint32_t index[3])
{
    return pelt_vec3_make(plane(block->min.x, block->max.x, index[0], block->segments[0]),
                          plane(block->min.y, block->max.y, index[1], block->segments[1]),
                          plane(block->min.z, block->max.z, index[2], block->segments[2]));
}

// The texture has two columns, faces in positive directions first, and three rows.
static pelt_vec2 face_uv(uint32_t face, float u, float v)
{
    return (pelt_vec2){((float)(face / 3) + u) / 2.0f, ((float)(face % 3) + 1.0f - v) / 3.0f};
}

// A face of the block: the axis it looks along, and the two axes in it, right and up as seen from
// outside.
typedef struct block_face
{
    uint32_t number;
    uint32_t out, right, up;
    bool is_positive;
} block_face;

static block_face face_of(uint32_t number)
{
    uint32_t axis = number % 3, next = (axis + 1) % 3, last = (axis + 2) % 3;
    bool is_positive = number < 3;
    return (block_face){number, axis, is_positive ? next : last, is_positive ? last : next,
                        is_positive};
}

// Quad number `cell` of a face, which is number `quad` of the mesh.
static void fill_quad(rig_mesh* mesh, const rig_block* block, block_face face, uint32_t cell,
                      uint32_t quad)
{
    static const uint32_t corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    float sign = face.is_positive ? 1.0f : -1.0f;
    pelt_vec3 normal = {face.out == 0 ? sign : 0.0f, face.out == 1 ? sign : 0.0f,
                        face.out == 2 ? sign : 0.0f};

    for (uint32_t corner = 0; corner < 4; ++corner)
    {
        uint32_t index[3];
        index[face.out] = face.is_positive ? block->segments[face.out] : 0;
        index[face.right] = cell % block->segments[face.right] + corners[corner][0];
        index[face.up] = cell / block->segments[face.right] + corners[corner][1];
        uint32_t vertex = 4 * quad + corner;
        mesh->positions[vertex] = grid_point(block, index);
        mesh->normals[vertex] = normal;
        mesh->uvs[vertex] =
            face_uv(face.number, (float)index[face.right] / (float)block->segments[face.right],
                    (float)index[face.up] / (float)block->segments[face.up]);
    }
    for (uint32_t i = 0; i < 6; ++i)
    {
        mesh->indices[6 * quad + i] = 4 * quad + triangles[i];
    }
}

rig_mesh* rig_block_add(rig_builder* rig, const rig_block* block)
{
    const uint32_t* n = block->segments;
    uint32_t quad_count = 2 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]);
    rig_mesh* mesh =
        rig_mesh_add(rig, block->name, 4 * quad_count, 6 * quad_count, block->stride, block->color);
    uint32_t quad = 0;
    for (uint32_t number = 0; mesh != NULL && number < 6; ++number)
    {
        block_face face = face_of(number);
        for (uint32_t cell = 0; cell < n[face.right] * n[face.up]; ++cell)
        {
            fill_quad(mesh, block, face, cell, quad++);
        }
    }
    return mesh;
}

// ---------------------------------------------------------------------------------------------
// Chains of joints

// From 0 at t = 0 to 1 at t = 1 with two continuous derivatives, 1/2 exactly at 1/2; clamped.
static float smooth(float t)
{
    // This close to its ends the curve is within 1e-8 of them. Going there at once spares vertices
    // an influence that would be smaller than the rounding of the others.
    const float margin = 1e-3f;
    if (t < margin || t > 1.0f - margin)
    {
        return t < 0.5f ? 0.0f : 1.0f;
    }
    return t * t * t * (10.0f + t * (6.0f * t - 15.0f));
}

static void add_pull(rig_mesh* mesh, uint32_t vertex, uint32_t joint, float weight)
{
    size_t slot = (size_t)vertex * mesh->stride;
    size_t end = slot + mesh->stride;
    while (slot < end && mesh->weights[slot] > 0.0f)
    {
        ++slot;
    }
    PELT_ASSERT(slot < end);
    mesh->joints[slot] = joint;
    mesh->weights[slot] = weight;
}

void rig_chain_weights(const rig_builder* rig, rig_mesh* mesh, pelt_vec3 axis,
                       const rig_link* links, uint32_t link_count)
{
    for (uint32_t vertex = 0; mesh != NULL && vertex < mesh->vertex_count; ++vertex)
    {
        float position = pelt_vec3_dot(mesh->positions[vertex], axis);
        float rest = 1.0f; // what the links so far have handed on
        for (uint32_t i = 0; i < link_count && rest > 0.0f; ++i)
        {
            float passed = 0.0f;
            if (i + 1 < link_count)
            {
                pelt_vec3 next = rig_joint_position(rig, links[i + 1].joint);
                float distance = position - pelt_vec3_dot(next, axis);
                passed = smooth(0.5f + 0.5f * distance / links[i + 1].reach);
            }
            if (passed < 1.0f)
            {
                add_pull(mesh, vertex, links[i].joint, rest * (1.0f - passed));
            }
            rest *= passed;
        }
    }
}

void rig_chain_rotate(rig_builder* rig, uint32_t joint, pelt_vec3 axis, float degrees)
{
    int step_count = (int)ceilf(fabsf(degrees) / 30.0f);
    pelt_vec3 u = pelt_vec3_normalize(axis);

    for (int step = 0; step <= step_count; ++step)
    {
        // In double: the cosine of half of 180 degrees stays positive, so that
        // a clip that reaches 180 degrees ends with the sign it had before.
        double part = (double)step / step_count;
        double half = 0.5 * part * degrees * (3.14159265358979323846 / 180.0);
        float s = (float)sin(half);
        pelt_quat q = pelt_quat_make(s * u.x, s * u.y, s * u.z, (float)cos(half));
        rig_key_rotation(rig, joint, (float)part, q);
    }
}
