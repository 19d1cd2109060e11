// SPDX-License-Identifier: MIT
// Files that a model may refer to and assimp may open.
#ifndef PELT_COMPANION_FILES_H
#define PELT_COMPANION_FILES_H

#include <stddef.h>

/// Bytes of all regular files in the folder of a model that an importer may open: materials of OBJ,
/// animations of MD5 and SMD, textures and sequences of MDL.
size_t pelti_companion_size(const char* path);

#endif
