// SPDX-License-Identifier: MIT
// Panels share the axis of errors, so that clips can be compared; each has its own time.
#include "bake_error_plot.h"

#include "svg.h"
#include "terminal.h"

#include <math.h>

enum
{
    CURVE_COLOR = 0, // of pelt_series_color()
    BUDGET_COLOR = 1,
};

// In units of the picture.
enum
{
    WIDTH = 960,
    LEFT = 70, // of the first column of panels
    RIGHT = 930,
    TOP = 64,
    GAP_X = 34,
    GAP_Y = 62, // labels below, the name of the next panel above
    FOOT = 62,
    HEIGHT_ONE = 340, // of a panel that is alone
    HEIGHT_MANY = 130,
    NAME_LETTERS = 26, // next to the largest error, above a panel
};

typedef struct error_plot
{
    const bake_job* job;
    FILE* out;
    uint32_t columns, rows;
    double panel_width, panel_height;
    double top_error; // mm at the upper edge of panels
    double budget;    // mm; 0: none
} error_plot;

// The panel of a clip, and the time at its right edge.
typedef struct panel
{
    const error_plot* plot;
    double x, y; // lower left corner
    double duration;
} panel;

// A step of 1, 2 or 5 times a power of ten that divides a length into about `count` parts.
static double nice_step(double length, double count)
{
    double raw = length / count, power = pow(10.0, floor(log10(raw)));
    double factor = raw / power;
    return power * (factor <= 1.0 ? 1.0 : factor <= 2.0 ? 2.0 : factor <= 5.0 ? 5.0 : 10.0);
}

static double x_of_time(const panel* in, double time)
{
    return in->x + in->plot->panel_width * (in->duration > 0.0 ? time / in->duration : 0.0);
}

static double y_of_error(const panel* in, double millimeters)
{
    return in->y - in->plot->panel_height * millimeters / in->plot->top_error;
}

// A short printable name: names in files may be any bytes.
static void clean_name(char* out, size_t size, const char* name)
{
    snprintf(out, size, "%.*s", (int)size - 1, name != NULL && name[0] != '\0' ? name : "unnamed");
    terminal_text_clean(out);
}

// ---------------------------------------------------------------------------------------------
// Parts of a panel

static void put_grid(const panel* in, bool has_labels)
{
    FILE* out = in->plot->out;
    char text[48];
    double right = in->x + in->plot->panel_width, top = in->y - in->plot->panel_height;
    double step = nice_step(in->plot->top_error, in->plot->rows == 1 ? 6.0 : 3.0);
    for (int i = 0; i * step <= in->plot->top_error * 1.0001; ++i)
    {
        double at = y_of_error(in, i * step);
        svg_line(out, (double[2]){in->x, at}, (double[2]){right, at},
                 i == 0 ? "#b0b0a8" : "#e4e4de");
        snprintf(text, sizeof text, "%.6g", i * step);
        if (has_labels)
        {
            svg_label(out, (svg_text){in->x - 8, at + 4, "end", 12, SVG_FAINT}, text);
        }
    }
    double seconds =
        in->duration > 0.0 ? nice_step(in->duration, in->plot->columns == 1 ? 9 : 4) : 0.0;
    for (int i = 0; seconds > 0.0 && i * seconds <= in->duration * 1.0001; ++i)
    {
        double at = x_of_time(in, i * seconds);
        svg_line(out, (double[2]){at, top}, (double[2]){at, in->y}, "#efefeb");
        snprintf(text, sizeof text, "%.6g", i * seconds);
        svg_label(out, (svg_text){at, in->y + 17, "middle", 12, SVG_FAINT}, text);
    }
}

// The largest error of each column of pixels: a long clip has many more times.
static void put_curve(const panel* in, const pelt_bake_clip_report* clip)
{
    FILE* out = in->plot->out;
    fprintf(out, "<path d=\"");
    for (uint32_t i = 0; i < clip->time_count;)
    {
        double x = x_of_time(in, (double)clip->times[i]), most = 0.0;
        uint32_t first = i;
        for (; i < clip->time_count && x_of_time(in, (double)clip->times[i]) < x + 1.0; ++i)
        {
            most = fmax(most, (double)clip->errors[i]);
        }
        fprintf(out, "%c%.1f %.1f", first == 0 ? 'M' : 'L', x, y_of_error(in, 1e3 * most));
    }
    fprintf(out,
            "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>\n",
            svg_series_color(CURVE_COLOR).text);
    const pelt_bake_error* error = &clip->error;
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n",
            x_of_time(in, (double)error->worst_time), y_of_error(in, 1e3 * error->max),
            svg_series_color(CURVE_COLOR).text);
}

