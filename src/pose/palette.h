// SPDX-License-Identifier: MIT
// Rigid motions, stretches and handedness of joints.
#ifndef PELTI_PALETTE_H
#define PELTI_PALETTE_H

#include "../../include/pelt/pelt.h"

/// Whether some of these joints mirror and others do not.
bool pelti_palette_mixes_handedness(const pelt_palette* palette, const pelt_influence* influences,
                                    uint32_t count);

/// 1, or -1 for a joint that mirrors; 0 when it flattens space.
int pelti_handedness_of(const pelt_mat3* stretch);

/// The largest difference from the identity, in each entry, of a stretch that counts as one: the
/// rounding of float along a chain of joints.
#define PELTI_STRETCH_TOLERANCE 2e-6f

/// A joint's matrix as motion * stretch.
typedef struct pelti_joint_split
{
    pelt_dquat motion;
    pelt_mat3 stretch;
} pelti_joint_split;

/// Which of four joints, one bit each.
typedef struct pelti_rigid_joints
{
    uint32_t found;      ///< they have been split
    uint32_t identities; ///< their stretch counts as the identity
} pelti_rigid_joints;

/// Split those of four joints that are nearly rigid: rotation and stretch are those of
/// pelt_mat3_polar() to 3e-7. The others are not checked, and their output is undefined.
pelti_rigid_joints pelti_split_rigid(pelti_joint_split out[4], const pelt_mat34* const matrices[4]);

/// Split any two joints, as pelt_mat3_polar() does to within the last digit of float.
/// @param handedness  see pelti_handedness_of()
void pelti_split_two(pelti_joint_split out[2], int handedness[2],
                     const pelt_mat34* const matrices[2]);

#endif
