// SPDX-License-Identifier: MIT
// What there is to say about twist joints that were added: words and JSON.
#ifndef PELT_TWIST_REPORT_H
#define PELT_TWIST_REPORT_H

#include "pelt/prepare.h"

#include <jansson.h>

typedef struct twist_report
{
    uint32_t count; ///< of bones; 0: none were added
    pelt_twist* requests;
    pelt_twist_bone* bones;
    pelt_twist_report added;
} twist_report;

void twist_report_destroy(twist_report* in); ///< {0} is allowed

/// A few lines on stderr.
void twist_report_print(const twist_report* in, const pelt_scene* scene);

/// The same as JSON, and more; null when nothing was added.
json_t* twist_report_describe(const twist_report* in, const pelt_scene* scene);

#endif
