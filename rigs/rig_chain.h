// SPDX-License-Identifier: MIT
// Joints in a row: weights that pass from each to the next, and clips that rotate them.
#ifndef PELT_RIG_CHAIN_H
#define PELT_RIG_CHAIN_H

#include "rig_builder.h"

typedef struct rig_link
{
    uint32_t joint;
    float reach; ///< half the width, in meters, over which weight passes to it; ignored for the
                 ///< first
} rig_link;

/// Weights that depend on the position along the axis alone. A joint takes over from the one before
/// at its own position, where both have one half, and they sum to one everywhere. Where two blends
/// overlap, three joints pull; mesh->stride has to have room.
/// @param mesh  NULL: nothing happens
/// @param axis  unit length; positions of the links ascend along it
void rig_chain_weights(const rig_builder* rig, rig_mesh* mesh, pelt_vec3 axis,
                       const rig_link* links, uint32_t link_count);

/// Keys of the current clip that rotate a joint steadily from rest at time 0 to an angle at time 1.
/// There are enough keys for rotations beyond 180 degrees to keep their direction.
void rig_chain_turn(rig_builder* rig, uint32_t joint, pelt_vec3 axis, float degrees);

#endif
