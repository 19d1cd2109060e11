// SPDX-License-Identifier: MIT
// The panes of benchmark mode: the crowd, controls, a table and a chart of the results.
#include "panes/panes.h"

#include "crowd/crowd_run.h"
#include "desktop.h"
#include "panes/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Lines over two logarithmic axes, and the marks of their points

/// Marks of series, so that they differ not only in color.
typedef enum chart_mark
{
    CHART_MARK_CIRCLE = 0,
    CHART_MARK_SQUARE,
    CHART_MARK_TRIANGLE,
    CHART_MARK_DIAMOND,
    CHART_MARK_STAR
} chart_mark;

/// A line through points, with marks.
typedef struct chart_series
{
    chart_mark mark;
    pelt_color color;
    const float* points; ///< x and y of each
    uint32_t count;
} chart_series;

static pelt_color theme_rgb(theme_color in)
{
    return (pelt_color){(uint8_t)(255.0f * in.red), (uint8_t)(255.0f * in.green),
                        (uint8_t)(255.0f * in.blue), 255};
}

static void draw_line(float x0, float y0, float x1, float y1, pelt_color color, float width)
{
    const float xy[4] = {x0, y0, x1, y1};
    gui_curve(xy, 2, (gui_pen){color.r, color.g, color.b, color.a, width});
}

static void draw_polygon(float x, float y, float radius, uint32_t corner_count, float first_angle,
                         pelt_color color)
{
    float xy[2 * 16];
    for (uint32_t i = 0; i < corner_count; ++i)
    {
        float angle = first_angle + 2.0f * PELT_PI * (float)i / (float)corner_count;
        xy[2 * i] = x + radius * sinf(angle);
        xy[2 * i + 1] = y - radius * cosf(angle);
    }
    gui_polygon(xy, corner_count, color);
}

static void draw_mark(float x, float y, chart_mark mark, pelt_color color, float scale)
{
    const float r = 3.5f * scale;
    switch (mark)
    {
    case CHART_MARK_CIRCLE:
        draw_polygon(x, y, r, 16, 0.0f, color);
        break;
    case CHART_MARK_SQUARE:
        draw_polygon(x, y, 1.414f * r, 4, 0.25f * PELT_PI, color);
        break;
    case CHART_MARK_TRIANGLE:
        draw_polygon(x, y, 1.4f * r, 3, 0.0f, color);
        break;
    case CHART_MARK_DIAMOND:
        draw_polygon(x, y, 1.4f * r, 4, 0.0f, color);
        break;
    case CHART_MARK_STAR:
        for (int i = 0; i < 3; ++i)
        {
            float dx = 1.3f * r * cosf(PELT_PI / 3.0f * (float)i);
            float dy = 1.3f * r * sinf(PELT_PI / 3.0f * (float)i);
            draw_line(x - dx, y - dy, x + dx, y + dy, color, 1.6f * scale);
        }
        break;
    }
}

// A mark before the text of a row; with a transparent color it only leaves room for one.
static void show_chart_mark(chart_mark mark, pelt_color color, float scale)
{
    float line = gui_line_height();
    gui_rect at = gui_area(NULL, line, line);
    draw_mark(at.x + 0.5f * line, at.y + 0.5f * line, mark, color, scale);
}

// From one power of ten to another, and their positions on the screen.
typedef struct log_axis
{
    int low, high;     // exponents
    float start, size; // pixels
} log_axis;

static float position_on(const log_axis* axis, float exponent)
{
    return axis->start +
           axis->size * (exponent - (float)axis->low) / (float)(axis->high - axis->low);
}

