// SPDX-License-Identifier: MIT
// Options of normal factors.
#ifndef PELT_FACTOR_REQUEST_H
#define PELT_FACTOR_REQUEST_H

#include "args.h"
#include "normal_error.h"

#include <jansson.h>

extern const arg_option factor_request_options[]; ///< --normals, --normal-joints, --normal-bits

/// The report about normal factors that were computed.
typedef struct factor_report
{
    pelt_scene_normal_options options;
    pelt_scene_normal_report found;
    normal_error rounding; ///< by the bits, of the normals
    double seconds;        ///< spent on computing
} factor_report;

typedef struct factor_request
{
    bool is_wanted;
    pelt_scene_normal_options options;
} factor_request;

/// @return EXIT_DONE, or EXIT_USAGE after a sentence about an option without effect
int factor_request_choose(factor_request* out, const args* arguments);

/// pelt_scene_add_normal_factors() for all meshes, with the cost of rounding measured.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int factor_request_add(factor_report* out, pelt_scene* inout, const factor_request* request,
                       pelt_arena* arena);

/// A few lines on stderr.
void factor_report_print(const factor_report* in);

/// The same as JSON.
json_t* factor_report_describe(const factor_report* in);

#endif
