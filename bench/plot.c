// SPDX-License-Identifier: MIT
// Plots as SVG.
#include "plot.h"

#include "pelt/io.h"
#include "svg.h"
#include "text_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// In units of the picture, which is WIDTH x HEIGHT.
enum
{
    WIDTH = 960,
    HEIGHT = 560,
    LEFT = 84,
    RIGHT = 700,
    TOP = 62,
    BOTTOM = 492,
    LEGEND = 722,
    LEGEND_STEP = 26,
};

/// Values, or their decimal logarithms, at both ends of an axis, and their coordinates in the
/// picture.
typedef struct axis
{
    double first, last;
    double begin, end;
    bool is_linear;
} axis;

plot_series* plot_series_add(plot* out, const char* label, plot_mark mark, plot_color color)
{
    PELT_ASSERT(out->series_count < PLOT_SERIES_MAX);
    plot_series* series = &out->series[out->series_count++];
    *series =
        (plot_series){.label = label, .mark = mark, .color = color, .is_linear = out->is_linear};
    return series;
}

void plot_point_add(plot_series* series, plot_point point)
{
    PELT_ASSERT(series->point_count < PLOT_POINT_MAX);
    bool is_inside =
        series->is_linear ? point.x >= 0.0 && point.y >= 0.0 : point.x > 0.0 && point.y > 0.0;
    if (isfinite(point.x) && isfinite(point.y) && is_inside)
    {
        series->points[series->point_count++] = point;
    }
}

// ---------------------------------------------------------------------------------------------
// Axes

static void axis_cover(axis* out, double value)
{
    if (out->is_linear)
    {
        out->first = 0.0;
        out->last = fmax(out->last, 1.05 * value);
        return;
    }
    // Space for marks, and for the grid line of a power of ten at the end.
    const double margin = 0.15;
    out->first = fmin(out->first, log10(value) - margin);
    out->last = fmax(out->last, log10(value) + margin);
}

static void find_axes(axis* x, axis* y, const plot* in)
{
    *x = (axis){(double)INFINITY, -(double)INFINITY, LEFT, RIGHT, in->is_linear};
    *y = (axis){(double)INFINITY, -(double)INFINITY, BOTTOM, TOP, in->is_linear};
    uint32_t point_count = 0;
    for (uint32_t i = 0; i < in->series_count; ++i)
    {
        point_count += in->series[i].point_count;
        for (uint32_t k = 0; k < in->series[i].point_count; ++k)
        {
            axis_cover(x, in->series[i].points[k].x);
            axis_cover(y, in->series[i].points[k].y);
        }
    }
    if (point_count == 0 || !(x->last > x->first))
    {
        axis_cover(x, 1.0);
    }
    if (point_count == 0 || !(y->last > y->first))
    {
        axis_cover(y, 1.0);
    }
}

static double coordinate(const axis* a, double value)
{
    double at = a->is_linear ? value : log10(value);
    double part = (at - a->first) / (a->last - a->first);
    return a->begin + part * (a->end - a->begin);
}

// ---------------------------------------------------------------------------------------------
// SVG

// "0.005", "1", "200 000": a digit times a power of ten, with thin spaces between thousands.
static void format_tick(char* out, size_t size, int digit, int power)
{
    if (power < 0)
    {
        snprintf(out, size, "%.*f", -power, digit * pow(10.0, power));
        return;
    }
    size_t used = (size_t)snprintf(out, size, "%d", digit);
    for (int left = power; left > 0 && used < size; --left)
    {
        const char* gap = left % 3 == 0 ? "\xe2\x80\x89" : "";
        used += (size_t)snprintf(out + used, size - used, "%s0", gap);
    }
}

// A grid line, if the value is on the axis.
static bool put_tick(FILE* out, const axis* a, double value, bool is_x, const char* color)
{
    double at = coordinate(a, value), scaled = a->is_linear ? value : log10(value);
    if (scaled < a->first || scaled > a->last)
    {
        return false;
    }
    const double from[2] = {is_x ? at : LEFT, is_x ? TOP : at};
    const double to[2] = {is_x ? at : RIGHT, is_x ? BOTTOM : at};
    svg_line(out, from, to, color);
    return true;
}

static void put_tick_label(FILE* out, double at, bool is_x, const char* text)
{
    svg_text style = {is_x ? at : LEFT - 10, is_x ? BOTTOM + 22 : at + 4.5, is_x ? "middle" : "end",
                      13, SVG_FAINT};
    svg_label(out, style, text);
}

// Up to 6 intervals of 1, 2 or 5 times a power of ten.
static void put_linear_axis(FILE* out, const axis* a, bool is_x)
{
    double step = pow(10.0, floor(log10(a->last)) - 1.0);
    for (int i = 0; a->last / step > 6.0; ++i)
    {
        step *= i % 3 == 1 ? 2.5 : 2.0;
    }
    for (int i = 0; i * step <= a->last; ++i)
    {
        char text[32];
        snprintf(text, sizeof text, "%.6g", i * step);
        (void)put_tick(out, a, i * step, is_x, "#cfcfc8");
        put_tick_label(out, coordinate(a, i * step), is_x, text);
    }
}

