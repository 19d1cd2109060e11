// SPDX-License-Identifier: MIT
// The value of one animated property at a time.
#ifndef PELTI_TRACK_H
#define PELTI_TRACK_H

#include "../../include/pelt/pelt.h"

/// @param out  track->width floats; a rotation comes out normalized
void pelti_track_sample(float* out, const pelt_track* track, float time);

/// +1 or -1: what brings the first key of a rotation to the side of the stored pose.
float pelti_track_side(const pelt_track* track, pelt_quat rest);

/// Whether its value changes as time goes by, by more than rounding of exporters.
bool pelti_track_is_moving(const pelt_track* track);

#endif
