// SPDX-License-Identifier: MIT
#include "performance_pane.h"

#include <stdio.h>

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
    double vertices =
        (double)in->model->character->vertex_count * settings_view_count(&in->settings);
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
