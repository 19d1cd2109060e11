// SPDX-License-Identifier: MIT
// Options of helper joints.
#ifndef PELT_HELPER_REQUEST_H
#define PELT_HELPER_REQUEST_H

#include "args.h"
#include "pelt/helpers.h"

#include <jansson.h>

extern const arg_option helper_request_options[]; ///< --helpers, --like ...

typedef struct helper_request
{
    bool is_wanted;
    bool is_relative; ///< options.max_error is relative to the height
    pelt_helpers_options options;
    const char* plot; ///< file for the curve, or NULL
} helper_request;

/// The report about helper joints that were added.
typedef struct helper_report
{
    helper_request request;
    pelt_helpers_report found;
    double seconds;
    pelt_scene* read; ///< the scene before; NULL: none were added
} helper_report;

/// @return EXIT_DONE, or EXIT_USAGE after a sentence about a wrong option
int helper_request_choose(helper_request* out, const args* arguments);

/// Replace *scene by one with helper joints, if they are requested.
/// @param arena  owns the lists of the report
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int helper_request_add(helper_report* out, pelt_scene** scene, const helper_request* request,
                       pelt_arena* arena);

void helper_report_destroy(helper_report* in); ///< {0} is allowed

/// A few lines on stderr.
void helper_report_print(const helper_report* in, const pelt_scene* scene);

/// The same as JSON, and more; null when nothing was added.
json_t* helper_report_describe(const helper_report* in, const pelt_scene* scene);

#endif
