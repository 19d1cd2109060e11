// SPDX-License-Identifier: MIT
// Frames per second.
#ifndef PELT_FRAME_RATE_H
#define PELT_FRAME_RATE_H

#include <stdint.h>

/// The rate of the frames of the last second, or of the last frame where that took longer.
/// @param milliseconds  of each frame, oldest first
/// @return frames per second; 0 without a frame
double frame_rate(const float* milliseconds, uint32_t count);

#endif
