// SPDX-License-Identifier: MIT
// Encoding of one joint: rotation, position and stretch, and how far each of them moves vertices.
#ifndef PELTI_BAKE_RECORD_H
#define PELTI_BAKE_RECORD_H

#include "bake_code.h"

/// Appends values of one component after another to all keys.
typedef struct pelti_key_writer
{
    uint32_t* keys;
    uint32_t key_words, key_count;
    size_t bit;
} pelti_key_writer;

/// A motion as rotation, position of the pivot, and symmetric stretch.
typedef struct pelti_joint_pose
{
    pelt_quat rotation;
    pelt_vec3 position;
    float stretch[6]; ///< xx yy zz yz zx xy
} pelti_joint_pose;

/// How far a value of a joint moves vertices, its own and those of its descendants: meters per
/// radian, per unit of position and per unit of stretch.
typedef struct pelti_reach
{
    float rotation, position, stretch;
    float weight; ///< largest of the joint and its descendants
} pelti_reach;

/// Norms of the linear part of a motion and of its inverse.
typedef struct pelti_motion_size
{
    double largest, inverse;
} pelti_motion_size;

/// @return inverse is infinite where there is none
pelti_motion_size pelti_size_of(const pelt_mat34* motion);

/// The product of both norms for a joint that shrinks to 1/32; a rotation has 3. For smaller
/// joints, rounding is magnified too much in motions relative to them.
#define PELTI_SOLID (3.0 * 32.0)

typedef struct pelti_record_scratch
{
    pelti_reach* reaches; ///< one per joint
    double* shrinking;    ///< one per sample: how much the parent has shrunk, 3 at its largest;
                          ///< infinite where it is singular
    pelt_mat34* open;     ///< one per sample: relative to the parent of the source
    pelt_mat34* targets;  ///< the same relative to the parent as it was decoded
    pelti_joint_pose* open_poses;
    pelti_joint_pose* poses;
    float (*rows)[14];         ///< one per key: matrices and dual quaternions
    pelti_joint_pose* decoded; ///< one per key
    pelt_vec3 (*paths)[2];     ///< one per key: rotation and position
} pelti_record_scratch;

pelt_result pelti_record_scratch_create(pelti_record_scratch* out, const pelti_code_job* job,
                                        const pelti_quality* quality, pelt_arena* arena);

/// Rotation, position and stretch of a motion.
pelti_joint_pose pelti_joint_pose_of(const pelt_mat34* motion, pelt_vec3 pivot);

/// Replace poses that are unknown by those of neighboring samples, so that nothing is interpolated
/// toward an arbitrary pose: rotations of a joint with scale 0, and poses relative to a parent with
/// scale 0.
/// @param shrinking  of the parent; NULL: it is solid
void pelti_joint_poses_fill(pelti_joint_pose* poses, const double* shrinking, uint32_t count);

/// The motion of a joint relative to its parent at every sample, in scratch->open as in the source
/// and in scratch->targets for the parent as decoded.
/// @param decoded  motions of all joints at all samples
void pelti_relative_motions(pelti_record_scratch* scratch, const pelti_code_job* job,
                            uint32_t joint, const pelt_mat34* decoded);

/// scratch->shrinking, or NULL where the parent is solid or there is none.
const double* pelti_parent_shrinking(const pelti_record_scratch* scratch, const pelti_code_job* job,
                                     uint32_t joint);

/// Motion below this distance counts as none, in meters.
double pelti_still_distance(const pelti_code_job* job, const pelti_quality* quality);

// =============================================================================================
// Components

/// A component before it is written; its values are a column of pelti_record_scratch.rows.
typedef struct pelti_component_plan
{
    float low, high;
    float range;  ///< that its steps cover: more than low to high, because a word stores low
                  ///< with eight bits; 0: low to high
    float reach;  ///< meters per unit
    float enough; ///< meters: a smaller rounding error gains nothing
    float scale;  ///< of its word
    bool is_constant;
    uint32_t width, widest;
} pelti_component_plan;

/// Find low and high of the first columns.
void pelti_component_ranges(pelti_component_plan* plans, int count,
                            const pelti_record_scratch* scratch, uint32_t key_count);

/// Choose the widths of the components of a joint.
void pelti_component_widths(pelti_component_plan* plans, int count, const pelti_quality* quality,
                            uint32_t joint);

/// Write the words of components, and their values to all keys.
/// @return the word after them
uint32_t* pelti_components_write(uint32_t* word, pelti_key_writer* writer,
                                 const pelti_record_scratch* scratch,
                                 const pelti_component_plan* plans, int count);

/// Principal axes of three columns. Bounds along them are tighter and need fewer bits. If that
/// saves more bits than the word of the axes takes, the columns are rotated to them.
/// @return whether they were; if not, axes is the identity
bool pelti_component_axes(pelt_quat* axes, uint32_t* word, pelti_record_scratch* scratch,
                          int column, uint32_t key_count);

// =============================================================================================
// Records

/// Write the record of a joint and its values in all keys.
/// @param record  24 words; the offset of the values is not written
/// @return words of the record; 0: the joint moves as its parent does
uint32_t pelti_record_encode(uint32_t* record, pelti_key_writer* writer,
                             pelti_record_scratch* scratch, const pelti_code_job* job,
                             const pelti_quality* quality, uint32_t joint);

#endif
