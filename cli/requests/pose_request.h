// SPDX-License-Identifier: MIT
// The pose of a command: --clip, --time, --wrap and --pose.
#ifndef PELT_POSE_REQUEST_H
#define PELT_POSE_REQUEST_H

#include "args.h"
#include "pelt/pelt.h"

#include <jansson.h>

extern const arg_option pose_request_options[]; ///< --clip, --wrap and --pose
extern const arg_option pose_request_moment[];  ///< --time, for commands that need one moment

/// The requested pose, and the result.
typedef struct pose_request
{
    pelt_pose pose;
    pelt_cursor cursor;    ///< for animations; {0}: none
    const pelt_clip* clip; ///< NULL: the stored pose
    float time;            ///< seconds
    pelt_wrap wrap;
    uint32_t override_count;
    pelt_override* overrides;
} pose_request;

/// A clip by its name.
/// @return EXIT_DONE, or EXIT_USAGE after a sentence on stderr with the names that there are
int pose_request_find_clip(uint32_t* out, const pelt_scene* scene, const char* name);

/// Clip and time by the options, without sampling: the default clip when there is only a time.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int pose_request_choose(pose_request* out, const pelt_scene* scene, const args* arguments);

/// Take the default clip of a scene that has clips, and say which one it is.
void pose_request_choose_default(pose_request* inout, const pelt_scene* scene);

/// Allocate the pose, read --pose and fill in what was chosen.
int pose_request_create(pose_request* inout, const pelt_scene* scene, const args* arguments);

/// Sample another time of the clip, with the same overrides.
void pose_request_sample(pose_request* inout, const pelt_scene* scene, float time);

void pose_request_destroy(pose_request* in);

/// Members `clip`, `time` and `overrides` of a report.
void pose_request_describe(json_t* report, const pose_request* in);

#endif