static void put_axis(FILE* out, const axis* a, bool is_x)
{
    if (a->is_linear)
    {
        put_linear_axis(out, a, is_x);
        return;
    }
    // An axis with few powers of ten has labels between them.
    bool is_short = a->last - a->first < 3.0;
    for (int power = (int)floor(a->first); power <= (int)floor(a->last); ++power)
    {
        for (int digit = 1; digit < 10; ++digit)
        {
            double value = digit * pow(10.0, power), at = coordinate(a, value);
            bool is_labeled = digit == 1 || (is_short && !is_x && (digit == 2 || digit == 5));
            bool is_there = put_tick(out, a, value, is_x, digit == 1 ? "#cfcfc8" : "#efefeb");
            if (is_there && is_labeled)
            {
                char text[96];
                format_tick(text, sizeof text, digit, power);
                put_tick_label(out, at, is_x, text);
            }
        }
    }
}

// Marks of about the same area, centered at (x, y).
static void put_mark(FILE* out, const plot_series* series, double x, double y, bool is_hollow)
{
    static const char* const paths[PLOT_MARK_COUNT] = {
        "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1 -5 0Z",
        "M-4.5 -4.5H4.5V4.5H-4.5Z",
        "M0 -6L5.6 4.4H-5.6Z",
        "M0 -6.5L6 0L0 6.5L-6 0Z",
        "M0 -7L1.8 -2.2L6.8 -2.2L2.8 0.9L4.3 5.8L0 2.9L-4.3 5.8L-2.8 0.9L-6.8 -2.2L-1.8 -2.2Z",
    };
    svg_color color = svg_series_color(series->color);
    fprintf(out,
            "<path d=\"%s\" transform=\"translate(%.1f %.1f)\" fill=\"%s\" stroke=\"%s\" "
            "stroke-width=\"1.6\"/>\n",
            paths[series->mark], x, y, is_hollow ? SVG_PAPER : color.text, color.text);
}

static void put_point_label(FILE* out, const plot_point* point, double x, double y,
                            const char* color)
{
    static const char* const anchors[] = {"start", "end", "middle"};
    static const double offsets[][2] = {{11, 4}, {-11, 4}, {0, -11}};
    svg_text style = {x + offsets[point->anchor][0], y + offsets[point->anchor][1],
                      anchors[point->anchor], 12, color};
    svg_label(out, style, point->label);
}

static void put_curve(FILE* out, const plot_series* series, const axis* x, const axis* y)
{
    fputs("<path d=\"", out);
    for (uint32_t i = 0; i < series->point_count; ++i)
    {
        fprintf(out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', coordinate(x, series->points[i].x),
                coordinate(y, series->points[i].y));
    }
    fprintf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.2\"/>\n",
            svg_series_color(series->color).text);
}

static void put_series(FILE* out, const plot_series* series, const axis* x, const axis* y)
{
    if (series->is_line && series->point_count > 1)
    {
        put_curve(out, series, x, y);
    }
    for (uint32_t i = 0; i < series->point_count; ++i)
    {
        const plot_point* point = &series->points[i];
        double px = coordinate(x, point->x), py = coordinate(y, point->y);
        put_mark(out, series, px, py, point->is_hollow);
        if (point->label != NULL)
        {
            put_point_label(out, point, px, py, svg_series_color(series->color).text);
        }
    }
}

static void put_legend(FILE* out, const plot* in)
{
    double y = TOP + 10;
    for (uint32_t i = 0; i < in->series_count; ++i)
    {
        const plot_series* series = &in->series[i];
        if (series->label != NULL && series->point_count > 0)
        {
            if (series->is_line)
            {
                fprintf(out, "<path d=\"M%d %.1fh28\" stroke=\"%s\" stroke-width=\"2.2\"/>\n",
                        LEGEND, y, svg_series_color(series->color).text);
            }
            put_mark(out, series, LEGEND + 14, y, false);
            svg_label(out, (svg_text){LEGEND + 38, y + 4.5, "start", 13, SVG_INK}, series->label);
            y += LEGEND_STEP;
        }
    }
    y += LEGEND_STEP / 2;
    for (int i = 0; i < 3 && in->notes[i] != NULL; ++i)
    {
        svg_label(out, (svg_text){LEGEND, y, "start", 12, SVG_FAINT}, in->notes[i]);
        y += 18;
    }
}

static void put_titles(FILE* out, const plot* in)
{
    svg_label(out, (svg_text){LEFT, 36, "start", 18, SVG_INK}, in->title);
    svg_label(out, (svg_text){(LEFT + RIGHT) / 2, BOTTOM + 50, "middle", 14, SVG_INK}, in->x_title);
    fprintf(out, "<g transform=\"translate(24 %d) rotate(-90)\">\n", (TOP + BOTTOM) / 2);
    svg_label(out, (svg_text){0, 0, "middle", 14, SVG_INK}, in->y_title);
    fputs("</g>\n", out);
}

void plot_draw(FILE* out, const plot* in)
{
    axis x, y;
    find_axes(&x, &y, in);
    svg_begin(out, WIDTH, HEIGHT, in->title);
    put_axis(out, &x, true);
    put_axis(out, &y, false);
    put_titles(out, in);
    for (uint32_t i = 0; i < in->series_count; ++i)
    {
        put_series(out, &in->series[i], &x, &y);
    }
    put_legend(out, in);
    svg_end(out);
}

pelt_result plot_save(const char* path, const plot* in, pelt_error* error)
{
    text_stream out;
    if (!text_stream_open(&out))
    {
        return pelt_error_memory(error);
    }
    plot_draw(out.stream, in);
    pelt_result result = text_stream_close(&out) ? pelt_save_bytes(path, out.text, out.size, error)
                                                 : pelt_error_memory(error);
    text_stream_free(&out);
    return result;
}
