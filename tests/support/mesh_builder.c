// SPDX-License-Identifier: MIT
#include "mesh_builder.h"

#include <string.h>

mesh_builder* mesh_builder_create(void)
{
    pelt_arena* arena = pelt_arena_create();
    mesh_builder* s = pelt_arena_alloc(arena, 1, sizeof *s);
    s->arena = arena;
    s->mesh = (pelt_mesh){.positions = s->positions, .indices = s->indices, .material = PELT_NONE};
    return s;
}

uint32_t mesh_builder_add_vertex(mesh_builder* s, pelt_vec3 position)
{
    s->positions[s->mesh.vertex_count] = position;
    return s->mesh.vertex_count++;
}

void mesh_builder_add_influence(mesh_builder* s, uint32_t vertex, uint32_t joint, float weight)
{
    uint32_t i = vertex * BUILDER_SLOTS;
    while (s->weights[i] > 0.0f)
    {
        ++i;
    }
    s->joints[i] = joint;
    s->weights[i] = weight;
}

void mesh_builder_add_triangle(mesh_builder* s, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    memcpy(s->indices + s->mesh.index_count, corners, sizeof corners);
    s->mesh.index_count += 3;
}

uint32_t mesh_builder_add_shared(mesh_builder* s, pelt_vec3 position, uint32_t joint_a,
                                 uint32_t joint_b, float weight_of_b)
{
    uint32_t v = mesh_builder_add_vertex(s, position);
    mesh_builder_add_influence(s, v, joint_a, 1.0f - weight_of_b);
    mesh_builder_add_influence(s, v, joint_b, weight_of_b);
    return v;
}

bool mesh_builder_bind(mesh_builder* s)
{
    pelt_weights_source source = {.vertex_count = s->mesh.vertex_count,
                                  .joint_count = BUILDER_JOINTS,
                                  .per_vertex = BUILDER_SLOTS,
                                  .joints_u32 = s->joints,
                                  .weights = s->weights};
    return pelt_weights_import(&s->mesh.weights, NULL, &source, s->arena) == PELT_OK;
}

mesh_builder* mesh_builder_random(uint64_t seed)
{
    test_random random = {seed};
    mesh_builder* s = mesh_builder_create();
    for (uint32_t i = 0; i < 60; ++i)
    {
        uint32_t v = mesh_builder_add_vertex(s, test_point(&random, 1.0f)),
                 group = i % 3 == 0 ? 64 : 0;
        for (uint32_t k = 0; k <= i % BUILDER_SLOTS; ++k)
        {
            // One after the other: compilers differ in the order of arguments.
            float weight = test_uniform(&random, 0.01f, 1.0f);
            uint32_t joint = group + (uint32_t)test_uniform(&random, 0.0f, 7.9f);
            mesh_builder_add_influence(s, v, joint, weight);
        }
    }
    for (; s->mesh.index_count < 240; ++s->mesh.index_count)
    {
        s->indices[s->mesh.index_count] = (uint32_t)test_uniform(&random, 0.0f, 54.9f);
    }
    return mesh_builder_bind(s) ? s : NULL;
}
