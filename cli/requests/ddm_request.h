// SPDX-License-Identifier: MIT
// Options of the smoothed weights of direct delta mush.
#ifndef PELT_DDM_REQUEST_H
#define PELT_DDM_REQUEST_H

#include "args.h"
#include "pelt/ddm.h"

/// --ddm, --ddm-iterations, --ddm-lambda, --ddm-kappa, --ddm-alpha
extern const arg_option ddm_request_options[];

/// The first of ddm_request_options that is on the command line; NULL: none.
const char* ddm_request_find_given(const args* arguments);

/// Read ddm_request_options.
/// @return EXIT_DONE, or EXIT_USAGE after a sentence about options that do not go together
int ddm_request_choose(pelt_ddm_options* out, const args* arguments);

/// pelt_scene_add_ddm() with progress on the terminal, for meshes that have none.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int ddm_request_add(pelt_scene* inout, const pelt_ddm_options* options, pelt_arena* arena);

#endif
