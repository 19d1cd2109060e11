// SPDX-License-Identifier: MIT
#include "gpu_cost.h"

enum
{
    // The bytes of a mesh without a skin.
    SURFACE_SET = 1u << PELT_ATTRIBUTE_POSITION | 1u << PELT_ATTRIBUTE_NORMAL |
                  1u << PELT_ATTRIBUTE_TANGENT | 1u << PELT_ATTRIBUTE_UV |
                  1u << PELT_ATTRIBUTE_COLOR,
};

static uint32_t bytes_of_vertex(const pelt_mesh* mesh, pelt_method method, pelt_attribute_set mask)
{
    uint32_t influence_count = pelt_gpu_influence_count(mesh, 0);
    return pelt_gpu_vertex_bytes(pelt_gpu_attributes(mesh, method, influence_count) & mask,
                                 influence_count);
}

static uint32_t bytes_of_joint(pelt_method method, pelt_gpu_scale scale)
{
    return pelt_gpu_joint_floats(method, scale, PELT_GPU_LAYOUT_COMPACT) * (uint32_t)sizeof(float);
}

gpu_cost gpu_cost_of(const pelt_scene* scene, pelt_method method)
{
    gpu_cost cost = {.joint_bytes = bytes_of_joint(method, PELT_GPU_SCALE_NONE),
                     .scaled_joint_bytes = bytes_of_joint(method, PELT_GPU_SCALE_LOCAL)};
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        cost.palette_total += (uint64_t)scene->skins[i].joint_count * cost.joint_bytes;
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        uint32_t bytes = bytes_of_vertex(mesh, method, ~0u);
        uint32_t skin_bytes = bytes_of_vertex(mesh, method, ~(pelt_attribute_set)SURFACE_SET);
        cost.vertex_bytes = bytes > cost.vertex_bytes ? bytes : cost.vertex_bytes;
        cost.skin_bytes = skin_bytes > cost.skin_bytes ? skin_bytes : cost.skin_bytes;
        cost.vertex_total += (uint64_t)mesh->vertex_count * bytes;
    }
    return cost;
}

uint32_t gpu_cost_vertex_bytes(const pelt_mesh* mesh, pelt_method method)
{
    return bytes_of_vertex(mesh, method, ~0u);
}
