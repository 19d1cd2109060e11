// SPDX-License-Identifier: MIT
#include "line_plot.h"

#include "html.h"

#include <math.h>
#include <stdbool.h>

// In units of the picture, which is WIDTH x HEIGHT.
enum
{
    WIDTH = 420,
    HEIGHT = 220,
    LEFT = 44,
    RIGHT = 356,
    TOP = 30,
    BOTTOM = 186,
    LABEL_STEP = 13, // between names at the ends of lines
};

typedef struct range
{
    double low, high, step;
} range;

// A step of 1, 2 or 5 times a power of ten that divides a range into at most that many parts.
static double line_plot_step(double width, int most)
{
    double step = pow(10.0, floor(log10(width / most)));
    double part = width / step / most;
    return step * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0);
}

// From tick to tick around all values and 0.
static range find_range(const line_plot* in)
{
    double low = 0.0, high = 0.0;
    for (uint32_t i = 0; i < in->series_count; ++i)
    {
        for (uint32_t k = 0; k < in->point_count; ++k)
        {
            double value = in->series[i].values[k];
            low = isfinite(value) ? fmin(low, value) : low;
            high = isfinite(value) ? fmax(high, value) : high;
        }
    }
    // Rounding alone is not a curve.
    high = high - low > 1e-3 ? high : low + 1.0;
    double step = line_plot_step(high - low, 4);
    return (range){step * floor(low / step), step * ceil(high / step), step};
}

static double plot_x(const line_plot* in, double x)
{
    return LEFT + (RIGHT - LEFT) * x / in->x_end;
}

static double plot_y(const range* y, double value)
{
    double inside = fmin(fmax(value, y->low), y->high);
    return BOTTOM - (BOTTOM - TOP) * (inside - y->low) / (y->high - y->low);
}

static void draw_number(FILE* out, double x, double y, const char* anchor, double value,
                        double step)
{
    int digits = step < 1.0 ? (int)ceil(-log10(step) - 1e-9) : 0;
    value = fabs(value) < 1e-6 * step ? 0.0 : value;
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%.*f</text>", x, y, anchor, digits,
            value);
}

static void draw_axes(FILE* out, const line_plot* in, const range* y)
{
    for (int i = 0; y->low + i * y->step <= y->high + 1e-6 * y->step; ++i)
    {
        double value = y->low + i * y->step, at = plot_y(y, value);
        bool is_zero = fabs(value) < 1e-6 * y->step;
        fprintf(out, "<path class=\"%s\" d=\"M%d %.1fH%d\"/>", is_zero ? "zero" : "grid", LEFT, at,
                RIGHT);
        draw_number(out, LEFT - 6, at + 4, "end", value, y->step);
    }
    double step = line_plot_step(in->x_end, 5);
    for (int i = 0; i * step <= in->x_end * (1.0 + 1e-6); ++i)
    {
        draw_number(out, plot_x(in, i * step), BOTTOM + 16, "middle", i * step, step);
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + RIGHT) / 2, HEIGHT - 4);
    html_text(out, in->x_unit);
    fprintf(out, "</text><text class=\"title\" x=\"%d\" y=\"16\">", 0);
    html_text(out, in->title);
    fputs("</text>", out);
}

static void draw_line(FILE* out, const line_plot* in, const range* y, const line_series* line)
{
    fprintf(out, "<path class=\"line %s\" d=\"", line->style);
    for (uint32_t k = 0; k < in->point_count; ++k)
    {
        double x = in->x_end * k / (in->point_count - 1);
        double value = isfinite(line->values[k]) ? line->values[k] : y->high;
        fprintf(out, "%c%.1f %.1f", k == 0 ? 'M' : 'L', plot_x(in, x), plot_y(y, value));
    }
    fputs("\"/>", out);
}

// Names next to the ends of their lines, pushed apart where these meet.
static void draw_names(FILE* out, const line_plot* in, const range* y)
{
    uint32_t order[LINE_PLOT_MAX];
    double ends[LINE_PLOT_MAX];
    for (uint32_t i = 0; i < in->series_count; ++i)
    {
        double end = in->series[i].values[in->point_count - 1];
        uint32_t slot = i;
        ends[i] = plot_y(y, isfinite(end) ? end : y->high);
        for (; slot > 0 && ends[order[slot - 1]] > ends[i]; --slot)
        {
            order[slot] = order[slot - 1];
        }
        order[slot] = i;
    }
    double next = TOP - LABEL_STEP;
    for (uint32_t i = 0; i < in->series_count; ++i)
    {
        double room = (double)(in->series_count - i - 1) * LABEL_STEP;
        double at = fmin(ends[order[i]], BOTTOM - room);
        next = fmax(next + LABEL_STEP, at);
        const line_series* line = &in->series[order[i]];
        fprintf(out,
                "<path class=\"lead %s\" d=\"M%d %.1fL%d %.1f\"/><text class=\"name\" x=\"%d\" "
                "y=\"%.1f\">",
                line->style, RIGHT, ends[order[i]], RIGHT + 12, next, RIGHT + 15, next + 4);
        html_text(out, line->name);
        fputs("</text>", out);
    }
}

void line_plot_draw(FILE* out, const line_plot* in)
{
    range y = find_range(in);
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
    html_text(out, in->title);
    fputs("\">", out);
    draw_axes(out, in, &y);
    // From the last to the first, so that the first is on top.
    for (uint32_t i = in->series_count; i-- > 0;)
    {
        draw_line(out, in, &y, &in->series[i]);
    }
    draw_names(out, in, &y);
    fputs("</svg>\n", out);
}
