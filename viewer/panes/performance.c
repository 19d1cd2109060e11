// SPDX-License-Identifier: MIT
#define _GNU_SOURCE

#include "performance.h"

#include "panes.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

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

// Whether the next query is free; its result is read if it is available.
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

// ---------------------------------------------------------------------------------------------
// Pane

// The graph of a part, up to somewhat above its highest.
static void show_graph(const char* name, const performance* in, performance_part part, float width)
{
    performance_summary all = performance_summarize(in, part);
    gui_row_width(width);
    gui_plot(name, in->values[part], in->count, fmaxf(1.2f * all.worst, 1.0f), 40.0f);
}

static void show_label(const char* label, float scale)
{
    gui_text("%s", label);
    gui_same_line(56.0f * scale);
}

static double median_of(const performance* in, performance_part part)
{
    return (double)performance_summarize(in, part).median;
}

static void show_driver(const view_app* in)
{
    const performance* all = &in->performance;
    double frame = median_of(all, PART_FRAME);
    double vertices = (double)all->vertex_count;
    char gpu[32] = "not available";
    if (all->has_timer && all->gpu_ms >= 0.0f)
    {
        snprintf(gpu, sizeof gpu, "%.2f ms", (double)all->gpu_ms);
    }
    show_label("GPU", in->scale);
    gui_mono("%s  draws %u  vertices %.2f million/s", gpu, all->draw_count,
             frame > 0.0 ? 1e-3 * vertices / frame : 0.0);
}

void performance_pane_show(view_app* inout, gui_rect rect)
{
    const performance* in = &inout->performance;
    float scale = inout->scale, half = 0.5f * (rect.width - 24.0f * scale);
    performance_summary frame = performance_summarize(in, PART_FRAME);
    performance_summary fps = performance_summarize(in, PART_FPS);
    gui_panel_begin("performance", rect, GUI_PANEL_BAR);
    show_graph("frame time##frame_plot", in, PART_FRAME, half);
    gui_same_line(0.0f);
    show_graph("frames per second##fps_plot", in, PART_FPS, half);
    show_label("frame", scale);
    gui_mono("mean %.2f  median %.2f  99%% %.2f  worst %.2f ms", (double)frame.mean,
             (double)frame.median, (double)frame.p99, (double)frame.worst);
    show_label("FPS", scale);
    gui_mono("mean %.1f  median %.1f  1%% %.1f", (double)fps.mean, (double)fps.median,
             (double)fps.p1);
    show_label("CPU", scale);
    gui_mono("pose %.2f  palette %.2f  upload %.2f  interface %.2f  together %.2f ms, median",
             median_of(in, PART_POSE), median_of(in, PART_PALETTE), median_of(in, PART_UPLOAD),
             median_of(in, PART_INTERFACE), median_of(in, PART_CPU));
    if (inout->model != NULL)
    {
        show_driver(inout);
    }
    gui_panel_end();
}

// ---------------------------------------------------------------------------------------------
// Memory

void memory_use_prepare(void)
{
#if defined(__GLIBC__)
    // By itself glibc raises this limit to the largest block that was freed, up to 32 MB, and takes
    // meshes and pictures from the same heap as everything else from then on.
    const int limit = 256 * 1024;
    mallopt(M_MMAP_THRESHOLD, limit);
    mallopt(M_TRIM_THRESHOLD, limit);
#endif
}

void memory_use_trim(void)
{
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

static uint64_t find_resident(void)
{
    unsigned long long pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file != NULL)
    {
        int count = fscanf(file, "%*u %llu", &pages);
        pages = count == 1 ? pages : 0;
        fclose(file);
    }
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint32_t memory_use_gl_objects(void)
{
    const GLuint most = 4096; // drivers give the lowest free name
    uint32_t count = 0;
    for (GLuint name = 1; name <= most; ++name)
    {
        count += glIsBuffer(name) ? 1u : 0u;
        count += glIsVertexArray(name) ? 1u : 0u;
        count += glIsTexture(name) ? 1u : 0u;
        count += glIsRenderbuffer(name) ? 1u : 0u;
        count += glIsFramebuffer(name) ? 1u : 0u;
    }
    return count;
}

memory_use memory_use_now(void)
{
    memory_use out = {.resident = find_resident()};
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 heap = mallinfo2();
    out.heap = heap.uordblks + heap.hblkhd;
#endif
    return out;
}
