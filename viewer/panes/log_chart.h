// SPDX-License-Identifier: MIT
// Lines over two logarithmic axes, and the marks of their points.
#ifndef PELT_LOG_CHART_H
#define PELT_LOG_CHART_H

#include "pelt/color.h"

/// Marks of series, for readers who cannot tell their colors apart.
typedef enum chart_mark
{
    CHART_MARK_CIRCLE = 0,
    CHART_MARK_SQUARE,
    CHART_MARK_TRIANGLE,
    CHART_MARK_DIAMOND,
    CHART_MARK_STAR
} chart_mark;

/// A line through points, with marks.
typedef struct chart_series
{
    chart_mark mark;
    pelt_color color;
    const float* points; ///< x and y of each
    uint32_t count;
} chart_series;

/// Fill the rest of the panel. Points that are not above 0 are left out.
/// @param scale  pixels per unit of the layout
void log_chart_show(const char* name, const chart_series* series, uint32_t count,
                    const char* x_title, const char* y_title, float scale);

/// A mark before the text of a row; with a transparent color it only leaves room for one.
void log_chart_show_mark(chart_mark mark, pelt_color color, float scale);

#endif
