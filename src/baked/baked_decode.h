// SPDX-License-Identifier: MIT
// Decoding the motion of one joint between two keys.
#ifndef PELTI_BAKED_DECODE_H
#define PELTI_BAKED_DECODE_H

#include "baked_texels.h"

/// The motion of a joint relative to its parent, in the form in which it is stored and blended.
typedef struct pelti_motion
{
    pelt_quat rotation;
    pelt_vec3 position; ///< of the pivot
    float stretch[6];   ///< xx yy zz yz zx xy
    pelt_mat3 linear;   ///< matrices
    pelt_dquat dual;    ///< dual quaternions
} pelti_motion;

/// A run between two of its keys, wherever its words are.
typedef struct pelti_key_pair
{
    pelt_encoding encoding;
    const uint32_t* table;
    const uint32_t *key, *next;
    float u;    ///< from key to next
    float unit; ///< of positions
    float stretch_unit;
    bool is_spherical;
    uint32_t row_words; ///< THESIS: from one row of the texture to the next; else 0
} pelti_key_pair;

pelti_motion pelti_motion_decode(const pelti_key_pair* pair, uint32_t joint, pelt_vec3 pivot);
pelt_mat34 pelti_motion_matrix(const pelti_motion* motion, pelt_encoding encoding, pelt_vec3 pivot);

/// Which keys of a run surround a moment of its clip, and how far it is between them.
typedef struct pelti_key_time
{
    const pelt_baked_run* run;
    uint32_t key, next;
    float u;
} pelti_key_time;

pelti_key_time pelti_clip_at(const pelt_baked_clip* clip, float time, pelt_wrap wrap);

/// @param baked  any encoding but VERTEX
pelti_key_pair pelti_key_pair_of(const pelt_baked* baked, const pelti_key_time* at,
                                 bool is_spherical);

/// Whether the instances of a scene are those that were baked.
/// @return PELT_OK or PELT_ERROR_DATA
pelt_result pelti_baked_match(const pelt_baked* baked, const pelt_scene* scene, pelt_error* error);

#endif
