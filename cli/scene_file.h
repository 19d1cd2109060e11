// SPDX-License-Identifier: MIT
// The whole scene in a file that a command writes, and the words about it.
#ifndef PELT_SCENE_FILE_H
#define PELT_SCENE_FILE_H

#include "mesh_file.h"

/// Whether a format holds a scene: skeleton, skins and clips besides the meshes.
bool scene_file_is(pelt_format format);

/// Write a scene and say so on stderr.
/// @return the exit code
int scene_file_save(const mesh_file* file, const pelt_scene* scene);

/// Members `output`, `meshes`, `vertices`, `triangles`, `nodes`, `skins` and `clips` of a report.
void scene_file_describe(json_t* report, const mesh_file* file, const pelt_scene* scene);

#endif
