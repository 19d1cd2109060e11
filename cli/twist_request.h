// SPDX-License-Identifier: MIT
// Twist joints for a scene: the options, the work, and words about it.
#ifndef PELT_TWISTS_H
#define PELT_TWISTS_H

#include "args.h"
#include "pelt/prepare.h"

#include <jansson.h>

extern const arg_option twists_options[]; ///< --twist, --max-influences

/// Check what does not need the scene.
/// @return EXIT_DONE, or EXIT_USAGE after a sentence about an option without effect
int twists_check(const args* arguments);

typedef struct twists
{
    uint32_t count; ///< 0: none were added
    pelt_twist* requests;
    pelt_twist_bone* bones;
    pelt_twist_report report;
} twists;

/// Put a scene with twist joints in the place of *scene, when --twist asks for it and there is one
/// to add; `auto` that finds none leaves the scene, with a note.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int twists_create(twists* out, pelt_scene** scene, const args* arguments);

void twists_destroy(twists* in);

/// A few lines on stderr about what was added.
void twists_print(const twists* in, const pelt_scene* scene);

/// The same as JSON, and more; null when nothing was added.
json_t* twists_describe(const twists* in, const pelt_scene* scene);

#endif
