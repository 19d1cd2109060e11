// SPDX-License-Identifier: MIT
// Statistics of a scene.
#ifndef PELT_SCENE_STATISTICS_H
#define PELT_SCENE_STATISTICS_H

#include "pelt/pelt.h"

#include <jansson.h>

enum
{
    STATISTICS_BIN_COUNT = 6, ///< vertices with 0, 1, 2, 3, 4 and 5 or more influences
};

/// Vertices and triangles of all instances, and the box around them.
typedef struct mesh_totals
{
    uint64_t vertex_count, triangle_count;
    pelt_bounds bounds;
} mesh_totals;

mesh_totals mesh_totals_of(const pelt_scene* scene, const pelt_frame* frame);

typedef struct scene_statistics
{
    mesh_totals totals; ///< of all instances in the stored pose
    uint32_t joint_count;
    uint32_t* joints;        ///< node of each joint: the distinct nodes that skins name, ascending
    uint32_t* joint_parents; ///< node of the nearest ancestor that is a joint, or PELT_NONE
} scene_statistics;

/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result scene_statistics_create(scene_statistics* out, const pelt_scene* scene);
void scene_statistics_destroy(scene_statistics* in);

void scene_statistics_histogram(uint32_t out[STATISTICS_BIN_COUNT], const pelt_mesh* mesh);

/// A histogram as an object with the members `0` to `5+`.
json_t* scene_statistics_describe(const uint32_t bins[STATISTICS_BIN_COUNT]);

#endif
