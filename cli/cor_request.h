// SPDX-License-Identifier: MIT
// Centers of rotation as the command line asks for them.
#ifndef PELT_COR_REQUEST_H
#define PELT_COR_REQUEST_H

#include "args.h"
#include "cor_report.h"

extern const arg_option cor_request_options[]; ///< --solver, --sigma, --epsilon, --omega, --cutoff

/// The first of cor_request_options that is on the command line; NULL: none.
const char* cor_request_find_given(const args* arguments);

/// What cor_request_options ask for.
/// @return EXIT_DONE, or EXIT_USAGE after a sentence about an option without effect
int cor_request_choose(pelt_cor_options* out, const args* arguments);

/// pelt_scene_add_cors() with progress on the terminal, and a word about stale centers that are
/// replaced.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int cor_request_add(cor_report* out, pelt_scene* inout, pelt_prepare_scope scope,
                    const pelt_cor_options* options, pelt_arena* arena);

#endif
