// SPDX-License-Identifier: MIT
// Lists of real characters.
#ifndef PELT_MODEL_FILES_H
#define PELT_MODEL_FILES_H

#include "test.h"

#include <glob.h>

/// Find files in the folders of test_models_folder(), in the order of their endings.
/// @param endings  "glb gltf": of files, with a space between
/// @param out      free with globfree()
/// @return whether each ending has a file
bool model_files_find(glob_t* out, const char* endings);

/// The endings of formats that pelt reads without assimp.
#define MODEL_FILES_READ "glb gltf fbx"

#endif
