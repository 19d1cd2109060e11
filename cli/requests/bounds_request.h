// SPDX-License-Identifier: MIT
// Options of bounding boxes.
#ifndef PELT_BOUNDS_REQUEST_H
#define PELT_BOUNDS_REQUEST_H

#include "args.h"
#include "pelt/bounds.h"

#include <jansson.h>

extern const arg_option bounds_request_options[]; ///< --bounds, --method

/// The report about boxes that were computed.
typedef struct bounds_report
{
    pelt_method method;
    pelt_scene_bounds_report found;
    double seconds; ///< spent on computing
} bounds_report;

typedef struct bounds_request
{
    bool is_wanted;
    pelt_deform_options options;
} bounds_request;

/// @return EXIT_DONE, or EXIT_USAGE after a sentence about an option without effect
int bounds_request_choose(bounds_request* out, const args* arguments);

/// pelt_scene_add_bounds().
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int bounds_request_add(bounds_report* out, pelt_scene* inout, const bounds_request* request,
                       pelt_arena* arena);

/// A line on stderr.
void bounds_report_print(const bounds_report* in);

/// The same as JSON.
json_t* bounds_report_describe(const bounds_report* in);

/// A box as six numbers: least x, y and z, then largest.
json_t* bounds_describe_box(const pelt_bounds* box);

#endif
