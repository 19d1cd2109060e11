// SPDX-License-Identifier: MIT
// A closed surface about the x axis, described by its cross-sections.
#ifndef PELT_RIG_TUBE_H
#define PELT_RIG_TUBE_H

#include "rig_builder.h"

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

#endif
