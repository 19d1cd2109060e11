// SPDX-License-Identifier: MIT
// Elements of SVG pictures, in the colors and the font of all plots.
#ifndef PELT_SVG_H
#define PELT_SVG_H

#include <stdint.h>
#include <stdio.h>

#define SVG_PAPER "#fcfcfa"
#define SVG_INK "#222222"
#define SVG_FAINT "#5a5a5a"

/// "#0072b2"
typedef struct svg_color
{
    char text[8];
} svg_color;

/// See pelt_series_color().
svg_color svg_series_color(uint32_t index);

/// Style of a text; anchor is "start", "middle" or "end" at (x, y).
typedef struct svg_text
{
    double x, y;
    const char* anchor;
    int size;
    const char* color;
} svg_text;

/// Write the header and an opaque background, so that the picture is readable on light and on dark
/// pages.
void svg_begin(FILE* out, int width, int height, const char* title);
void svg_end(FILE* out);

/// @param text  UTF-8
void svg_label(FILE* out, svg_text style, const char* text);
void svg_line(FILE* out, const double from[2], const double to[2], const char* color);

#endif
