// SPDX-License-Identifier: MIT
#include "crowd_sample.h"

#include "statistics.h"

#include <math.h>

crowd_pace crowd_pace_of(double seconds)
{
    const double whole = 60.0, coarsest = 6.0;
    double factor = fmin(1.0, seconds / whole);
    // Down to a sixth samples are shorter; from there on there are fewer of them, too.
    double coarse = fmin(coarsest, fmax(1.0, 1.0 / (6.0 * factor)));
    return (crowd_pace){.settle = 0.5 * factor,
                        .sample = factor,
                        .min_frames = seconds < 1.0 ? 2 : 5,
                        .low = 1e-3 * coarse,
                        .high = 2e-3 * coarse,
                        .limit = fmax(5.0 * seconds, 1.5)};
}

bool crowd_sample_add(crowd_sample* inout, double seconds, const crowd_pace* pace)
{
    inout->elapsed += seconds;
    if (inout->is_settled && inout->frame_count < CROWD_FRAME_MAX)
    {
        inout->seconds[inout->frame_count++] = seconds;
        inout->sampled += seconds;
    }
    inout->is_settled = inout->is_settled || inout->elapsed >= pace->settle;
    bool is_enough = inout->frame_count >= pace->min_frames && inout->sampled >= pace->sample;
    return is_enough || inout->frame_count == CROWD_FRAME_MAX;
}

crowd_point crowd_sample_summarize(crowd_sample* in, uint32_t instance_count)
{
    sample_summary all = sample_summarize(in->seconds, in->frame_count);
    crowd_point out = {.instance_count = instance_count,
                       .frame_count = in->frame_count,
                       .best = sample_percentile(in->seconds, in->frame_count, 0.0),
                       .median = sample_percentile(in->seconds, in->frame_count, 0.5),
                       .mean = all.mean,
                       .deviation = all.deviation,
                       .p95 = sample_percentile(in->seconds, in->frame_count, 0.95)};
    out.rating = instance_count / out.best;
    return out;
}
