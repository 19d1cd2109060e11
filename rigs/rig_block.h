// SPDX-License-Identifier: MIT
// A cuboid of quads, each with four vertices of its own.
#ifndef PELT_RIG_BLOCK_H
#define PELT_RIG_BLOCK_H

#include "rig_builder.h"

typedef struct rig_block
{
    const char* name;
    pelt_vec3 min, max;
    uint32_t segments[3]; ///< quads along x, y and z
    uint32_t stride;      ///< influences per vertex
    pelt_vec3 color;
} rig_block;

/// Positions, normals, UVs and triangles of a block; weights are left to the caller. Quads share no
/// vertices: four vertices and two triangles each. Corners that meet have equal positions. Each
/// face of the block has its own sixth of the texture.
/// @return NULL after a failure
rig_mesh* rig_block_add(rig_builder* rig, const rig_block* block);

#endif
