// SPDX-License-Identifier: MIT
// The value of one animated property at a time.
#ifndef PELTI_TRACK_H
#define PELTI_TRACK_H

#include "../../include/pelt/pelt.h"

/// Index of the last key not later than a time; 0 when all are later. From the hint the search goes
/// on in strides that double: the same key or the next takes three steps at most, one n keys away
/// about 2 log2 n.
/// @param hint   any key of the track
/// @param steps  grows by the number of keys that were looked at
uint32_t pelti_track_find_key(const pelt_track* track, float time, uint32_t hint, uint64_t* steps);

/// The value at a time.
/// @param out  track->width floats; a rotation comes out normalized
/// @param key  by pelti_track_find_key()
void pelti_track_sample_at(float* out, const pelt_track* track, float time, uint32_t key);

/// The same with a search of its own.
void pelti_track_sample(float* out, const pelt_track* track, float time);

/// +1 or -1: what brings the first key of a rotation to the side of the stored pose.
float pelti_track_sign(const pelt_track* track, pelt_quat rest);

/// Whether its value changes as time goes by, by more than rounding of exporters.
bool pelti_track_is_moving(const pelt_track* track);

#endif
