// SPDX-License-Identifier: MIT
// Motions as rotation, position and stretch, and how far each of these moves vertices.
#ifndef PELTI_BAKE_POSE_H
#define PELTI_BAKE_POSE_H

#include "bake_code.h"

/// Appends values of one component after another to all keys.
typedef struct pelti_key_writer
{
    uint32_t* keys;
    uint32_t key_words, key_count;
    size_t bit;
} pelti_key_writer;

/// A motion as rotation, position of the pivot, and symmetric stretch.
typedef struct pelti_pose
{
    pelt_quat rotation;
    pelt_vec3 position;
    float stretch[6]; ///< xx yy zz yz zx xy
} pelti_pose;

/// How far a value of a joint moves vertices, its own and those that hang on it: meters per radian,
/// per unit of position and per unit of stretch.
typedef struct pelti_reach
{
    float rotation, position, stretch;
    float weight; ///< largest of all that hangs on it
} pelti_reach;

/// How large a motion makes things, and how small: norms of its linear part and of the inverse.
typedef struct pelti_motion_size
{
    double largest, inverse;
} pelti_motion_size;

/// @return inverse is infinite where there is none
pelti_motion_size pelti_size_of(const pelt_mat34* motion);

/// The product of both sizes of a joint that shrinks to a thirty-second; that of a rotation is 3.
/// Rounding of a smaller one is magnified too much in what is relative to it.
#define PELTI_SOLID (3.0 * 32.0)

typedef struct pelti_pose_scratch
{
    pelti_reach* reaches; ///< one per joint
    double* shrinking;    ///< one per sample: how small the parent has become, 3 at its largest;
                          ///< infinite where it is flat
    pelt_mat34* open;     ///< one per sample: relative to the parent of the source
    pelt_mat34* targets;  ///< the same relative to the parent as it was decoded
    pelti_pose* open_poses;
    pelti_pose* poses;
    float (*rows)[14];     ///< one per key: matrices and dual quaternions
    pelti_pose* decoded;   ///< one per key
    pelt_vec3 (*paths)[2]; ///< one per key: rotation and position
} pelti_pose_scratch;

pelt_result pelti_pose_scratch_create(pelti_pose_scratch* out, const pelti_code_job* job,
                                      const pelti_quality* quality, pelt_arena* arena);

/// Rotation, position and stretch of a motion.
pelti_pose pelti_pose_of(const pelt_mat34* motion, pelt_vec3 pivot);

/// Samples at which a pose cannot be told get that of their neighbors, so that nothing is
/// interpolated toward an arbitrary one: rotations of a joint that has scaled to nothing, and whole
/// poses relative to a parent that has.
/// @param shrinking  of the parent; NULL: it is solid
void pelti_poses_fill(pelti_pose* poses, const double* shrinking, uint32_t count);

/// The motion of a joint relative to its parent at every sample, in scratch->open as in the source
/// and in scratch->targets for the parent as decoded.
/// @param decoded  motions of all joints at all samples
void pelti_relative_motions(pelti_pose_scratch* scratch, const pelti_code_job* job, uint32_t joint,
                            const pelt_mat34* decoded);

/// scratch->shrinking, or NULL where the parent is solid or there is none.
const double* pelti_parent_shrinking(const pelti_pose_scratch* scratch, const pelti_code_job* job,
                                     uint32_t joint);

/// What may count as no motion at all, in meters.
double pelti_still_distance(const pelti_code_job* job, const pelti_quality* quality);

#endif
