// SPDX-License-Identifier: MIT
// Converts the motions of a bake to nodes, keys and clips.
#ifndef PELTI_UNBAKE_SCENE_H
#define PELTI_UNBAKE_SCENE_H

#include "bake_source.h"

// ---------------------------------------------------------------------------------------------
// Nodes

/// Which joint of a bake moves which node.
typedef struct pelti_unbake_rig
{
    const pelt_baked* baked;
    const pelt_scene* scene;
    pelti_bake_source source; ///< its joints are those of the bake
    uint32_t* joint_of;       ///< one per node: the joint that moves it, or PELT_NONE
    pelt_mat34* binds;        ///< one per joint: from its own space to bind space
} pelti_unbake_rig;

/// @param baked  any encoding but VERTEX
/// @param arena  owns the arrays
/// @return PELT_OK, PELT_ERROR_DATA when scene and bake do not fit, or PELT_ERROR_MEMORY
pelt_result pelti_unbake_rig_create(pelti_unbake_rig* out, const pelt_baked* baked,
                                    const pelt_scene* scene, pelt_arena* arena, pelt_error* error);

/// Decode a moment of a clip to transforms of nodes.
/// @param locals           one per node, relative to its parent
/// @param shears           one per node: keeps the largest part that a transform cannot hold,
///                         relative to its scale; may be NULL
/// @param motions          scratch and result: what pelt_unbake() gives
/// @param model_from_node  scratch and result: what the transforms amount to
void pelti_unbake_locals(pelt_transform* locals, float* shears, const pelti_unbake_rig* rig,
                         uint32_t clip, float time, pelt_mat34* motions,
                         pelt_mat34* model_from_node);

/// The largest distance of a vertex under two sets of motions.
float pelti_probe_distance(const pelti_probe_list* list, const pelt_mat34* a, const pelt_mat34* b);

/// The motions of joints that follow nodes.
void pelti_rig_motions(pelt_mat34* out, const pelti_unbake_rig* rig,
                       const pelt_mat34* model_from_node);

// ---------------------------------------------------------------------------------------------
// Times

/// The keys of a clip that is made of a bake, in order.
typedef struct pelti_unbake_times
{
    uint32_t count, capacity;
    float* times;
    bool is_held; ///< until the next; else they are interpolated
} pelti_unbake_times;

/// The shortest time between two keys that is no jump, at a time of a clip.
float pelti_jump_gap(float time);

/// Choose the keys of a clip: at a rate, or at those of the bake and between them as needed.
/// @param rig    NULL: those of the bake, regardless of the options
/// @param arena  owns the times
/// @return PELT_OK, PELT_ERROR_UNSUPPORTED: more than a million, or PELT_ERROR_MEMORY
pelt_result pelti_unbake_times_choose(pelti_unbake_times* out, const pelt_baked_clip* clip,
                                      const pelti_unbake_rig* rig,
                                      const pelt_unbake_options* options, pelt_arena* arena);

#endif
