// SPDX-License-Identifier: MIT
// Pictures side by side, with labels.
#include "picture.h"

#include <string.h>

static bool is_unset(pelt_color color)
{
    return color.r == 0 && color.g == 0 && color.b == 0 && color.a == 0;
}

static pelt_color or_else(pelt_color color, pelt_color otherwise)
{
    return is_unset(color) ? otherwise : color;
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
    pelt_result result = pelt_picture_create(out, width, height, error);
    if (result != PELT_OK)
    {
        return result;
    }
    pelt_text_style style = {.size = options->size, .color = or_else(options->ink, white)};
    pelt_picture_clear(out, or_else(options->paper, dark));
    draw_panels(out, panels, count, &l, &style);
    draw_frame(out, &l, options, &style);
    return PELT_OK;
}
