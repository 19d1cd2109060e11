// SPDX-License-Identifier: MIT
// A comparison as a page, as JSON and as text.
#ifndef PELT_COMPARE_REPORT_H
#define PELT_COMPARE_REPORT_H

#include "figure.h"

#include <jansson.h>
#include <stdio.h>

typedef struct compare_report
{
    const comparison* data;
    const contender_cost* costs; ///< one per contender
    const verdict* why;
    const figure_list* figures;
} compare_report;

/// One HTML file that needs no other: style, script and pictures are inside.
/// @return false when out of memory
bool compare_as_html(FILE* stream, const compare_report* report);

json_t* compare_as_json(const compare_report* report);

/// A table and the recommendation, for the terminal.
/// @return false when out of memory
bool compare_as_text(FILE* stream, const compare_report* report);

/// Parts of the page, of compare_as_html() alone.
void compare_html_figure(FILE* stream, const compare_report* report, const figure* f);
bool compare_html_plots(FILE* stream, const compare_report* report); ///< false: out of memory

/// Plots over the factor of mix, if there are three or more factors, ascending from 0.
void compare_html_sweep(FILE* stream, const compare_report* report);
void compare_html_tables(FILE* stream, const compare_report* report);
void compare_html_methods(FILE* stream, const compare_report* report);
void compare_html_costs(FILE* stream, const compare_report* report);

/// Lowest and highest volume of the body over all motions, as parts of that at rest.
void compare_volume_range(double out[2], const comparison* in, uint32_t contender);

#endif
