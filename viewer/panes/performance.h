// SPDX-License-Identifier: MIT
// What frames cost, over the last few seconds.
#ifndef PELT_PERFORMANCE_H
#define PELT_PERFORMANCE_H

#include <stdint.h>

enum
{
    PERFORMANCE_FRAMES = 240,
};

typedef struct performance
{
    float frame_ms[PERFORMANCE_FRAMES]; ///< from one picture to the next, oldest first
    float cpu_ms[PERFORMANCE_FRAMES];   ///< of these, poses, palettes, measuring and interface
    uint32_t count;
} performance;

typedef struct performance_summary
{
    float mean, median, p99, worst; ///< milliseconds
} performance_summary;

void performance_add(performance* inout, float frame_ms, float cpu_ms);

/// @param values  frame_ms or cpu_ms
performance_summary performance_summarize(const float* values, uint32_t count);

#endif
