// SPDX-License-Identifier: MIT
// Options of a written character: clips and their names, a part of them, their rate, the number of
// keys, and influences per vertex.
#ifndef PELT_EXPORT_REQUEST_H
#define PELT_EXPORT_REQUEST_H

#include "args.h"
#include "pelt/prepare.h"

#include <jansson.h>

extern const arg_option export_request_options[];

/// The report of the changes.
typedef struct export_report
{
    pelt_simplify_report keys; ///< sums over all clips, and the largest error
    pelt_prune_report weights;
    bool is_simplified, is_pruned;
} export_report;

/// Check the values of the options, before anything is read.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int export_request_check(const args* arguments);

/// Apply the options to a scene, with notes on stderr.
/// @param inout  its clips and meshes are replaced; its arena gets what is new
int export_request_apply(export_report* out, pelt_scene* inout, const args* arguments);

/// Members `keys` and `weights` of a report: null where nothing was asked for.
void export_report_describe(json_t* report, const export_report* in);

#endif
