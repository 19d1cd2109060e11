// SPDX-License-Identifier: MIT
// Text on pictures: strokes of the font, fitted to the grid of pixels and drawn with soft edges.
#include "picture.h"

#include "font.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SEGMENT_LIMIT = 256, // the most that a glyph has is 130
    CURVE_STEPS = 16,    // a curve of the largest text is a fifth of a pixel off
    LEVEL_LIMIT = 16,
};

// ---------------------------------------------------------------------------------------------
// Measures

static float clean_size(float size)
{
    return size == 0.0f ? 16.0f : fminf(fmaxf(size, 6.0f), 512.0f);
}

static float scale_of(float size)
{
    return clean_size(size) / (float)PELTI_FONT_LINE;
}

static int to_pixel(float value)
{
    return (int)floorf(value + 0.5f);
}

static int glyph_width(const pelti_glyph* glyph, float scale)
{
    return to_pixel((float)glyph->width * scale);
}

// Whole pixels, so that letters look the same at every position, and widths add up.
static int glyph_advance(const pelti_glyph* glyph, float scale)
{
    int space = to_pixel((float)PELTI_FONT_SPACE * scale);
    return glyph_width(glyph, scale) + (space > 2 ? space : 2);
}

uint32_t pelt_text_width(const char* text, float size)
{
    PELT_ASSERT(text != NULL);
    float scale = scale_of(size);
    uint32_t width = 0;
    for (const pelti_glyph* glyph; (glyph = pelti_font_next(&text)) != NULL;)
    {
        width += (uint32_t)glyph_advance(glyph, scale);
    }
    return width;
}

uint32_t pelt_text_height(float size)
{
    return (uint32_t)ceilf(clean_size(size));
}

// ---------------------------------------------------------------------------------------------
// Strokes in pixels

typedef struct segment
{
    pelt_vec2 start, end;
} segment;

// A glyph on its way to pixels.
typedef struct outline
{
    segment segments[SEGMENT_LIMIT];
    uint32_t segment_count;
    int levels[LEVEL_LIMIT]; // heights of the grid that fall on rows of pixels, ascending
    int level_count;
    float scale, width_scale;
    float left, foot; // where the grid has its origin, in pixels
} outline;

// The corners of a glyph, one after the other.
typedef struct corner
{
    int x, y;
    bool is_start, is_control;
} corner;

static bool next_corner(corner* out, const char** at)
{
    *out = (corner){0};
    while (**at == ' ' || **at == ';' || **at == '~')
    {
        out->is_start = out->is_start || **at == ';';
        out->is_control = out->is_control || **at == '~';
        ++*at;
    }
    if (**at == '\0')
    {
        return false;
    }
    char* end = NULL;
    out->x = (int)strtol(*at, &end, 10);
    out->y = (int)strtol(end, &end, 10);
    *at = end;
    return true;
}

static void add_level(outline* o, int y)
{
    int at = o->level_count;
    for (int i = 0; i < o->level_count; ++i)
    {
        if (o->levels[i] == y)
        {
            return;
        }
    }
    if (at == LEVEL_LIMIT)
    {
        return;
    }
    for (; at > 0 && o->levels[at - 1] > y; --at)
    {
        o->levels[at] = o->levels[at - 1];
    }
    o->levels[at] = y;
    o->level_count++;
}

// Feet, small letters and capitals end on rows of pixels, and so does every level bar: otherwise it
// would smear over two rows, and small text would look out of focus.
static void find_levels(outline* o, const pelti_glyph* glyph)
{
    static const int common[] = {PELTI_FONT_DESCENT, 0, PELTI_FONT_SMALL, PELTI_FONT_CAPITAL};
    for (size_t i = 0; i < sizeof common / sizeof common[0]; ++i)
    {
        add_level(o, common[i]);
    }
    corner before = {0}, here;
    const char* at = glyph->strokes;
    for (bool is_first = true; next_corner(&here, &at); before = here, is_first = false)
    {
        bool is_line = !is_first && !here.is_start && !here.is_control && !before.is_control;
        if (is_line && here.y == before.y)
        {
            add_level(o, here.y);
        }
    }
}

// Between two levels the grid is stretched evenly.
static float row_of(const outline* o, int y)
{
    int i = 0;
    while (i + 2 < o->level_count && y > o->levels[i + 1])
    {
        ++i;
    }
    int low = o->levels[i], high = o->levels[i + 1];
    float low_row = (float)to_pixel((float)low * o->scale);
    float high_row = (float)to_pixel((float)high * o->scale);
    return o->foot - (low_row + (high_row - low_row) * (float)(y - low) / (float)(high - low));
}

static pelt_vec2 place_corner(const outline* o, const corner* c)
{
    return (pelt_vec2){o->left + (float)c->x * o->width_scale, row_of(o, c->y)};
}

static void add_segment(outline* o, pelt_vec2 start, pelt_vec2 end)
{
    if (o->segment_count < SEGMENT_LIMIT)
    {
        o->segments[o->segment_count++] = (segment){start, end};
    }
}