static log_axis make_axis(const chart_series* series, uint32_t count, uint32_t coordinate,
                          float start, float size)
{
    float low = INFINITY, high = 0.0f;
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = 0; k < series[i].count; ++k)
        {
            float value = series[i].points[2 * k + coordinate];
            low = value > 0.0f ? fminf(low, value) : low;
            high = fmaxf(high, value);
        }
    }
    bool is_empty = !(high > 0.0f);
    int first = is_empty ? 0 : (int)floorf(log10f(low) + 1e-4f);
    int last = is_empty ? 3 : (int)ceilf(log10f(high) - 1e-4f);
    return (log_axis){first, last > first ? last : first + 1, start, size};
}

// 100, 1k, 10M
static void write_power(char out[16], int exponent)
{
    static const char units[] = {'\0', 'k', 'M', 'G'};
    int unit = exponent / 3;
    unit = unit < 0 ? 0 : unit > 3 ? 3 : unit;
    snprintf(out, 16, "%g%c", pow(10.0, exponent - 3 * unit), units[unit]);
}

static void draw_axes(const log_axis* x, const log_axis* y, float scale)
{
    const pelt_color grid = theme_rgb(theme.button), text = theme_rgb(theme.muted);
    const float gap = 4.0f * scale;
    char label[16];
    for (int i = x->low; i <= x->high; ++i)
    {
        float at = position_on(x, (float)i);
        write_power(label, i);
        draw_line(at, y->start, at, y->start + y->size, grid, 1.0f);
        gui_label(at - 0.5f * gui_label_width(label), y->start + gap, text, label);
    }
    for (int i = y->low; i <= y->high; ++i)
    {
        float at = position_on(y, (float)i);
        write_power(label, i);
        draw_line(x->start, at, x->start + x->size, at, grid, 1.0f);
        gui_label(x->start - gap - gui_label_width(label), at - 0.5f * gui_line_height(), text,
                  label);
    }
}

// ---------------------------------------------------------------------------------------------

static void draw_series(const chart_series* series, const log_axis* x, const log_axis* y,
                        float scale)
{
    bool has_last = false;
    float last[2] = {0.0f, 0.0f};
    for (uint32_t i = 0; i < series->count; ++i)
    {
        const float* point = series->points + 2 * i;
        if (!(point[0] > 0.0f && point[1] > 0.0f))
        {
            continue;
        }
        float at[2] = {position_on(x, log10f(point[0])), position_on(y, log10f(point[1]))};
        if (has_last)
        {
            draw_line(last[0], last[1], at[0], at[1], series->color, 1.5f * scale);
        }
        draw_mark(at[0], at[1], series->mark, series->color, scale);
        last[0] = at[0];
        last[1] = at[1];
        has_last = true;
    }
}

// Fill the rest of the panel. Points that are not above 0 are left out.
// @param scale  pixels per unit of the layout
static void show_log_chart(const char* name, const chart_series* series, uint32_t count,
                           const char* x_title, const char* y_title, float scale)
{
    const float line = gui_line_height(), left = 44.0f * scale, right = 16.0f * scale;
    float width = fmaxf(gui_width_left(), 2.0f * (left + right));
    float height = fmaxf(gui_height_left(), 6.0f * line);
    gui_rect area = gui_area(name, width, height);
    gui_fill(area, theme_rgb(theme.field));
    float top = area.y + 2.0f * line, foot = area.y + height - 2.5f * line;
    log_axis x = make_axis(series, count, 0, area.x + left, width - left - right);
    log_axis y = make_axis(series, count, 1, foot, top - foot);
    draw_axes(&x, &y, scale);
    for (uint32_t i = 0; i < count; ++i)
    {
        draw_series(&series[i], &x, &y, scale);
    }
    const pelt_color ink = theme_rgb(theme.ink);
    gui_label(area.x + 0.5f * line, area.y + 0.25f * line, ink, y_title);
    gui_label(x.start + x.size - gui_label_width(x_title), area.y + height - 1.25f * line, ink,
              x_title);
}

// ---------------------------------------------------------------------------------------------
// Controls

