// SPDX-License-Identifier: MIT
#include "crowd_ladder.h"

#include <math.h>

crowd_ladder crowd_ladder_begin(double low, double high, double stop, uint32_t max_instances)
{
    return (crowd_ladder){
        .low = low, .high = high, .stop = stop, .max_instances = max_instances, .count = 1};
}

static void keep(crowd_ladder* ladder, double frame_time)
{
    ladder->kept_count = ladder->count;
    ladder->kept_time = frame_time;
    ladder->has_grown = ladder->has_shrunk = false;
    ladder->is_done = frame_time >= ladder->stop || ladder->count >= ladder->max_instances;
}

bool crowd_ladder_step(crowd_ladder* ladder, double frame_time)
{
    double difference = frame_time - ladder->kept_time;
    uint32_t step = ladder->count - ladder->kept_count;
    // The document does not say what to do when noise has a step too small and its double too
    // large; taking it ends the to and fro.
    bool is_between = ladder->has_grown && ladder->has_shrunk;
    bool is_kept = (difference >= ladder->low && difference < ladder->high) || step == 1 ||
                   is_between || ladder->count >= ladder->max_instances;
    if (is_kept)
    {
        keep(ladder, frame_time);
    }
    if (difference < ladder->low)
    {
        step *= 2;
        ladder->has_grown = !is_kept || ladder->has_grown;
    }
    else if (difference >= ladder->high)
    {
        step = step > 1 ? step / 2 : 1;
        ladder->has_shrunk = !is_kept || ladder->has_shrunk;
    }
    uint32_t left = ladder->max_instances - ladder->kept_count;
    ladder->count = ladder->kept_count + (step < left ? step : left);
    return is_kept;
}

double crowd_breakpoint(const double* counts, const double* frame_times, uint32_t count,
                        double frame_time)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (frame_times[i] == frame_time)
        {
            return counts[i];
        }
        if (frame_times[i] > frame_time)
        {
            if (i == 0)
            {
                return (double)NAN;
            }
            double part = (frame_time - frame_times[i - 1]) / (frame_times[i] - frame_times[i - 1]);
            return counts[i - 1] + part * (counts[i] - counts[i - 1]);
        }
    }
    return (double)NAN;
}
