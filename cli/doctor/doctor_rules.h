// SPDX-License-Identifier: MIT
// Rules of a project for `pelt doctor`: budgets, severities and what to ignore, in a file pelt.json
// next to the assets or in a folder above them.
#ifndef PELT_DOCTOR_RULES_H
#define PELT_DOCTOR_RULES_H

#include "pelt/doctor.h"

/// What the rules say about one character; {0}: nothing.
typedef struct doctor_rules
{
    char path[4096]; ///< of the file; "": there is none
    bool has_fail_on;
    pelt_severity fail_on;
    bool has_severity[PELT_FINDING_KIND_COUNT];
    pelt_severity severity[PELT_FINDING_KIND_COUNT];
    bool is_ignored[PELT_FINDING_KIND_COUNT];
    /// Limits; 0: none
    double joints;       ///< of a skin
    double influences;   ///< of a vertex
    double vertices;     ///< of all instances
    double triangles;    ///< of all instances
    double clip_seconds; ///< of the longest clip
    double bake_bytes;   ///< of the smallest texture of all clips within 0.1 mm per meter
} doctor_rules;

/// Look for pelt.json in the folder of an input and in those above.
bool doctor_rules_find(char path[4096], const char* input);

/// Read the rules for an input.
/// @param path   of the file; NULL: pelt.json of the input's folder, or of the next one above
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int doctor_rules_read(doctor_rules* out, const char* path, const char* input);

/// Apply rules: leave out ignored findings, change severities, and add a finding for each budget
/// that is exceeded.
/// @param scene  NULL: it could not be loaded
/// @param arena  owns the new list
int doctor_rules_apply(pelt_diagnosis* inout, const doctor_rules* rules, const pelt_scene* scene,
                       pelt_arena* arena);

#endif
