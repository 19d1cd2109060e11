// SPDX-License-Identifier: MIT
// What there is to say about centers of rotation that were computed: words and JSON.
#ifndef PELT_COR_REPORT_H
#define PELT_COR_REPORT_H

#include "pelt/prepare.h"
#include "scene_statistics.h"

#include <jansson.h>

typedef struct cor_report
{
    pelt_cor_options options;
    pelt_scene_cor_report found;
    uint32_t influences[STATISTICS_BIN_COUNT]; ///< vertices by their number, of meshes with centers
    double seconds;                            ///< spent on computing
} cor_report;

/// A few lines on stderr.
void cor_report_print(const cor_report* in);

/// The same as JSON, and more.
json_t* cor_report_describe(const cor_report* in);

#endif
