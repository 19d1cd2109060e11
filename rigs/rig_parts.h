// SPDX-License-Identifier: MIT
// Parts of simple rigs: tubes, blocks and sheets, and chains of joints with their weights and
// clips.
#ifndef PELT_RIG_PARTS_H
#define PELT_RIG_PARTS_H

#include "rig_builder.h"

#include <stdint.h>

// ---------------------------------------------------------------------------------------------
// Tubes

/// One cross-section: an ellipse in a plane of constant x.
typedef struct rig_ring
{
    pelt_vec3 center;
    float radius_y, radius_z;
} rig_ring;

/// Cross-section at parameter s of a tube, from -1 (left pole) to 1 (right pole), x not decreasing.
/// At the poles only the center counts.
typedef rig_ring (*rig_profile)(float s);

typedef struct rig_tube
{
    const char* name;
    rig_profile profile;
    uint32_t ring_count; ///< cross-sections at equal steps of s, the two poles included; at least 4
    uint32_t segment_count; ///< corners of a cross-section, at least 3
    uint32_t stride;        ///< influences per vertex
    pelt_vec3 color;
} rig_tube;

/// Rings and segments for about so many vertices with nearly square quads. The number of rings is
/// odd, so there is one at s = 0; the number of segments is a multiple of four.
/// @param aspect  length of the profile over girth
void rig_tube_resolve(rig_tube* tube, uint32_t vertex_count, float aspect);

/// Positions, normals, UVs and triangles of a tube; weights are left to the caller. u is the
/// angle and v goes from right to left. Where u closes, and at the poles, vertices are doubled,
/// with equal positions and normals.
/// @return NULL after a failure
rig_mesh* rig_tube_add(rig_builder* rig, const rig_tube* tube);

// ---------------------------------------------------------------------------------------------
// Blocks

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

// ---------------------------------------------------------------------------------------------
// Chains of joints

typedef struct rig_link
{
    uint32_t joint;
    float reach; ///< half the width, in meters, over which weight passes to it; ignored for the
                 ///< first
} rig_link;

/// Weights that depend on the position along the axis alone. A joint takes over from the one before
/// at its own position, where both have one half, and they sum to one everywhere. Where two blends
/// overlap, three joints pull; mesh->stride has to have room.
/// @param mesh  NULL: nothing happens
/// @param axis  unit length; positions of the links ascend along it
void rig_chain_weights(const rig_builder* rig, rig_mesh* mesh, pelt_vec3 axis,
                       const rig_link* links, uint32_t link_count);

/// Keys of the current clip that rotate a joint steadily from rest at time 0 to an angle at time 1.
/// There are enough keys for rotations beyond 180 degrees to keep their direction.
void rig_chain_rotate(rig_builder* rig, uint32_t joint, pelt_vec3 axis, float degrees);

// ---------------------------------------------------------------------------------------------
// Grids

/// Cut the quads of a grid into triangles: rows one after the other, column_count + 1 vertices
/// each. Seen from the outside, the row direction is 90 degrees left of the column direction.
/// @param out    6 * column_count * row_count indices
/// @param first  first vertex of the grid
static inline void rig_grid_indices(uint32_t* out, uint32_t first, uint32_t column_count,
                                    uint32_t row_count)
{
    for (uint32_t row = 0; row < row_count; ++row)
    {
        for (uint32_t column = 0; column < column_count; ++column)
        {
            uint32_t a = first + row * (column_count + 1) + column;
            uint32_t b = a + column_count + 1;
            const uint32_t quad[6] = {a, a + 1, b + 1, a, b + 1, b};
            for (int i = 0; i < 6; ++i)
            {
                *out++ = quad[i];
            }
        }
    }
}

#endif
