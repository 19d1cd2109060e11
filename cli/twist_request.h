// SPDX-License-Identifier: MIT
// Twist joints as the command line asks for them.
#ifndef PELT_TWIST_REQUEST_H
#define PELT_TWIST_REQUEST_H

#include "args.h"
#include "twist_report.h"

extern const arg_option twist_request_options[]; ///< --twist, --max-influences

/// Check what does not need the scene.
/// @return EXIT_DONE, or EXIT_USAGE after a sentence about an option without effect
int twist_request_check(const args* arguments);

/// Put a scene with twist joints in the place of *scene, when --twist asks for it and there is one
/// to add; `auto` that finds none leaves the scene, with a note.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int twist_request_add(twist_report* out, pelt_scene** scene, const args* arguments);

#endif
