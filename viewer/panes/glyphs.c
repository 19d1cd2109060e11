// SPDX-License-Identifier: MIT
#include "glyphs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool glyphs_button(const char* name, glyph_icon icon, const char* tip, float scale)
{
    const pelt_color ink = {33, 36, 38, 255};
    char label[64];
    snprintf(label, sizeof label, "     ##%s", name); // as wide as the icon
    bool is_used = gui_button(label, tip);
    gui_rect rect = gui_last_rect();
    float x = rect.x + 0.5f * rect.width, y = rect.y + 0.5f * rect.height, r = 5.0f * scale;
    if (icon == GLYPH_PAUSE)
    {
        gui_fill((gui_rect){x - r, y - r, 0.7f * r, 2.0f * r}, ink);
        gui_fill((gui_rect){x + 0.3f * r, y - r, 0.7f * r, 2.0f * r}, ink);
        return is_used;
    }
    float sign = icon == GLYPH_BACK ? -1.0f : 1.0f;
    const float triangle[6] = {x - sign * 0.8f * r, y - r, x + sign * r, y,
                               x - sign * 0.8f * r, y + r};
    gui_polygon(triangle, 3, ink);
    if (icon != GLYPH_PLAY)
    {
        gui_fill((gui_rect){x + sign * 1.2f * r - scale, y - r, 2.0f * scale, 2.0f * r}, ink);
    }
    return is_used;
}

void glyphs_swatch(pelt_color color, float height, float scale)
{
    const float size = 9.0f * scale;
    gui_rect area = gui_area(NULL, size, height);
    gui_fill((gui_rect){area.x, area.y + 0.5f * (height - size), size, size}, color);
    gui_same_line(0.0f);
}

void glyphs_legend(const pelt_color* colors, uint32_t count, const char* low, const char* high,
                   float scale)
{
    const float height = 8.0f * scale, line = gui_line_height();
    gui_text("%s", low);
    gui_same_line(0.0f);
    float room = gui_width_left() - gui_label_width(high) - 16.0f * scale;
    float width = fminf(128.0f * scale, fmaxf(room, 24.0f * scale)); // less in narrow viewports
    gui_rect area = gui_area(NULL, width, line);
    for (uint32_t i = 0; i < count; ++i)
    {
        gui_rect part = {area.x + width * (float)i / (float)count, area.y + 0.5f * (line - height),
                         width / (float)count, height};
        gui_fill(part, colors[i]);
    }
    gui_same_line(0.0f);
    gui_text("%s", high);
}

void glyphs_cut(char out[GLYPHS_TEXT_BYTES], const char* text, float width)
{
    size_t length = strlen(text);
    length = length < GLYPHS_TEXT_BYTES - 4 ? length : GLYPHS_TEXT_BYTES - 4;
    memcpy(out, text, length);
    out[length] = '\0';
    while (length > 0 && gui_label_width(out) > width)
    {
        // Not within a character of UTF-8.
        do
        {
            --length;
        } while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80);
        memcpy(out + length, "...", 4);
    }
}

void glyphs_note(const char* text, float width)
{
    char shown[GLYPHS_TEXT_BYTES];
    glyphs_cut(shown, text, width);
    gui_muted("%s", shown);
    gui_finish("note", strcmp(shown, text) == 0 ? NULL : text);
}

uint32_t glyphs_wrap(char* inout, float width)
{
    uint32_t line_count = 1;
    char *line = inout, *last = NULL; // the space up to which the line fits
    for (char* c = inout; *c != '\0'; ++c)
    {
        if (*c != ' ' && c[1] != '\0')
        {
            continue;
        }
        char* end = *c == ' ' ? c : c + 1;
        char kept = *end;
        *end = '\0';
        bool is_too_wide = gui_label_width(line) > width;
        *end = kept;
        if (is_too_wide && last != NULL)
        {
            *last = '\n';
            line = last + 1;
            ++line_count;
        }
        last = *c == ' ' ? c : last;
    }
    return line_count;
}
