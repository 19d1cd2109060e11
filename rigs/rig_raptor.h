// SPDX-License-Identifier: MIT
// The parts of the raptor rig: rows of its joint table, its shape and its clips.
#ifndef PELT_RIG_RAPTOR_H
#define PELT_RIG_RAPTOR_H

#include "rig_character.h"

#define RAPTOR_TAIL_COUNT 18
#define RAPTOR_SPINE_COUNT 4
#define RAPTOR_NECK_COUNT 6
#define RAPTOR_TOE_COUNT 4

/// Rows of the joint table. A finger has two joints and a tip, a toe two joints.
typedef enum raptor_row
{
    RAPTOR_HIPS,
    RAPTOR_TAIL,
    RAPTOR_SPINE = RAPTOR_TAIL + RAPTOR_TAIL_COUNT,
    RAPTOR_NECK = RAPTOR_SPINE + RAPTOR_SPINE_COUNT,
    RAPTOR_HEAD = RAPTOR_NECK + RAPTOR_NECK_COUNT,
    RAPTOR_JAW,
    RAPTOR_SCAPULA,
    RAPTOR_UPPER_ARM,
    RAPTOR_FOREARM,
    RAPTOR_HAND,
    RAPTOR_FINGER_1,
    RAPTOR_FINGER_2 = RAPTOR_FINGER_1 + 3,
    RAPTOR_FINGER_3 = RAPTOR_FINGER_2 + 3,
    RAPTOR_THIGH = RAPTOR_FINGER_3 + 3,
    RAPTOR_SHIN,
    RAPTOR_FOOT,
    RAPTOR_TOE_1,                    ///< the small one behind
    RAPTOR_TOE_2 = RAPTOR_TOE_1 + 2, ///< with the sickle claw
    RAPTOR_TOE_3 = RAPTOR_TOE_2 + 2,
    RAPTOR_TOE_4 = RAPTOR_TOE_3 + 2,
    RAPTOR_ROW_COUNT = RAPTOR_TOE_4 + 2
} raptor_row;

/// The cones of the body. @return number of them
uint32_t rig_raptor_cones(const implicit_cone** out);

/// Finer at head, hands, feet and the end of the tail.
pelt_vec3 rig_raptor_warp(pelt_vec3 p);

void rig_raptor_clips(rig_builder* rig, const rig_character_map* map);

#endif
