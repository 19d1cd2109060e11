// SPDX-License-Identifier: MIT
// The parts of the human rig: rows of its joint table, its shape and its clips.
#ifndef PELT_RIG_HUMAN_H
#define PELT_RIG_HUMAN_H

#include "rig_character.h"

/// Rows of the joint table. A finger has three joints and a tip, one after the other.
typedef enum human_row
{
    HUMAN_HIPS,
    HUMAN_SPINE,
    HUMAN_WAIST,
    HUMAN_CHEST,
    HUMAN_NECK,
    HUMAN_HEAD,
    HUMAN_JAW,
    HUMAN_CLAVICLE,
    HUMAN_UPPER_ARM,
    HUMAN_FOREARM,
    HUMAN_HAND,
    HUMAN_THUMB,
    HUMAN_INDEX = HUMAN_THUMB + 4,
    HUMAN_MIDDLE = HUMAN_INDEX + 4,
    HUMAN_RING = HUMAN_MIDDLE + 4,
    HUMAN_LITTLE = HUMAN_RING + 4,
    HUMAN_THIGH = HUMAN_LITTLE + 4,
    HUMAN_SHIN,
    HUMAN_FOOT,
    HUMAN_TOE,
    HUMAN_TOE_TIP,
    HUMAN_ROW_COUNT
} human_row;

/// The cones of the body. @return number of them
uint32_t rig_human_cones(const implicit_cone** out);

/// Finer at hands, head and feet.
pelt_vec3 rig_human_warp(pelt_vec3 p);

void rig_human_clips(rig_builder* rig, const rig_character_map* map);

#endif
