// SPDX-License-Identifier: MIT
#include "performance.h"

#include <stdlib.h>
#include <string.h>

void performance_add(performance* inout, float frame_ms, float cpu_ms)
{
    if (inout->count == PERFORMANCE_FRAMES)
    {
        --inout->count;
        memmove(inout->frame_ms, inout->frame_ms + 1, inout->count * sizeof *inout->frame_ms);
        memmove(inout->cpu_ms, inout->cpu_ms + 1, inout->count * sizeof *inout->cpu_ms);
    }
    inout->frame_ms[inout->count] = frame_ms;
    inout->cpu_ms[inout->count++] = cpu_ms;
}

static int compare(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

performance_summary performance_summarize(const float* values, uint32_t count)
{
    float sorted[PERFORMANCE_FRAMES];
    if (count == 0)
    {
        return (performance_summary){0};
    }
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sum += (double)sorted[i];
    }
    return (performance_summary){.mean = (float)(sum / count),
                                 .median = sorted[count / 2],
                                 .p99 = sorted[(count - 1) * 99 / 100],
                                 .worst = sorted[count - 1]};
}
