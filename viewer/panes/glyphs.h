// SPDX-License-Identifier: MIT
// Small drawings between controls: icons, squares of a color, legends.
#ifndef PELT_GLYPHS_H
#define PELT_GLYPHS_H

#include "gui.h"

typedef enum glyph_icon
{
    GLYPH_PLAY,
    GLYPH_PAUSE,
    GLYPH_BACK,
    GLYPH_FORWARD
} glyph_icon;

/// @param scale  pixels per unit of the layout, in all of these
/// @return whether it was used
bool glyphs_button(const char* name, glyph_icon icon, const char* tip, float scale);

/// A square of a color, before what follows in the row.
/// @param height  of the row: gui_line_height() or gui_control_height()
void glyphs_swatch(pelt_color color, float height, float scale);

/// A bar of colors with a text at each end.
void glyphs_legend(const pelt_color* colors, uint32_t count, const char* low, const char* high,
                   float scale);

enum
{
    GLYPHS_TEXT_BYTES = 640, ///< of a line of text
};

/// Copy a text, and cut it where it would be wider; dots tell.
void glyphs_cut(char out[GLYPHS_TEXT_BYTES], const char* text, float width);

/// A line of text that is cut where it would be wider; a tooltip has all of it.
void glyphs_note(const char* text, float width);

/// Breaks lines at spaces, so that none is wider than `width`, as far as words allow.
/// @return number of lines
uint32_t glyphs_wrap(char* inout, float width);

#endif
