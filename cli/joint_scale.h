// SPDX-License-Identifier: MIT
// Whether joints of a character only rotate and move, or scale as well: what shaders have to know.
#ifndef PELT_JOINT_SCALE_H
#define PELT_JOINT_SCALE_H

#include "pelt/gl.h"

/// What joints do to lengths, from the bind pose to the stored pose and to moments of all clips:
/// their keys, and half way between. Clips of more than 256 keys: each n-th key.
typedef struct joint_scale
{
    bool is_rigid;     ///< lengths stay as they are, to JOINT_SCALE_NOTHING
    bool is_even;      ///< equally along all directions: no joint scales non-uniformly or shears
    bool has_mirrors;  ///< some joint mirrors
    float least, most; ///< factors of a length, over joints, directions and moments
    float unit;        ///< factor of the first joint in the stored pose: units of the bind pose
    uint32_t node;     ///< the joint that is farthest from that; PELT_NONE: none is
    const char* clip;  ///< in this clip; NULL: in the stored pose
    float time;        ///< and seconds in it
} joint_scale;

#define JOINT_SCALE_NOTHING 1e-4f ///< invisible change of a length

/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result joint_scale_measure(joint_scale* out, const pelt_scene* scene);

/// The choice for shaders: none, or local, which is the default of pelt_deform().
pelt_gpu_scale joint_scale_for_gpu(const joint_scale* in);

#endif
