// SPDX-License-Identifier: MIT
// What the characters share: from tables of joints, cones and charts to a skinned mesh.
#ifndef PELT_RIG_CHARACTER_H
#define PELT_RIG_CHARACTER_H

#include "implicit/implicit.h"
#include "rig_builder.h"
#include "rig_params.h"
#include "tree_weights.h"

/// One joint, or a left and a right one, called "name_l" and "name_r". Lengths in millimeters,
/// which keeps tables narrow.
typedef struct rig_character_joint
{
    const char* name;
    uint32_t parent; ///< row in the table, smaller than its own, or PELT_NONE
    bool is_pair;    ///< given for the left, x > 0
    pelt_vec3 position;
    float radius;
    pelt_vec3 axis; ///< this and the rest: see tree_joint
    float shift, width;
    uint32_t rival;
    float reach;
} rig_character_joint;

/// Joints of the skeleton by row of the table.
typedef struct rig_character_map
{
    uint32_t left[TREE_JOINTS_MAX];  ///< or the only one
    uint32_t right[TREE_JOINTS_MAX]; ///< or the only one
} rig_character_map;

typedef struct rig_character
{
    const char* name;
    const rig_character_joint* joints;
    uint32_t joint_row_count;
    const implicit_cone* cones;
    uint32_t cone_count;
    pelt_bounds bounds; ///< of the grid, before the warp
    implicit_warp warp;
    uint32_t chart_count;
    uint32_t chart_columns; ///< of the atlas
    /// The chart of a triangle, by its center.
    uint32_t (*chart_at)(pelt_vec3 center);
    /// Position of a vertex in a chart, 0 to 1.
    pelt_vec2 (*chart_uv)(uint32_t chart, pelt_vec3 p);
    /// Vertices before the cut into charts, times square of the spacing, in square meters: measured
    /// once.
    float grid_area;
    /// Copies along seams, divided by the square root of the vertices before the cut.
    float seam_density;
    /// Fewest vertices at which the grid keeps every finger apart; below, edges are collapsed.
    uint32_t grid_vertices_min;
    pelt_vec3 color;
    void (*add_clips)(rig_builder* rig, const rig_character_map* map);
} rig_character;

/// Angle about an axis as a coordinate of a chart: 0 to 1 over the half circle centered at `ahead`.
float rig_chart_half_circle(float ahead, float aside);

/// Parameters of every character, in the order of rig_params.
typedef enum rig_character_param
{
    RIG_CHARACTER_VERTICES,   ///< comes out within 5 % where the shape allows it
    RIG_CHARACTER_INFLUENCES, ///< at most, of a vertex; beyond 4, passages widen until they meet
} rig_character_param;

/// Make the whole scene: joints, mesh, weights and clips.
pelt_result rig_character_build(pelt_scene** out, const rig_character* character,
                                const rig_params* params, pelt_error* error);

// The bodies of the built-in characters, for tests. Grids are finer at hands, head and feet.

/// @return number of cones
uint32_t rig_human_cones(const implicit_cone** out);
uint32_t rig_raptor_cones(const implicit_cone** out);
pelt_vec3 rig_human_warp(pelt_vec3 p);
pelt_vec3 rig_raptor_warp(pelt_vec3 p);

#endif
