// SPDX-License-Identifier: MIT
// Options of centers of rotation.
#ifndef PELT_COR_REQUEST_H
#define PELT_COR_REQUEST_H

#include "args.h"
#include "pelt/prepare.h"
#include "scene_statistics.h"

#include <jansson.h>

extern const arg_option cor_request_options[]; ///< --solver, --sigma, --epsilon, --omega, --cutoff

/// The report about centers of rotation that were computed.
typedef struct cor_report
{
    pelt_cor_options options;
    pelt_scene_cor_report found;
    uint32_t influences[STATISTICS_BIN_COUNT]; ///< vertices by their number, of meshes with centers
    double seconds;                            ///< spent on computing
} cor_report;

/// The first of cor_request_options that is on the command line; NULL: none.
const char* cor_request_find_given(const args* arguments);

/// Read cor_request_options.
/// @return EXIT_DONE, or EXIT_USAGE after a sentence about an option without effect
int cor_request_choose(pelt_cor_options* out, const args* arguments);

/// pelt_scene_add_cors() with progress on the terminal, and a note about stale centers that are
/// replaced.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int cor_request_add(cor_report* out, pelt_scene* inout, pelt_prepare_scope scope,
                    const pelt_cor_options* options, pelt_arena* arena);

/// A few lines on stderr.
void cor_report_print(const cor_report* in);

/// The same as JSON, and more.
json_t* cor_report_describe(const cor_report* in);

#endif
