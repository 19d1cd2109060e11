// SPDX-License-Identifier: MIT
// What there is to say about normal factors that were computed: words and JSON.
#ifndef PELT_FACTOR_REPORT_H
#define PELT_FACTOR_REPORT_H

#include "normal_error.h"

#include <jansson.h>

typedef struct factor_report
{
    pelt_scene_normal_options options;
    pelt_scene_normal_report found;
    normal_error rounding; ///< by the bits, of the normals
    double seconds;        ///< spent on computing
} factor_report;

/// A few lines on stderr.
void factor_report_print(const factor_report* in);

/// The same as JSON.
json_t* factor_report_describe(const factor_report* in);

#endif
