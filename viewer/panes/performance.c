// SPDX-License-Identifier: MIT
#include "performance.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

void performance_create(performance* out)
{
    GLint bits = 0;
    *out = (performance){.gpu_ms = -1.0f};
    glGetQueryiv(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &bits);
    out->has_timer = bits > 0;
    if (out->has_timer)
    {
        glGenQueries(PERFORMANCE_QUERIES, out->queries);
    }
}

void performance_destroy(performance* in)
{
    if (in->has_timer)
    {
        glDeleteQueries(PERFORMANCE_QUERIES, in->queries);
    }
    *in = (performance){0};
}

// ---------------------------------------------------------------------------------------------
// GPU

// Whether the query that comes next can be used again; its result is taken on the way.
static bool take_result(performance* inout)
{
    uint32_t at = inout->next_query;
    GLuint is_there = GL_TRUE;
    if (inout->is_pending[at])
    {
        glGetQueryObjectuiv(inout->queries[at], GL_QUERY_RESULT_AVAILABLE, &is_there);
    }
    if (inout->is_pending[at] && is_there)
    {
        GLuint64 nanoseconds = 0;
        glGetQueryObjectui64v(inout->queries[at], GL_QUERY_RESULT, &nanoseconds);
        inout->gpu_ms = 1e-6f * (float)nanoseconds;
        inout->is_pending[at] = false;
    }
    return is_there;
}

void performance_gpu_begin(performance* inout)
{
    if (inout->has_timer && take_result(inout))
    {
        glBeginQuery(GL_TIME_ELAPSED, inout->queries[inout->next_query]);
        inout->is_pending[inout->next_query] = true;
    }
}

void performance_gpu_end(performance* inout)
{
    GLint current = 0;
    if (inout->has_timer)
    {
        glGetQueryiv(GL_TIME_ELAPSED, GL_CURRENT_QUERY, &current);
    }
    if (current != 0)
    {
        glEndQuery(GL_TIME_ELAPSED);
        inout->next_query = (inout->next_query + 1) % PERFORMANCE_QUERIES;
    }
}

// ---------------------------------------------------------------------------------------------
// Frames

void performance_add(performance* inout, const float parts[PART_COUNT])
{
    float values[PART_COUNT];
    memcpy(values, parts, sizeof values);
    values[PART_FPS] = values[PART_FRAME] > 0.0f ? 1000.0f / values[PART_FRAME] : 0.0f;
    values[PART_CPU] =
        values[PART_POSE] + values[PART_PALETTE] + values[PART_UPLOAD] + values[PART_INTERFACE];
    bool is_full = inout->count == PERFORMANCE_FRAMES;
    inout->count -= is_full ? 1 : 0;
    for (int i = 0; i < PART_COUNT; ++i)
    {
        float* list = inout->values[i];
        if (is_full)
        {
            memmove(list, list + 1, inout->count * sizeof *list);
        }
        list[inout->count] = values[i];
    }
    ++inout->count;
}

static int compare(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

performance_summary performance_summarize(const performance* in, performance_part part)
{
    float sorted[PERFORMANCE_FRAMES];
    uint32_t count = in->count;
    if (count == 0)
    {
        return (performance_summary){0};
    }
    memcpy(sorted, in->values[part], count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sum += (double)sorted[i];
    }
    return (performance_summary){.mean = (float)(sum / count),
                                 .median = sorted[count / 2],
                                 .p1 = sorted[(count - 1) / 100],
                                 .p99 = sorted[(count - 1) * 99 / 100],
                                 .worst = sorted[count - 1]};
}
