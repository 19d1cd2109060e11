// SPDX-License-Identifier: MIT
// Options of twist joints.
#ifndef PELT_TWIST_REQUEST_H
#define PELT_TWIST_REQUEST_H

#include "args.h"
#include "pelt/prepare.h"

#include <jansson.h>

extern const arg_option twist_request_options[]; ///< --twist, --max-influences

/// The report about twist joints that were added.
typedef struct twist_report
{
    uint32_t count; ///< of bones; 0: none were added
    pelt_twist* requests;
    pelt_twist_bone* bones;
    pelt_twist_report added;
    pelt_scene* read; ///< the scene before; NULL: none were added
} twist_report;

/// Check what does not need the scene.
/// @return EXIT_DONE, or EXIT_USAGE after a sentence about an option without effect
int twist_request_check(const args* arguments);

/// Replace *scene by one with twist joints, if --twist requests any and there are bones for them;
/// `auto` without results keeps the scene, with a note.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int twist_request_add(twist_report* out, pelt_scene** scene, const args* arguments);

void twist_report_destroy(twist_report* in); ///< {0} is allowed

/// A few lines on stderr.
void twist_report_print(const twist_report* in, const pelt_scene* scene);

/// The same as JSON, and more; null when nothing was added.
json_t* twist_report_describe(const twist_report* in, const pelt_scene* scene);

#endif
