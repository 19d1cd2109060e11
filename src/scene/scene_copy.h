// SPDX-License-Identifier: MIT
// A copy of a scene that may be changed.
#ifndef PELTI_SCENE_COPY_H
#define PELTI_SCENE_COPY_H

#include "../../include/pelt/prepare.h"

/// Copy a scene with everything in it. All arrays of the copy are in its arena, so the caller
/// may write to them.
/// @return NULL when out of memory
pelt_scene* pelti_scene_copy(const pelt_scene* scene);

#endif