static void show_crowd_controls(view_app* inout)
{
    view_settings* settings = &inout->settings;
    gui_text("Crowd on show");
    choice_combo("technique##bench_technique", &settings->bench_technique, settings_technique_name,
                 CROWD_TECHNIQUE_COUNT, "The technique that draws the crowd above.");
    gui_slider("instances##bench_instances", &settings->bench_instances,
               &(gui_slider_range){1.0f, BENCHMARK_INSTANCE_MAX, 64.0f, "%.0f", true},
               "Number of members; double click: 64.");
    gui_slider("spacing##bench_spacing", &settings->bench_spacing,
               &(gui_slider_range){0.5f, 4.0f, 1.0f, "x%.2f", false},
               "How far apart; double click: room to rotate.");
    gui_check("update every frame##bench_update", &settings->bench_updates,
              "Every instance moves in every frame; else nothing is computed and uploaded.");
}

// In two columns.
static void show_checks(bool* flags, const char* (*name_of)(int), int count, const char* prefix,
                        const char* const* tips, float scale)
{
    for (int i = 0; i < count; ++i)
    {
        char label[64];
        const char* name = name_of(i);
        snprintf(label, sizeof label, "%s##%s_%s", name, prefix, name);
        if (i % 2 != 0)
        {
            gui_same_line(168.0f * scale);
        }
        gui_check(label, &flags[i], tips[i]);
    }
}

static const char* stage_name(int stage)
{
    return crowd_stage_name((crowd_stage)(1 << stage));
}

static void show_choices(view_app* inout)
{
    static const char* const technique_tips[CROWD_TECHNIQUE_COUNT] = {
        [CROWD_CONTROL] = "No animation: what drawing alone costs.",
        [CROWD_CPU_MATRIX] = "Skeletons and vertices on the CPU, uploaded, one draw per instance.",
        [CROWD_GPU_MATRIX] = "Skeletons on the CPU, one draw per instance, LBS.",
        [CROWD_GPU_DQ] = "The same with dual quaternions, DQS.",
        [CROWD_GPU_CRS] = "The same with centers of rotation, CRS.",
        [CROWD_MATRIX_TEXTURE] = "Matrices from an animation texture, one draw for all.",
        [CROWD_DQ_TEXTURE] = "Dual quaternions from an animation texture.",
        [CROWD_QT_TEXTURE] = "Rotations and positions from an animation texture.",
        [CROWD_VERTEX_TEXTURE] = "Vertices from an animation texture.",
        [CROWD_MATRIX_POSED] = "Matrices, decoded once for each instance before drawing.",
        [CROWD_QT_POSED] = "Rotations and positions, decoded once for each instance.",
        [CROWD_THESIS_MATRIX_TEXTURE] = "Matrices of 8 bits, as the thesis lays them out.",
        [CROWD_THESIS_DQ_TEXTURE] = "Dual quaternions of 8 bits, as the thesis lays them out.",
        [CROWD_THESIS_VERTEX_TEXTURE] = "Vertices of 8 bits, as the thesis lays them out."};
    static const char* const stage_tips[CROWD_STAGE_COUNT] = {
        "Palettes and playbacks stay as they are.",
        "One draw per instance: no pose and no palette is computed.",
        "One draw per instance: all of one mesh, then all of the next.",
        "Textures: joints from one key instead of two.",
        "Textures: header, tables and ranges come from a uniform block.",
        "Textures: joints are decoded, but move nothing.",
        "Textures of the thesis: all joints at one key, then all at the next.",
        "Textures: fewer joints for each vertex, one after the other."};
    view_settings* settings = &inout->settings;
    gui_text("Techniques to test");
    show_checks(settings->bench_tests, settings_technique_name, CROWD_TECHNIQUE_COUNT, "test",
                technique_tips, inout->scale);
    gui_space(4.0f);
    gui_text("A/B tests: frames without ...");
    show_checks(settings->bench_stages, stage_name, CROWD_STAGE_COUNT, "without", stage_tips,
                inout->scale);
}

