// SPDX-License-Identifier: MIT
// Compositions of pictures in rows and columns, with labels, and legends of colors.
#include "picture.h"

#include <stdio.h>
#include <string.h>

static pelt_color or_else(pelt_color color, pelt_color otherwise)
{
    bool is_unset = color.r == 0 && color.g == 0 && color.b == 0 && color.a == 0;
    return is_unset ? otherwise : color;
}

static const pelt_color white = {255, 255, 255, 255};
static const pelt_color dark = {38, 40, 44, 255};

// All sizes of a composition, in pixels.
typedef struct layout
{
    uint32_t columns, rows, gap;
    uint32_t title, label, legend; // heights, with the space below
    uint32_t panel_width, panel_height;
    uint64_t width, height;
} layout;

static layout plan(const pelt_panel* panels, uint32_t count, const pelt_panel_options* options)
{
    uint32_t line = pelt_text_height(options->size);
    layout l = {.columns =
                    options->columns != 0 && options->columns < count ? options->columns : count};
    l.rows = (count + l.columns - 1) / l.columns;
    l.gap = options->gap != 0 ? options->gap : line / 2;
    l.title = options->title != NULL ? pelt_text_height(1.5f * (float)line) + l.gap : 0;
    l.legend = options->legend != NULL ? pelt_legend_height(options->legend) + l.gap : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        l.label = panels[i].label != NULL ? line + line / 4 : l.label;
    }
    l.panel_width = panels[0].picture->width;
    l.panel_height = panels[0].picture->height;
    l.width = l.gap + l.columns * ((uint64_t)l.panel_width + l.gap);
    l.height = l.gap + l.title + l.rows * ((uint64_t)l.label + l.panel_height + l.gap) + l.legend;
    return l;
}

// A label that does not fit is cut before a character and ends in "...".
static void draw_label(pelt_picture* picture, int32_t x, int32_t y, uint32_t room,
                       const char* label, const pelt_text_style* style)
{
    char text[256];
    size_t length = strlen(label) < sizeof text - 4 ? strlen(label) : sizeof text - 4;
    memcpy(text, label, length);
    text[length] = '\0';
    while (length > 0 && pelt_text_width(text, style->size) > room)
    {
        --length;
        while (length > 0 && ((uint8_t)text[length] & 0xC0u) == 0x80)
        {
            --length;
        }
        strcpy(text + length, "...");
    }
    if (pelt_text_width(text, style->size) <= room)
    {
        pelt_text_draw(picture, x, y, text, style);
    }
}

static void draw_panels(pelt_picture* out, const pelt_panel* panels, uint32_t count,
                        const layout* l, const pelt_text_style* style)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t column = i % l->columns, row = i / l->columns;
        int32_t x = (int32_t)(l->gap + column * (l->panel_width + l->gap));
        int32_t y = (int32_t)(l->gap + l->title + row * (l->label + l->panel_height + l->gap));
        if (panels[i].label != NULL)
        {
            draw_label(out, x, y, l->panel_width, panels[i].label, style);
        }
        pelt_picture_blend(out, x, y + (int32_t)l->label, panels[i].picture);
    }
}

static void draw_frame(pelt_picture* out, const layout* l, const pelt_panel_options* options,
                       const pelt_text_style* style)
{
    uint32_t room = out->width - 2 * l->gap;
    if (options->title != NULL)
    {
        pelt_text_style large = *style;
        large.size = 1.5f * (float)pelt_text_height(style->size);
        draw_label(out, (int32_t)l->gap, (int32_t)l->gap, room, options->title, &large);
    }
    if (options->legend != NULL)
    {
        pelt_rect rect = {(int32_t)l->gap, (int32_t)(out->height - l->legend), room, l->legend};
        pelt_legend_draw(out, rect, options->legend);
    }
}

pelt_result pelt_panels_compose(pelt_picture* out, const pelt_panel* panels, uint32_t count,
                                const pelt_panel_options* options, pelt_error* error)
{
    PELT_ASSERT(out != NULL && panels != NULL && count > 0);
    *out = (pelt_picture){0};

    const pelt_panel_options defaults = {0};
    options = options != NULL ? options : &defaults;
    for (uint32_t i = 1; i < count; ++i)
    {
        const pelt_picture *first = panels[0].picture, *other = panels[i].picture;
        if (other->width != first->width || other->height != first->height)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                  "panels need one size: picture %u has %u x %u pixels, the first "
                                  "%u x %u",
                                  i, other->width, other->height, first->width, first->height);
        }
    }
    layout l = plan(panels, count, options);
    uint32_t width = l.width < UINT32_MAX ? (uint32_t)l.width : UINT32_MAX;
    uint32_t height = l.height < UINT32_MAX ? (uint32_t)l.height : UINT32_MAX;
    PELT_TRY(pelt_picture_create(out, width, height, error));
    pelt_text_style style = {.size = options->size, .color = or_else(options->ink, white)};
    pelt_picture_clear(out, or_else(options->paper, dark));
    draw_panels(out, panels, count, &l, &style);
    draw_frame(out, &l, options, &style);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Legends

static pelt_color ink_of(const pelt_legend* legend)
{
    return or_else(legend->ink, white);
}

static uint32_t bar_height(float text_size)
{
    return 3 * pelt_text_height(text_size) / 4;
}

static uint32_t tick_length(float text_size)
{
    return pelt_text_height(text_size) / 4;
}

