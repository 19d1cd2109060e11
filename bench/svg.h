// SPDX-License-Identifier: MIT
// Pieces of pictures as SVG, in the colors and the type of all plots.
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

/// How a text stands: "start", "middle" or "end" at (x, y).
typedef struct svg_text
{
    double x, y;
    const char* anchor;
    int size;
    const char* color;
} svg_text;

/// Head and background, which is part of the picture, so that it reads the same on a light and on a
/// dark page.
void svg_begin(FILE* out, int width, int height, const char* title);
void svg_end(FILE* out);

/// @param text  UTF-8
void svg_label(FILE* out, svg_text style, const char* text);
void svg_line(FILE* out, const double from[2], const double to[2], const char* color);

#endif
