// SPDX-License-Identifier: MIT
#include "point_set.h"
#include "pelt/metrics.h"

#include <stdlib.h>

static void* allocate(const point_set* m, size_t count, size_t size)
{
    void* memory = pelt_arena_alloc(m->arena, count, size);
    if (memory == NULL)
    {
        abort();
    }
    return memory;
}

point_set point_set_make(uint32_t vertex_count, uint32_t joint_count, uint32_t stride)
{
    point_set m = {.arena = pelt_arena_create(),
                   .vertex_count = vertex_count,
                   .joint_count = joint_count,
                   .stride = stride};
    m.positions = allocate(&m, vertex_count, sizeof *m.positions);
    m.normals = allocate(&m, vertex_count, sizeof *m.normals);
    m.tangents = allocate(&m, vertex_count, sizeof *m.tangents);
    m.cors = allocate(&m, vertex_count, sizeof *m.cors);
    m.joints = allocate(&m, (size_t)vertex_count * stride, sizeof *m.joints);
    m.raw_weights = allocate(&m, (size_t)vertex_count * stride, sizeof *m.raw_weights);
    m.palette.joint_count = joint_count;
    m.palette.matrices = allocate(&m, joint_count, sizeof *m.palette.matrices);
    m.palette.motions = allocate(&m, joint_count, sizeof *m.palette.motions);
    m.palette.stretches = allocate(&m, joint_count, sizeof *m.palette.stretches);
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        m.normals[v] = pelt_vec3_make(0.0f, 1.0f, 0.0f);
        m.tangents[v] = (pelt_vec4){1.0f, 0.0f, 0.0f, 1.0f};
    }
    for (uint32_t joint = 0; joint < joint_count; ++joint)
    {
        m.palette.matrices[joint] = pelt_mat34_identity();
    }
    return m;
}

void point_set_free(point_set* m)
{
    pelt_arena_destroy(m->arena);
    *m = (point_set){0};
}

void point_set_bind(point_set* m)
{
    pelt_weights_source source = {.vertex_count = m->vertex_count,
                                  .joint_count = m->joint_count,
                                  .per_vertex = m->stride,
                                  .joints_u32 = m->joints,
                                  .weights = m->raw_weights};
    if (pelt_weights_import(&m->weights, NULL, &source, m->arena) != PELT_OK)
    {
        abort();
    }
}

void point_set_pose(point_set* m)
{
    pelt_palette_decompose(&m->palette);
}

pelt_mat34 point_set_rigid(pelt_quat rotation, pelt_vec3 translation)
{
    pelt_mat3 r = pelt_mat3_from_quat(rotation);
    return pelt_mat34_make(&r, translation);
}

point_set point_set_random(uint64_t seed, uint32_t vertex_count, uint32_t joint_count,
                           uint32_t stride, float degrees)
{
    test_random random = {seed};
    point_set m = point_set_make(vertex_count, joint_count, stride);
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        m.positions[v] = test_point(&random, 1.0f);
        m.cors[v] = test_point(&random, 1.0f);
        m.normals[v] = pelt_vec3_normalize(test_point(&random, 1.0f));
        pelt_vec3 t = pelt_vec3_normalize(pelt_vec3_cross(m.normals[v], test_point(&random, 1.0f)));
        m.tangents[v] = (pelt_vec4){t.x, t.y, t.z, v % 2 ? 1.0f : -1.0f};
        // Consecutive joints, so that none comes twice.
        uint32_t first = (uint32_t)test_uniform(&random, 0.0f, (float)joint_count);
        for (uint32_t i = 0; i < stride; ++i)
        {
            m.joints[v * stride + i] = (first + i) % joint_count;
            m.raw_weights[v * stride + i] = test_uniform(&random, 0.05f, 1.0f);
        }
    }
    for (uint32_t joint = 0; joint < joint_count; ++joint)
    {
        pelt_quat rotation = test_rotation(&random, degrees);
        m.palette.matrices[joint] = point_set_rigid(rotation, test_point(&random, 0.5f));
    }
    point_set_bind(&m);
    point_set_pose(&m);
    return m;
}

point_set point_set_twist(float angle_a, float angle_b)
{
    point_set m = point_set_make(1, 2, 2);
    m.positions[0] = pelt_vec3_make(1.0f, 0.0f, 0.0f);
    pelt_vec3 z = {0.0f, 0.0f, 1.0f}, origin = {0};
    float angles[2] = {angle_a, angle_b};
    for (uint32_t joint = 0; joint < 2; ++joint)
    {
        m.joints[joint] = joint;
        m.raw_weights[joint] = 0.5f;
        m.palette.matrices[joint] = point_set_rigid(pelt_quat_axis_angle(z, angles[joint]), origin);
    }
    point_set_bind(&m);
    point_set_pose(&m);
    return m;
}

void point_set_move(point_set* m, const pelt_mat34* g)
{
    pelt_mat34 inverse;
    if (!pelt_mat34_inverse(&inverse, g))
    {
        abort();
    }
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        m->positions[v] = pelt_mat34_point(g, m->positions[v]);
        m->cors[v] = pelt_mat34_point(g, m->cors[v]);
    }
    for (uint32_t joint = 0; joint < m->joint_count; ++joint)
    {
        pelt_mat34 back = pelt_mat34_mul(&m->palette.matrices[joint], &inverse);
        m->palette.matrices[joint] = pelt_mat34_mul(g, &back);
    }
    point_set_pose(m);
}

pelt_deform_input point_set_input(const point_set* m)
{
    return (pelt_deform_input){.positions = m->positions,
                               .normals = m->normals,
                               .tangents = m->tangents,
                               .cors = m->cors,
                               .weights = &m->weights,
                               .palette = &m->palette};
}

pelt_surface point_set_deform(const point_set* m, const pelt_deform_options* options)
{
    pelt_surface out = {.positions = allocate(m, m->vertex_count, sizeof *out.positions),
                        .normals = allocate(m, m->vertex_count, sizeof *out.normals),
                        .tangents = allocate(m, m->vertex_count, sizeof *out.tangents)};
    pelt_deform_input input = point_set_input(m);
    pelt_deform(&out, &input, options, (pelt_range){0, m->vertex_count});
    return out;
}

pelt_surface point_set_deform_by(const point_set* m, pelt_method method)
{
    return point_set_deform(m, &(pelt_deform_options){.method = method, .mix = 0.5f});
}

double point_set_distance(const pelt_vec3* a, const pelt_vec3* b, uint32_t count)
{
    double max = pelt_positions_compare(a, b, count).max;
    return isnan(max) ? (double)INFINITY : max;
}

bool point_set_smooth(point_set* m, const pelt_ddm_options* options)
{
    uint32_t count = 3 * m->vertex_count;
    uint32_t* indices = pelt_arena_alloc(m->arena, count, sizeof *indices);
    pelt_ddm* ddm = pelt_arena_alloc(m->arena, 1, sizeof *ddm);
    for (uint32_t i = 0; i < count; ++i)
    {
        indices[i] = i * 7 % m->vertex_count;
    }
    const pelt_mesh mesh = {.vertex_count = m->vertex_count,
                            .index_count = count,
                            .positions = m->positions,
                            .indices = indices,
                            .weights = m->weights};
    const pelt_cor_input input = {1, &(const pelt_mesh*){&mesh}};
    m->weights.ddm = ddm;
    return pelt_ddm_solve(ddm, &input, options, NULL, m->arena, NULL) == PELT_OK;
}
