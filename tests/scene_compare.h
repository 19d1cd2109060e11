// SPDX-License-Identifier: MIT
// Whether two scenes are one and the same.
#ifndef PELT_SCENE_COMPARE_H
#define PELT_SCENE_COMPARE_H

#include "test.h"

typedef enum scene_names
{
    SCENE_NAMES_EQUAL = 0,
    SCENE_NAMES_FREE, ///< glTF numbers the parts of a mesh, and readers name what has no name
} scene_names;

/// All that a scene holds but its name and its repairs, to the bit; of skinned instances not their
/// node, which has no effect. Says where the first difference is.
/// @return 0: equal
int scene_compare(const pelt_scene* a, const pelt_scene* b, scene_names names);

#endif
