// SPDX-License-Identifier: MIT
// The options of a bake: encoding, bits, rate, budget, files.
#ifndef PELT_BAKE_REQUEST_H
#define PELT_BAKE_REQUEST_H

#include "args.h"
#include "bake_job.h"

extern const arg_option bake_request_options[];

/// Check options that do not need the scene, before any work.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int bake_request_choose(bake_job* out, const args* arguments);

/// Find clips and sockets by their names, and the method of the file if none is given.
/// @param arena  owns the lists
int bake_request_find(bake_job* inout, const args* arguments, pelt_arena* arena);

#endif
