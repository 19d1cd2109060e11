// SPDX-License-Identifier: MIT
// A cuboid of quads, each with four vertices of its own.
#include "rig_block.h"

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