static void put_budget(const panel* in)
{
    FILE* out = in->plot->out;
    double y = y_of_error(in, in->plot->budget), right = in->x + in->plot->panel_width;
    char text[64];
    fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-dasharray=\"6 4\"/>\n",
            in->x, y, right, y, svg_series_color(BUDGET_COLOR).text);
    bool is_at_samples = in->plot->job->bake.scope == PELT_BAKE_AT_SAMPLES;
    snprintf(text, sizeof text, "budget %.3g mm%s", in->plot->budget,
             is_at_samples ? " at samples" : "");
    svg_label(out, (svg_text){right, y - 5, "end", 12, svg_series_color(BUDGET_COLOR).text}, text);
}

static void put_panel(const error_plot* plot, uint32_t index)
{
    const pelt_baked* baked = plot->job->baked;
    const pelt_bake_clip_report* clip = &plot->job->report.clips[index];
    char name[128], largest[32];
    uint32_t column = index % plot->columns, row = index / plot->columns;
    const panel at = {.plot = plot,
                      .x = LEFT + column * (plot->panel_width + GAP_X),
                      .y = TOP + 28 + plot->panel_height + row * (plot->panel_height + GAP_Y),
                      .duration = (double)baked->clips[index].duration};
    clean_name(name, sizeof name, baked->clips[index].name);
    terminal_text_cut(name, NAME_LETTERS);
    snprintf(largest, sizeof largest, "%.3g mm", 1e3 * clip->error.max);
    put_grid(&at, column == 0);
    put_curve(&at, clip);
    if (plot->budget > 0.0)
    {
        put_budget(&at);
    }
    double top = at.y - plot->panel_height - 10, right = at.x + plot->panel_width;
    svg_label(plot->out, (svg_text){at.x, top, "start", 13, SVG_INK}, name);
    svg_label(plot->out, (svg_text){right, top, "end", 13, SVG_INK}, largest);
}

// ---------------------------------------------------------------------------------------------

static void put_titles(const error_plot* plot, int height)
{
    const bake_job* job = plot->job;
    char name[80], title[240];
    clean_name(name, sizeof name, job->name);
    snprintf(title, sizeof title,
             "%s: distance of the worst vertex from its position, encoding %s, %zu bytes", name,
             pelt_encoding_name(job->baked->encoding), pelt_baked_bytes(job->baked));
    svg_label(plot->out, (svg_text){LEFT, 36, "start", 18, SVG_INK}, title);
    svg_label(plot->out, (svg_text){(LEFT + RIGHT) / 2, height - 16, "middle", 14, SVG_INK},
              "seconds");
    fprintf(plot->out, "<g transform=\"translate(20 %d) rotate(-90)\">\n",
            (TOP + 28 + height - FOOT) / 2);
    svg_label(plot->out, (svg_text){0, 0, "middle", 14, SVG_INK}, "millimeters");
    fputs("</g>\n", plot->out);
}

static void put_plot(error_plot* plot)
{
    uint32_t count = plot->job->report.clip_count;
    double width = RIGHT - LEFT;
    plot->columns = count == 1 ? 1 : count <= 4 ? 2 : 3;
    plot->rows = (count + plot->columns - 1) / plot->columns;
    plot->panel_width = (width - (plot->columns - 1) * GAP_X) / plot->columns;
    plot->panel_height = plot->rows == 1 ? HEIGHT_ONE : HEIGHT_MANY;
    double most = fmax(1e3 * plot->job->report.error.max, plot->budget);
    plot->top_error = most > 0.0 ? 1.12 * most : 1.0;
    int height = (int)(TOP + 28 + plot->rows * (plot->panel_height + GAP_Y) - GAP_Y + FOOT);
    svg_begin(plot->out, WIDTH, height, "Error of a bake over time");
    for (uint32_t i = 0; i < count; ++i)
    {
        put_panel(plot, i);
    }
    put_titles(plot, height);
    svg_end(plot->out);
}

int bake_error_plot_draw(text_stream* out, const bake_job* in)
{
    if (!text_stream_open(out))
    {
        return message_memory();
    }
    double height = in->bake.is_relative ? (double)in->baked->height_meters : 1.0;
    error_plot plot = {.job = in, .out = out->stream, .budget = 1e3 * in->bake.max_error * height};
    put_plot(&plot);
    if (!text_stream_close(out))
    {
        text_stream_free(out);
        return message_memory();
    }
    return EXIT_DONE;
}
