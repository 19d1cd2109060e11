// SPDX-License-Identifier: MIT
// The pose that a command line asks for: --clip, --time, --wrap and --pose.
#ifndef PELT_POSED_H
#define PELT_POSED_H

#include "args.h"
#include "pelt/pelt.h"

#include <jansson.h>

extern const arg_option posed_options[]; ///< --clip, --wrap and --pose
extern const arg_option posed_moment[];  ///< --time, for commands that want one moment

/// What was asked for, and the pose it gives.
typedef struct posed
{
    pelt_pose pose;
    const pelt_clip* clip; ///< NULL: the stored pose
    float time;            ///< seconds
    pelt_wrap wrap;
    uint32_t override_count;
    pelt_override* overrides;
} posed;

/// Clip and time by the options, without sampling: the default clip when there is only a time.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int posed_choose(posed* out, const pelt_scene* scene, const args* arguments);

/// Take the default clip of a scene that has clips, and say which one it is.
void posed_choose_default(posed* inout, const pelt_scene* scene);

/// Allocate the pose, read --pose and fill in what was chosen.
int posed_create(posed* inout, const pelt_scene* scene, const args* arguments);

/// Move on to another moment of the clip, with the same overrides.
void posed_sample(posed* inout, const pelt_scene* scene, float time);

void posed_destroy(posed* in);

/// Members `clip`, `time` and `overrides` of a report.
void posed_describe(json_t* report, const posed* in);

#endif
