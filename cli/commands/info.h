// SPDX-License-Identifier: MIT
// The two forms of the report of pelt info.
#ifndef PELT_INFO_H
#define PELT_INFO_H

#include "pelt/gpu.h"
#include "scene_statistics.h"

#include <jansson.h>
#include <stdio.h>

/// @return a new object; NULL when memory ran out
json_t* info_as_json(const char* input, const pelt_scene* scene, const scene_statistics* facts,
                     const pelt_joint_scale* scale);

/// @return false when memory ran out
bool info_as_text(FILE* stream, const pelt_scene* scene, const scene_statistics* facts,
                  const pelt_joint_scale* scale, bool has_joint_list);

/// The part about the GPU: bytes by method, and the scale of shaders.
json_t* info_gpu_as_json(const pelt_scene* scene, const pelt_joint_scale* scale);

/// @return false when memory ran out
bool info_gpu_as_text(FILE* stream, const pelt_scene* scene, const pelt_joint_scale* scale);

/// The part about boxes: for each mesh those of the file, or null.
json_t* info_bounds_as_json(const pelt_scene* scene);

/// @return false when writing failed
bool info_bounds_as_text(FILE* stream, const pelt_scene* scene);

#endif