static void add_curve(outline* o, pelt_vec2 start, pelt_vec2 pull, pelt_vec2 end)
{
    pelt_vec2 last = start;
    for (int i = 1; i <= CURVE_STEPS; ++i)
    {
        float t = (float)i / (float)CURVE_STEPS, s = 1.0f - t;
        pelt_vec2 next = {s * s * start.x + 2.0f * s * t * pull.x + t * t * end.x,
                          s * s * start.y + 2.0f * s * t * pull.y + t * t * end.y};
        add_segment(o, last, next);
        last = next;
    }
}

static void add_strokes(outline* o, const pelti_glyph* glyph)
{
    corner here;
    pelt_vec2 last = {0}, pull = {0};
    bool is_pulled = false, is_first = true;
    for (const char* at = glyph->strokes; next_corner(&here, &at); is_first = false)
    {
        pelt_vec2 point = place_corner(o, &here);
        if (here.is_control)
        {
            pull = point;
            is_pulled = true;
            continue;
        }
        if (is_pulled)
        {
            add_curve(o, last, pull, point);
        }
        else if (!is_first && !here.is_start)
        {
            add_segment(o, last, point);
        }
        is_pulled = false;
        last = point;
    }
}

// A stroke that is nearly as wide as some pixels is made as wide: its edges are then sharp.
static float stroke_width(float scale)
{
    float width = fmaxf(2.5f * scale, 1.0f);
    return fmaxf(width, (float)to_pixel(width));
}

static void make_outline(outline* o, const pelti_glyph* glyph, float scale)
{
    int width = glyph_width(glyph, scale), advance = glyph_advance(glyph, scale);
    // The middle of a stroke of 1, 3 ... pixels is the middle of a pixel, of 2, 4 ... an edge.
    bool is_odd = to_pixel(stroke_width(scale)) % 2 != 0;
    o->scale = scale;
    o->width_scale = glyph->width > 0 ? (float)width / (float)glyph->width : 0.0f;
    o->left = (float)((advance - width) / 2) + (is_odd ? 0.5f : 0.0f);
    o->foot = (float)to_pixel((float)PELTI_FONT_TOP * scale) - (is_odd ? 0.5f : 0.0f);
    o->segment_count = 0;
    o->level_count = 0;
    find_levels(o, glyph);
    add_strokes(o, glyph);
}

// ---------------------------------------------------------------------------------------------
// Pixels

static float distance_squared(const segment* s, float x, float y)
{
    float along_x = s->end.x - s->start.x, along_y = s->end.y - s->start.y;
    float to_x = x - s->start.x, to_y = y - s->start.y;
    float length = along_x * along_x + along_y * along_y;
    float t = length > 0.0f ? (to_x * along_x + to_y * along_y) / length : 0.0f;
    t = fminf(fmaxf(t, 0.0f), 1.0f);
    float dx = to_x - t * along_x, dy = to_y - t * along_y;
    return dx * dx + dy * dy;
}

// How much of a pixel the ink covers, taking its edge for straight across one pixel.
static float coverage_at(const outline* o, float x, float y, float half_width)
{
    float nearest = INFINITY;
    for (uint32_t i = 0; i < o->segment_count; ++i)
    {
        nearest = fminf(nearest, distance_squared(&o->segments[i], x, y));
    }
    return fminf(fmaxf(half_width + 0.5f - sqrtf(nearest), 0.0f), 1.0f);
}

static void set_ink(pelt_picture* picture, int64_t x, int64_t y, pelt_color color, float coverage)
{
    color.a = (uint8_t)((float)color.a * coverage + 0.5f);
    if (color.a > 0)
    {
        pelt_color* pixel = &picture->pixels[(size_t)y * picture->width + (size_t)x];
        *pixel = pelt_color_over(*pixel, color);
    }
}

static void draw_glyph(pelt_picture* picture, int64_t left, int64_t top, const pelti_glyph* glyph,
                       const pelt_text_style* style)
{
    outline o;
    float scale = scale_of(style->size), half_width = 0.5f * stroke_width(scale);
    int64_t width = glyph_advance(glyph, scale), height = pelt_text_height(style->size);
    if (left + width <= 0 || top + height <= 0 || left >= picture->width || top >= picture->height)
    {
        return;
    }
    make_outline(&o, glyph, scale);
    for (int64_t y = top < 0 ? -top : 0; y < height && top + y < picture->height; ++y)
    {
        for (int64_t x = left < 0 ? -left : 0; x < width && left + x < picture->width; ++x)
        {
            float coverage = coverage_at(&o, (float)x + 0.5f, (float)y + 0.5f, half_width);
            set_ink(picture, left + x, top + y, style->color, coverage);
        }
    }
}

void pelt_text_draw(pelt_picture* picture, int32_t x, int32_t y, const char* text,
                    const pelt_text_style* style)
{
    PELT_ASSERT(picture != NULL && text != NULL && style != NULL);

    int64_t width = pelt_text_width(text, style->size), left = x;
    left -= style->align == PELT_ALIGN_RIGHT    ? width
            : style->align == PELT_ALIGN_CENTER ? width / 2
                                                : 0;
    float scale = scale_of(style->size);
    for (const pelti_glyph* glyph; (glyph = pelti_font_next(&text)) != NULL;)
    {
        draw_glyph(picture, left, y, glyph, style);
        left += glyph_advance(glyph, scale);
    }
}
