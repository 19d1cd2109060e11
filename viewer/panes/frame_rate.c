// SPDX-License-Identifier: MIT
#include "frame_rate.h"

double frame_rate(const float* milliseconds, uint32_t count)
{
    double sum = 0.0;
    uint32_t used = 0;
    while (used < count && sum < 1000.0)
    {
        double frame = (double)milliseconds[count - 1 - used];
        // A long frame counts only where it is the last one.
        if (used > 0 && sum + frame > 1000.0)
        {
            break;
        }
        sum += frame;
        ++used;
    }
    return sum > 0.0 ? 1000.0 * (double)used / sum : 0.0;
}
