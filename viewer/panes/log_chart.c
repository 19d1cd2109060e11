// SPDX-License-Identifier: MIT
#include "log_chart.h"

#include "gui.h"
#include "pelt/pelt.h"
#include "theme.h"

#include <math.h>
#include <stdio.h>

static pelt_color color_of(theme_color in)
{
    return (pelt_color){(uint8_t)(255.0f * in.red), (uint8_t)(255.0f * in.green),
                        (uint8_t)(255.0f * in.blue), 255};
}

static void draw_line(float x0, float y0, float x1, float y1, pelt_color color, float width)
{
    const float xy[4] = {x0, y0, x1, y1};
    gui_curve(xy, 2, (gui_pen){color.r, color.g, color.b, color.a, width});
}

// ---------------------------------------------------------------------------------------------
// Marks

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

void log_chart_show_mark(chart_mark mark, pelt_color color, float scale)
{
    float line = gui_line_height();
    gui_rect at = gui_area(NULL, line, line);
    draw_mark(at.x + 0.5f * line, at.y + 0.5f * line, mark, color, scale);
}

// ---------------------------------------------------------------------------------------------
// Axes

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
    const pelt_color grid = color_of(theme.button), text = color_of(theme.muted);
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

void log_chart_show(const char* name, const chart_series* series, uint32_t count,
                    const char* x_title, const char* y_title, float scale)
{
    const float line = gui_line_height(), left = 44.0f * scale, right = 16.0f * scale;
    float width = fmaxf(gui_width_left(), 2.0f * (left + right));
    float height = fmaxf(gui_height_left(), 6.0f * line);
    gui_rect area = gui_area(name, width, height);
    gui_fill(area, color_of(theme.field));
    float top = area.y + 2.0f * line, foot = area.y + height - 2.5f * line;
    log_axis x = make_axis(series, count, 0, area.x + left, width - left - right);
    log_axis y = make_axis(series, count, 1, foot, top - foot);
    draw_axes(&x, &y, scale);
    for (uint32_t i = 0; i < count; ++i)
    {
        draw_series(&series[i], &x, &y, scale);
    }
    const pelt_color ink = color_of(theme.ink);
    gui_label(area.x + 0.5f * line, area.y + 0.25f * line, ink, y_title);
    gui_label(x.start + x.size - gui_label_width(x_title), area.y + height - 1.25f * line, ink,
              x_title);
}
