// SPDX-License-Identifier: MIT
// Frame times of a crowd of one size, told one by one: no clock and no renderer.
#ifndef PELT_CROWD_SAMPLE_H
#define PELT_CROWD_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

enum
{
    CROWD_FRAME_MAX = 512, ///< of a sample; more say no more
};

/// How long to measure. The document has 0.5 and 1 s, 1 and 2 ms, which takes about a minute.
typedef struct crowd_pace
{
    double settle;       ///< seconds before a sample
    double sample;       ///< seconds of a sample
    uint32_t min_frames; ///< of a sample, however long they take
    double low, high;
    double limit; ///< seconds after which a technique is left as it is
} crowd_pace;

/// The pace of the document, sped up by one factor where it would take too long: shorter samples,
/// then fewer of them.
/// @param seconds  for a technique, about
crowd_pace crowd_pace_of(double seconds);

/// Frames of one number of instances. Times in seconds.
typedef struct crowd_point
{
    uint32_t instance_count, frame_count;
    double best; ///< the fastest frame, which other programs on the machine disturbed least
    double median, mean, deviation, p95;
    double rating; ///< frames per second * instances, of the fastest frame
} crowd_point;

/// A sample on its way.
typedef struct crowd_sample
{
    double elapsed; ///< seconds of all frames, those before it included
    double sampled; ///< of those that count
    bool is_settled;
    uint32_t frame_count;
    double seconds[CROWD_FRAME_MAX];
} crowd_sample;

/// Tell what a frame took. The first ones, which fill caches and compile shaders, do not count.
/// @param inout  {0} at the start
/// @return whether the sample is complete
bool crowd_sample_add(crowd_sample* inout, double seconds, const crowd_pace* pace);

/// @param in  with at least one frame that counts; its frames are sorted here
crowd_point crowd_sample_summarize(crowd_sample* in, uint32_t instance_count);

#endif
