// SPDX-License-Identifier: MIT
// A picture of measurements, as SVG: both axes logarithmic, or both linear from 0.
#ifndef PELT_PLOT_H
#define PELT_PLOT_H

#include "pelt/pelt.h"

#include <stdio.h>

enum
{
    PLOT_SERIES_MAX = 16,
    PLOT_POINT_MAX = 64,
};

/// Series differ in shape as well as in color, for color-blind readers and for print.
typedef enum plot_mark
{
    PLOT_CIRCLE = 0,
    PLOT_SQUARE,
    PLOT_TRIANGLE,
    PLOT_DIAMOND,
    PLOT_STAR,
    PLOT_MARK_COUNT,
} plot_mark;

/// In the order of pelt_series_color(): a method has the one of its pelt_method.
typedef enum plot_color
{
    PLOT_BLUE = 0,
    PLOT_VERMILION,
    PLOT_PURPLE,
    PLOT_GREEN,
    PLOT_BLACK,
    PLOT_SKY_BLUE,
    PLOT_COLOR_COUNT,
} plot_color;

typedef enum plot_anchor
{
    PLOT_RIGHT = 0,
    PLOT_LEFT,
    PLOT_ABOVE,
} plot_anchor;

typedef struct plot_point
{
    double x, y;        ///< above 0; of linear plots, 0 or more
    const char* label;  ///< or NULL
    plot_anchor anchor; ///< position of the label relative to the point
    bool is_hollow;
} plot_point;

typedef struct plot_series
{
    const char* label; ///< in the legend, if there are points; NULL: not listed there
    plot_mark mark;
    plot_color color;
    bool is_line;   ///< joins the points in their order
    bool is_linear; ///< as the plot
    uint32_t point_count;
    plot_point points[PLOT_POINT_MAX];
} plot_series;

/// Texts are UTF-8 and must outlive the plot.
typedef struct plot
{
    const char* title;
    const char* x_title;
    const char* y_title;
    const char* notes[3]; ///< lines below the legend; NULL: fewer
    bool is_linear;       ///< both axes; set before series are added
    uint32_t series_count;
    plot_series series[PLOT_SERIES_MAX];
} plot;

/// Add an empty series.
plot_series* plot_series_add(plot* out, const char* label, plot_mark mark, plot_color color);

/// Add a point. A point that is not finite or not in the range of the axes is left out.
void plot_point_add(plot_series* series, plot_point point);

/// Write the SVG text of the picture.
void plot_draw(FILE* out, const plot* in);

/// Write the picture: whole, or not at all.
pelt_result plot_save(const char* path, const plot* in, pelt_error* error);

#endif
