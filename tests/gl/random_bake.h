// SPDX-License-Identifier: MIT
// Animation textures with everything that the format allows, filled with random bits: more than an
// encoder would write.
#ifndef PELT_RANDOM_BAKE_H
#define PELT_RANDOM_BAKE_H

#include "pelt/bake.h"
#include "test.h"

typedef struct random_bake_desc
{
    pelt_encoding encoding;
    pelt_texel texel;
    uint64_t seed;
    uint32_t joint_count;  ///< or of slots for vertices, for VERTEX
    uint32_t vertex_count; ///< VERTEX: of the mesh, with slots at random
    bool has_parents;
    bool has_stretch; ///< poses: uniform and symmetric
    bool is_mirrored; ///< poses: all joints, by negative stretches
    bool is_calm;     ///< poses: joints rotate by less than a quarter, so that blends do not cancel
} random_bake_desc;

enum
{
    BAKED_FIXTURE_CLIPS = 6
};

/// @return NULL without memory; free with pelt_arena_destroy(baked->arena)
pelt_baked* random_bake_make(const random_bake_desc* desc);

/// A playback whose moments are anywhere: in the clip, on a key, outside, repeating or not.
pelt_playback random_bake_play(const pelt_baked* baked, test_random* random);

#endif
