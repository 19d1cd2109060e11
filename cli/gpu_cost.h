// SPDX-License-Identifier: MIT
// The memory of a character on the GPU, by method.
#ifndef PELT_GPU_COST_H
#define PELT_GPU_COST_H

#include "pelt/gpu.h"

/// Bytes of one method, for a whole scene.
typedef struct gpu_cost
{
    uint32_t joint_bytes;        ///< of one joint that rotates and moves; palette_total is of these
    uint32_t scaled_joint_bytes; ///< of one that scales as well
    uint32_t vertex_bytes;       ///< of one vertex of the mesh that has most
    uint32_t skin_bytes;         ///< of these, what only skinning needs: joints, weights, center
    uint64_t palette_total, vertex_total;
} gpu_cost;

/// @param method  pelt_gpu_has_method()
gpu_cost gpu_cost_of(const pelt_scene* scene, pelt_method method);

/// Bytes of one vertex of a mesh.
uint32_t gpu_cost_vertex_bytes(const pelt_mesh* mesh, pelt_method method);

#endif