uint32_t pelt_legend_height(const pelt_legend* legend)
{
    PELT_ASSERT(legend != NULL);
    uint32_t line = pelt_text_height(legend->size);
    return (legend->title != NULL ? line : 0) + bar_height(legend->size) +
           tick_length(legend->size) + line;
}

// 1, 2 or 5 times a power of ten: the smallest such step that makes no more than that many.
static double round_step(double range, int most)
{
    double step = pow(10.0, floor(log10(range / most)));
    while (range / step > most)
    {
        double next = step * 2.0;
        step = range / next <= most           ? next
               : range / (step * 5.0) <= most ? step * 5.0
                                              : step * 10.0;
    }
    return step;
}

// As many digits behind the point as tell two ticks apart.
static void write_number(char* out, size_t size, double value, double step)
{
    int digits = step < 1.0 ? (int)ceil(-log10(step) - 1e-9) : 0;
    bool is_plain = digits <= 5 && fabs(value) < 1e6;
    value = fabs(value) < step * 1e-6 ? 0.0 : value;
    if (is_plain)
    {
        snprintf(out, size, "%.*f", digits, value);
    }
    else
    {
        snprintf(out, size, "%.3g", value);
    }
}

static pelt_color color_at(const pelt_legend* legend, uint32_t x, uint32_t width)
{
    if (legend->part_count > 0)
    {
        return legend->parts[(uint64_t)x * legend->part_count / width];
    }
    return pelt_color_map_at(legend->map, width > 1 ? (float)x / (float)(width - 1) : 0.0f);
}

static void draw_bar(pelt_picture* picture, pelt_rect bar, const pelt_legend* legend)
{
    for (uint32_t x = 0; x < bar.width; ++x)
    {
        pelt_rect column = {bar.x + (int32_t)x, bar.y, 1, bar.height};
        pelt_picture_fill(picture, column, color_at(legend, x, bar.width));
    }
    pelt_picture_outline(picture, bar, 1, ink_of(legend));
}

// A number stays over its tick, but for those at the ends, which stay inside the legend.
static void draw_tick(pelt_picture* picture, pelt_rect bar, const pelt_legend* legend, double value,
                      double step)
{
    char number[48];
    pelt_text_style style = {.size = legend->size, .color = ink_of(legend)};
    double t = (value - (double)legend->low) / ((double)legend->high - (double)legend->low);
    int32_t x = bar.x + (int32_t)(t * (double)(bar.width - 1) + 0.5);
    int32_t y = bar.y + (int32_t)bar.height;
    int32_t length = (int32_t)tick_length(legend->size);
    pelt_picture_fill(picture, (pelt_rect){x, y, 1, (uint32_t)length}, style.color);

    write_number(number, sizeof number, value, step);
    int32_t width = (int32_t)pelt_text_width(number, legend->size);
    int32_t left = x - width / 2, last = bar.x + (int32_t)bar.width - width;
    left = left > last ? last : left;
    left = left < bar.x ? bar.x : left;
    pelt_text_draw(picture, left, y + length, number, &style);
}

static void draw_ticks(pelt_picture* picture, pelt_rect bar, const pelt_legend* legend)
{
    double low = (double)legend->low, high = (double)legend->high;
    // A number takes about four times the height of its line, the space next to it included.
    int most = (int)(bar.width / (4 * pelt_text_height(legend->size)));
    double step = round_step(high - low, most > 1 ? most : 1);
    double first = ceil(low / step - 1e-6), last = floor(high / step + 1e-6);
    // The bound is for ranges so far from zero that a step is lost in rounding.
    for (int i = 0; i <= most + 1 && first + i <= last; ++i)
    {
        draw_tick(picture, bar, legend, (first + i) * step, step);
    }
}

// All names or none, so that the bar does not seem to have fewer parts than it has.
static void draw_names(pelt_picture* picture, pelt_rect bar, const pelt_legend* legend)
{
    pelt_text_style style = {.size = legend->size, .color = ink_of(legend)};
    uint32_t part = bar.width / legend->part_count, gap = pelt_text_height(legend->size) / 4;
    for (uint32_t i = 0; i < legend->part_count; ++i)
    {
        if (pelt_text_width(legend->part_names[i], legend->size) + gap > part)
        {
            return;
        }
    }
    for (uint32_t i = 0; i < legend->part_count; ++i)
    {
        int32_t middle =
            bar.x + (int32_t)((uint64_t)bar.width * (2 * i + 1) / (2 * legend->part_count));
        int32_t width = (int32_t)pelt_text_width(legend->part_names[i], legend->size);
        pelt_text_draw(picture, middle - width / 2,
                       bar.y + (int32_t)(bar.height + tick_length(legend->size)),
                       legend->part_names[i], &style);
    }
}

void pelt_legend_draw(pelt_picture* picture, pelt_rect rect, const pelt_legend* legend)
{
    PELT_ASSERT(picture != NULL && legend != NULL);
    PELT_ASSERT(legend->part_count > 0 ||
                (isfinite(legend->low) && isfinite(legend->high) && legend->low < legend->high));
    if (rect.width == 0)
    {
        return;
    }
    int32_t top = rect.y;
    if (legend->title != NULL)
    {
        pelt_text_style style = {.size = legend->size, .color = ink_of(legend)};
        pelt_text_draw(picture, rect.x, top, legend->title, &style);
        top += (int32_t)pelt_text_height(legend->size);
    }
    pelt_rect bar = {rect.x, top, rect.width, bar_height(legend->size)};
    draw_bar(picture, bar, legend);
    (legend->part_count > 0 ? draw_names : draw_ticks)(picture, bar, legend);
}
