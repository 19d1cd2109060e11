// SPDX-License-Identifier: MIT
// A character with what was painted on it, as a file.
#ifndef PELT_PAINTED_FILE_H
#define PELT_PAINTED_FILE_H

#include "joint_mix.h"

/// Write the whole character as .glb, with mix factors as _PELT_MIX if any were set or painted.
/// @param scene   with painted weights, and centers and factors for normals for them
/// @param source  the file that it is from
/// @return as pelt_save_scene(), or PELT_ERROR_ARGUMENT for a path that does not end in .glb
pelt_result painted_file_save(const char* path, const pelt_scene* scene, const joint_mix* mix,
                              const char* source, pelt_error* error);

#endif