static void show_progress(view_app* inout)
{
    benchmark* bench = &inout->benchmark;
    char text[48];
    double part = crowd_schedule_progress(&bench->run.schedule);
    snprintf(text, sizeof text, "%.0f %%", 100.0 * part);
    gui_progress((float)part, text, 240.0f * inout->scale);
    if (gui_button("Cancel##bench_cancel", "Stop it; nothing is written."))
    {
        benchmark_cancel(bench);
    }
}

// The output folder: existing results are not overwritten.
static pelt_result start_run(view_app* inout, pelt_error* error)
{
    benchmark* bench = &inout->benchmark;
    char folder[BENCHMARK_PATH_BYTES];
    if (!typed_path_read(folder, sizeof folder, bench->folder) ||
        !benchmark_free_folder(bench->folder, folder))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "there is no free folder for results; name another one");
    }
    return app_start_benchmark(inout, error);
}

static void show_start(view_app* inout)
{
    benchmark* bench = &inout->benchmark;
    pelt_error error = {0};
    if (gui_toggle("Start##bench_start", true,
                   "Measure all techniques with more and more instances, down to 30 FPS.") &&
        start_run(inout, &error) != PELT_OK)
    {
        app_fail(inout, error.message);
    }
    gui_same_line(0.0f);
    switch (bench->state)
    {
    case BENCHMARK_WRITTEN:
        gui_muted("wrote %.24s/crowd.json", bench->folder);
        break;
    case BENCHMARK_CANCELED:
        gui_muted("canceled, nothing written");
        break;
    case BENCHMARK_IDLE:
    case BENCHMARK_RUNNING:
        break;
    }
}

static void show_side(view_app* inout, gui_rect rect)
{
    benchmark* bench = &inout->benchmark;
    gui_panel_begin("benchmark_side", rect, GUI_PANEL_SIDE);
    show_crowd_controls(inout);
    gui_space(8.0f);
    show_choices(inout);
    gui_space(8.0f);
    gui_slider("pace##bench_seconds", &inout->settings.bench_seconds,
               &(gui_slider_range){0.1f, 60.0f, 4.0f, "%.1f s per technique", true},
               "From quick to full: at 60 s samples last as long as in the animation texture "
               "thesis (2021); double click: "
               "4 s.");
    gui_field("results##bench_folder", bench->folder, sizeof bench->folder, "crowd",
              "The folder that JSON, CSV and SVG files are written to at the end; one that has "
              "results gets a number behind its name.");
    if (bench->state == BENCHMARK_RUNNING)
    {
        show_progress(inout);
    }
    else
    {
        show_start(inout);
    }
    gui_panel_end();
}

// ---------------------------------------------------------------------------------------------
// The crowd

// The largest picture of the same shape within.
static gui_rect fit(gui_rect rect, float width, float height)
{
    float scale = fminf(rect.width / width, rect.height / height);
    gui_rect out = {0.0f, 0.0f, floorf(scale * width), floorf(scale * height)};
    out.x = rect.x + floorf(0.5f * (rect.width - out.width));
    out.y = rect.y + floorf(0.5f * (rect.height - out.height));
    return out;
}

// The sample that is being measured against the last that was kept, and when it is kept itself.
static void show_step(const crowd_schedule* in)
{
    const crowd_ladder* ladder = &in->climbs[in->technique].ladder;
    char limits[48];
    snprintf(limits, sizeof limits, "kept from +%.2f to +%.2f ms", 1e3 * ladder->low,
             1e3 * ladder->high);
    double best = INFINITY;
    for (uint32_t i = 0; i < in->sample.frame_count; ++i)
    {
        best = fmin(best, in->sample.seconds[i]);
    }
    if (ladder->kept_count == 0 || !isfinite(best))
    {
        gui_text("first sample; others are %s", limits);
    }
    else
    {
        gui_text("%+.2f ms from the last sample, of %u; %s", 1e3 * (best - ladder->kept_time),
                 ladder->kept_count, limits);
    }
    gui_finish("bench_step", "The fastest frame so far against that of the last sample that was "
                             "kept; a sample within these limits is kept, too.");
}

