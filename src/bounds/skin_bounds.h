// SPDX-License-Identifier: MIT
// Regions of a mesh: vertices with the same two strongest joints.
#ifndef PELTI_SKIN_BOUNDS_H
#define PELTI_SKIN_BOUNDS_H

#include "../../include/pelt/bounds.h"

enum
{
    PELTI_DIRECTIONS = 27 // x, y and z of -1, 0 or 1 each; the middle one is none
};

/// The index of a direction in pelti_region.support.
static inline int pelti_direction(const int d[3])
{
    return (d[0] + 1) * 9 + (d[1] + 1) * 3 + d[2] + 1;
}

/// A joint of a region other than its strongest. Vertices that it does not influence count with
/// weight 0.
typedef struct pelti_influence_range
{
    uint32_t joint;
    float weights[2];           ///< least and largest
    pelt_bounds offsets;        ///< of weight * (position - center of the region)
    pelt_bounds center_offsets; ///< of weight * (position - center of rotation)
    float reach; ///< largest weight * distance between a vertex and its center of rotation
} pelti_influence_range;

typedef struct pelti_region
{
    uint32_t joint; ///< the strongest; PELT_NONE: vertices that nothing moves
    uint32_t first_range, range_count;
    uint32_t max_influences;         ///< on one vertex
    float mix[2];                    ///< least and largest mix factor, if the mesh has any
    float least_weight;              ///< of the strongest joint
    pelt_vec3 center;                ///< of the box of the positions
    pelt_vec3 extents;               ///< half the size of that box
    float support[PELTI_DIRECTIONS]; ///< largest dot product of a direction and position - center
    float distance;                  ///< largest distance of a center of rotation from the origin
} pelti_region;

struct pelt_skin_bounds
{
    uint32_t joint_count;
    uint32_t region_count;
    uint32_t range_count;
    uint32_t morph_count;
    bool has_centers;
    bool has_mix_factors;
    const pelti_region* regions;
    const pelti_influence_range* ranges;
    const pelt_bounds* smoothed; ///< of each joint: where its part of the smoothed positions is, in
                                 ///< bind space; empty if it has none; NULL: nothing is smoothed
    float smoothed_reach;        ///< largest distance of a vertex from its smoothed position
    const pelt_bounds* morphs;   ///< region_count * morph_count: displacements at weight 1; or NULL
    pelt_arena* arena;
};

#endif
