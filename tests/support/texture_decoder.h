// SPDX-License-Identifier: MIT
// An animation texture decoded in double precision, written after docs/texture_format.md alone: a
// second reading of that page next to src/baked/baked_decode.c.
#ifndef PELT_TEXTURE_DECODER_H
#define PELT_TEXTURE_DECODER_H

#include "pelt/bake.h"

/// An affine map, rows of a linear part and a translation.
typedef struct texture_motion
{
    double m[3][4];
} texture_motion;

/// The motion of every joint of the texture.
/// @param out    as many as word 3 says
/// @param words  of a texture of joints that is valid
void texture_decode(texture_motion* out, const uint32_t* words, const pelt_playback* playback);

/// A vertex of a texture of vertices.
/// @param normal  {0, 0, 0} where there are no normals
void texture_decode_vertex(double position[3], double normal[3], const uint32_t* words,
                           const pelt_playback* playback, const double rest[3], uint32_t vertex);

/// A component of a record: its word, and where its values are in a key.
typedef struct texture_component
{
    uint32_t word, width, bit; ///< width 0: constant; 32: float
    double low, range;         ///< of width 1 to 24
} texture_component;

/// The components of a joint's record in the run that applies, without those of paths.
/// @param out  14 at most
/// @return number of them; 0 for a joint without a record
uint32_t texture_components(texture_component* out, const uint32_t* words, uint32_t run_word,
                            uint32_t joint);

/// First word of a run, by clip and number.
uint32_t texture_run(const uint32_t* words, uint32_t clip, uint32_t run);

/// Bits that a joint takes in each key, those of paths included.
uint32_t texture_joint_bits(const uint32_t* words, uint32_t run_word, uint32_t joint);

#endif