static void show_foot(const view_app* in, gui_rect rect)
{
    const benchmark* bench = &in->benchmark;
    crowd_draw draw = bench->shown;
    bool has_step =
        bench->state == BENCHMARK_RUNNING && bench->run.schedule.phase == CROWD_CLIMBING;
    if (bench->state == BENCHMARK_RUNNING)
    {
        (void)crowd_schedule_next(&bench->run.schedule, &draw);
    }
    char off[80] = "";
    if (draw.off != 0 || draw.max_influences > 0)
    {
        size_t used = (size_t)snprintf(off, sizeof off, ", without ");
        crowd_trial_write(off + used, sizeof off - used, &(crowd_trial){.draw = draw});
    }
    // Wide enough for any later content: a panel grows a frame later than its text.
    float width = (bench->state == BENCHMARK_RUNNING ? 408.0f : 208.0f) * in->scale;
    float height = (has_step ? 54.0f : 36.0f) * in->scale;
    gui_rect corner = {rect.x + 8.0f * in->scale, rect.y + rect.height - height,
                       fminf(width, rect.width - 16.0f * in->scale), 0.0f};
    gui_panel_begin("benchmark_foot", corner, GUI_PANEL_FLOATING);
    gui_text("%s, %u %s%s", settings_technique_name((int)draw.technique), draw.instance_count,
             draw.instance_count == 1 ? "instance" : "instances", off);
    if (has_step)
    {
        show_step(&bench->run.schedule);
    }
    gui_panel_end();
}

static void show_view(view_app* inout, gui_rect rect)
{
    const benchmark* bench = &inout->benchmark;
    const char* reason = bench->reason[0] != '\0' ? bench->reason : bench->note;
    bool has_picture = inout->model != NULL && bench->target.gl != NULL && reason[0] == '\0';
    gui_rect fitted = rect;
    if (has_picture && bench->state == BENCHMARK_RUNNING)
    {
        fitted = fit(rect, DRAW_WIDTH, DRAW_HEIGHT);
    }
    gui_panel_begin("benchmark_view", fitted, GUI_PANEL_VIEW);
    if (has_picture)
    {
        gui_picture("crowd", bench->target.color, fitted.width, fitted.height);
    }
    else
    {
        gui_space(0.45f * rect.height / inout->scale);
        gui_space(1.0f);
        gui_same_line(24.0f * inout->scale);
        gui_muted("%s", reason[0] != '\0' ? reason : "Loading ...");
    }
    gui_panel_end();
    // Behind it, for a picture of another shape: a panel is below those that were there before.
    gui_panel_begin("benchmark_back", rect, GUI_PANEL_VIEW);
    gui_panel_end();
    if (has_picture)
    {
        show_foot(inout, rect);
    }
}

// ---------------------------------------------------------------------------------------------
// Results

static pelt_color color_of(crowd_technique technique)
{
    return pelt_series_color(crowd_technique_style(technique).color);
}

// The mark of a technique in the chart, before a row about it.
static void show_mark(crowd_technique technique, float scale)
{
    show_chart_mark((chart_mark)crowd_technique_style(technique).mark, color_of(technique), scale);
    gui_same_line(0.0f);
}

// The head of a table, over rows with marks.
static void show_head(const char* text, float scale)
{
    show_chart_mark(CHART_MARK_CIRCLE, (pelt_color){0}, scale);
    gui_same_line(0.0f);
    gui_mono("%s", text);
}

