// SPDX-License-Identifier: MIT
// The parts of twist joints: bones, their twist in a clip, and what is made of both.
#ifndef PELTI_TWIST_H
#define PELTI_TWIST_H

#include "../../include/pelt/prepare.h"

// ---------------------------------------------------------------------------------------------
// Bones

/// Both in radians, zero in the bind pose.
typedef struct pelti_twist_angles
{
    double own, child;
} pelti_twist_angles;

typedef struct pelti_twist_bone
{
    pelt_twist_bone facts; ///< facts.child PELT_NONE: there is no bone
    uint32_t parent;       ///< joint, or PELT_NONE
    uint32_t first_node;   ///< of its twist joints
    pelt_vec3 end;         ///< the child's position in the joint's space, in the bind pose
    pelt_vec3 axis;        ///< unit, along it
    pelt_quat own_reference, child_reference; ///< rotations that count as no twist
    pelti_twist_angles rest;                  ///< the twist in the stored pose
} pelti_twist_bone;

// ---------------------------------------------------------------------------------------------
// Skeleton

/// A node as a joint of a skin.
typedef struct pelti_twist_slot
{
    uint32_t node, skin, joint;
    bool has_bind; ///< its inverse bind matrix has an inverse
} pelti_twist_slot;

/// The hierarchy of a scene in terms of joints. The arena owns the tables. Lists instead of
/// searches keep everything linear in the size of the scene, which a file chooses.
typedef struct pelti_twist_rig
{
    const pelt_scene* scene;
    uint32_t *first_child, *next_child; ///< of each node: nodes, ascending, or PELT_NONE
    uint32_t *first_joint, *next_joint; ///< of each node: joints whose joint parent it is
    uint32_t *order, *subtree; ///< of each node: parents before children, without gaps in a
                               ///< subtree, and the number of nodes in it
    uint32_t* joint_parent;    ///< of each node: nearest ancestor that is a joint, or PELT_NONE
    uint32_t* below;           ///< of each node: joints among its descendants
    uint32_t* slot_first;      ///< node_count + 1 offsets into slots; no slot: no joint
    pelti_twist_slot* slots;   ///< of each node by ascending skin, each skin once
    pelti_twist_bone* bones;   ///< of each node, measured: all but count, source, twists,
                               ///< first_node and rest
    uint32_t* requests;        ///< of each node: index into the list of pelti_twist_plan()
    const pelt_track** tracks; ///< of each node: its rotation in the clip in use, or NULL
} pelti_twist_rig;

bool pelti_twist_rig_create(pelti_twist_rig* out, const pelt_scene* scene, pelt_arena* arena);

/// Choose the clip that pelti_twist_keys_create() looks at; NULL: the stored pose.
void pelti_twist_rig_use(const pelti_twist_rig* rig, const pelt_clip* clip);

static inline bool pelti_twist_is_joint(const pelti_twist_rig* rig, uint32_t node)
{
    return rig->slot_first[node] < rig->slot_first[node + 1];
}

/// @param error  why a joint has no bone
pelt_result pelti_twist_bone_check(const pelti_twist_rig* rig, uint32_t node, pelt_error* error);

/// Whether a joint or a child of it has a name with "twist" or "roll".
bool pelti_twist_has_helpers(const pelti_twist_rig* rig, uint32_t node);

/// Whether the roll of a joint belongs to its own bone, which is long or has helpers already,
/// rather than to its parent's.
bool pelti_twist_keeps_roll(const pelti_twist_rig* rig, uint32_t node);

/// The fraction of the bone at which twist joint k, from 1 to count, is.
float pelti_twist_fraction(const pelt_twist_bone* bone, uint32_t k);

/// Angle of twist joint k against the bone.
double pelti_twist_roll(const pelt_twist_bone* bone, pelti_twist_angles angles, uint32_t k);

/// pelt_twist_plan() with all results but first_node. Once for a rig.
pelt_result pelti_twist_plan(pelti_twist_bone* out, const pelti_twist_rig* rig,
                             const pelt_twist* twists, uint32_t count, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// Angles over time

typedef struct pelti_twist_key
{
    float time;
    pelti_twist_angles angles;
} pelti_twist_key;

typedef struct pelti_twist_keys
{
    uint32_t count, capacity;
    pelti_twist_key* keys; ///< in order of time; angles do not jump by 180 degrees
    bool is_step;
} pelti_twist_keys;

/// The twist of a bone in the clip in use; no keys when no track moves it. Twists that the bone's
/// source does not spread are ignored; for AUTO both count.
pelt_result pelti_twist_keys_create(pelti_twist_keys* out, const pelti_twist_bone* bone,
                                    const pelti_twist_rig* rig);
void pelti_twist_keys_destroy(pelti_twist_keys* keys);

/// The twist in the pose in use at a time. Full rotations are counted so that angles are nearest to
/// `near`.
pelti_twist_angles pelti_twist_angles_at(const pelti_twist_bone* bone, const pelti_twist_rig* rig,
                                         float time, pelti_twist_angles near);

/// The largest twists in any clip: facts.own_twist and facts.child_twist of each bone.
pelt_result pelti_twist_bones_watch(pelti_twist_bone* bones, uint32_t count,
                                    const pelti_twist_rig* rig);

// ---------------------------------------------------------------------------------------------
// Results

/// One joint of a skin whose weight is split.
typedef struct pelti_twist_split
{
    uint32_t joint; ///< slot in the skin
    uint32_t first; ///< slot of its first twist joint
    const pelti_twist_bone* bone;
    pelt_mat34 joint_from_bind;
} pelti_twist_split;

typedef struct pelti_twist_splits
{
    uint32_t count;
    uint32_t joint_count;    ///< of the skin, with the new ones
    uint32_t max_influences; ///< of a vertex; 0: all
    pelti_twist_split* list; ///< by ascending joint
} pelti_twist_splits;

/// Replace the weights of a mesh.
pelt_result pelti_twist_split_weights(pelt_mesh* mesh, pelt_twist_report* report,
                                      const pelti_twist_splits* splits, pelt_arena* arena);

/// Add the tracks of twist joints to the clips of out, a copy of rig->scene.
pelt_result pelti_twist_add_tracks(pelt_scene* out, pelt_twist_report* report,
                                   const pelti_twist_rig* rig, const pelti_twist_bone* bones,
                                   uint32_t bone_count);

#endif
