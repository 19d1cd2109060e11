// SPDX-License-Identifier: MIT
// Lines over a common axis, as a piece of SVG that takes its colors from the page around it.
#ifndef PELT_LINE_PLOT_H
#define PELT_LINE_PLOT_H

#include <stdint.h>
#include <stdio.h>

enum
{
    LINE_PLOT_MAX = 16, ///< lines
};

typedef struct line_series
{
    const char* name;  ///< drawn at its end
    const char* style; ///< class of the style sheet, which gives color and dashes
    const double* values;
} line_series;

typedef struct line_plot
{
    const char* title;    ///< with the unit of the values
    const char* x_unit;   ///< of the axis below
    double x_end;         ///< it begins at 0
    uint32_t point_count; ///< of every series, at equal distances; at least 2
    uint32_t series_count;
    line_series series[LINE_PLOT_MAX];
} line_plot;

void line_plot_draw(FILE* out, const line_plot* in);

#endif