static void show_row(const crowd_schedule* in, crowd_technique technique, float scale)
{
    const crowd_curve* curve = &in->curves[technique];
    const crowd_climb* climb = &in->climbs[technique];
    benchmark_row row = {.technique = settings_technique_name((int)technique),
                         .is_measured = curve->point_count > 0,
                         .part = 1.0};
    if (row.is_measured)
    {
        const crowd_point* last = &curve->points[curve->point_count - 1];
        row.instance_count = last->instance_count;
        row.frame_ms = 1e3 * last->best;
        row.rating = curve->rating.mean;
        memcpy(row.breakpoints, curve->breakpoints, sizeof row.breakpoints);
    }
    if (!climb->is_done)
    {
        double part = climb->ladder.stop > 0.0 ? climb->ladder.kept_time / climb->ladder.stop : 0.0;
        row.part = fmin(part, 0.99);
    }
    char text[BENCHMARK_ROW_BYTES];
    benchmark_rows_write(text, &row);
    show_mark(technique, scale);
    gui_mono("%s", text);
}

static void show_trials(const crowd_schedule* in, float scale)
{
    bool has_head = false;
    for (uint32_t i = 0; i < in->trial_count; ++i)
    {
        const crowd_trial* trial = &in->trials[i];
        double whole = in->trials[trial->whole].point.rating;
        char off[64], text[BENCHMARK_ROW_BYTES];
        if (trial->point.frame_count == 0)
        {
            continue;
        }
        if (!has_head)
        {
            gui_space(4.0f);
            benchmark_rows_trial_head(text);
            show_head(text, scale);
            has_head = true;
        }
        crowd_trial_write(off, sizeof off, trial);
        show_mark(trial->draw.technique, scale);
        benchmark_rows_trial(text, settings_technique_name((int)trial->draw.technique), off,
                             trial->point.rating, trial->point.rating / whole);
        gui_mono("%s", text);
    }
}

static void show_table(const view_app* in, gui_rect rect)
{
    const crowd_schedule* schedule = benchmark_schedule(&in->benchmark);
    gui_panel_begin("benchmark_table", rect, GUI_PANEL_SIDE);
    char head[BENCHMARK_ROW_BYTES];
    benchmark_rows_head(head);
    show_head(head, in->scale);
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        if (schedule->curves[i].is_measured)
        {
            show_row(schedule, (crowd_technique)i, in->scale);
        }
    }
    if (in->benchmark.state == BENCHMARK_IDLE)
    {
        gui_muted("Start measures the techniques that are checked.");
    }
    show_trials(schedule, in->scale);
    gui_panel_end();
}

static void show_chart(const view_app* in, gui_rect rect)
{
    const crowd_schedule* schedule = benchmark_schedule(&in->benchmark);
    static float points[CROWD_TECHNIQUE_COUNT][2 * CROWD_POINT_MAX];
    chart_series series[CROWD_TECHNIQUE_COUNT];
    uint32_t count = 0;
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        const crowd_curve* curve = &schedule->curves[i];
        for (uint32_t k = 0; k < curve->point_count; ++k)
        {
            points[i][2 * k] = (float)curve->points[k].instance_count;
            points[i][2 * k + 1] = (float)curve->points[k].rating;
        }
        if (curve->point_count > 0)
        {
            series[count++] =
                (chart_series){(chart_mark)crowd_technique_style((crowd_technique)i).mark,
                               color_of((crowd_technique)i), points[i], curve->point_count};
        }
    }
    gui_panel_begin("benchmark_chart", rect, GUI_PANEL_BAR);
    show_log_chart("rating_chart", series, count, "instances", "rating: FPS x instances",
                   in->scale);
    gui_panel_end();
}

// ---------------------------------------------------------------------------------------------

void benchmark_pane_show(view_app* inout, gui_rect view, gui_rect side, gui_rect results)
{
    float width = fminf(584.0f * inout->scale, floorf(0.65f * results.width));
    gui_rect table = results, chart = results;
    table.width = width;
    chart.x = results.x + width;
    chart.width = results.width - width;
    show_view(inout, view);
    show_table(inout, table);
    show_chart(inout, chart);
    if (side.width > 0.0f)
    {
        show_side(inout, side);
    }
}
