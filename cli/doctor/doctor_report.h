// SPDX-License-Identifier: MIT
// A diagnosis as text, JSON and SARIF.
#ifndef PELT_DOCTOR_REPORT_H
#define PELT_DOCTOR_REPORT_H

#include "pelt/doctor.h"

#include <jansson.h>
#include <stdio.h>

typedef struct doctor_report
{
    const char* input;
    const pelt_scene* scene; ///< NULL: it could not be loaded
    pelt_diagnosis diagnosis;
    const char* output; ///< file of --fix, or NULL: nothing was repaired
    json_t* lost;       ///< what that file lacks, as a list of strings; NULL: no such file
    pelt_severity fail_on;
} doctor_report;

/// Whether a finding is in no file any more: it was repaired by --fix.
bool doctor_is_fixed(const doctor_report* report, const pelt_finding* finding);

/// Whether a finding remains that is as severe as --fail-on.
bool doctor_has_failed(const doctor_report* report);

/// @return false when out of memory
bool doctor_as_text(FILE* stream, const doctor_report* report);

json_t* doctor_as_json(const doctor_report* report);

/// A log in the format SARIF 2.1.0 of OASIS, which code hosts show.
json_t* doctor_as_sarif(const doctor_report* report);

#endif
