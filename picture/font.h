// SPDX-License-Identifier: MIT
// Letters as strokes of a pen, on a grid with y upwards.
#ifndef PELT_FONT_H
#define PELT_FONT_H

#include <stdint.h>

/// Heights on the grid. A line is PELTI_FONT_LINE high, of which PELTI_FONT_TOP is above the foot
/// of the letters.
enum
{
    PELTI_FONT_LINE = 32,
    PELTI_FONT_TOP = 24,
    PELTI_FONT_CAPITAL = 20,
    PELTI_FONT_SMALL = 14,
    PELTI_FONT_DESCENT = -6,
    PELTI_FONT_SPACE = 5, ///< between two letters
};

typedef struct pelti_glyph
{
    uint32_t character;  ///< of Unicode
    int width;           ///< strokes have x from 0 to here
    const char* strokes; ///< see font.c
} pelti_glyph;

/// The glyph of the next character, and *text after it; NULL at the end of the text.
const pelti_glyph* pelti_font_next(const char** text);

#endif
