// SPDX-License-Identifier: MIT
// Options of mix factors.
#ifndef PELT_MIX_REQUEST_H
#define PELT_MIX_REQUEST_H

#include "args.h"
#include "pelt/prepare.h"

#include <jansson.h>

extern const arg_option mix_request_options[]; ///< --mix-map, --mix-weights, --mix-frames

/// The report about mix factors that were computed.
typedef struct mix_report
{
    pelt_mix_options options;
    pelt_scene_mix_report found;
    bool is_rigid;  ///< there are skins, and no vertex has two joints: nothing was computed
    double seconds; ///< spent on computing
} mix_report;

typedef struct mix_request
{
    bool is_wanted;
    pelt_mix_options options;
} mix_request;

/// @return EXIT_DONE, or EXIT_USAGE after a sentence about a wrong option or one without effect
int mix_request_choose(mix_request* out, const args* arguments);

/// pelt_scene_add_mix_factors() with progress on the terminal.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int mix_request_add(mix_report* out, pelt_scene* inout, const mix_request* request,
                    pelt_arena* arena);

/// A few lines on stderr.
void mix_report_print(const mix_report* in);

/// The same as JSON.
json_t* mix_report_describe(const mix_report* in);

#endif
