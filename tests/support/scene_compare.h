// SPDX-License-Identifier: MIT
// Whether two scenes are one and the same.
#ifndef PELT_SCENE_COMPARE_H
#define PELT_SCENE_COMPARE_H

#include "test.h"

/// What may differ, as bits.
typedef enum scene_freedom
{
    SCENE_EXACT = 0,
    /// glTF has nodes and pictures where a scene needs none: nodes that carry instances, a node above
    /// joints that have no common ancestor, and pictures for textures of which only the name is known. Weights mean nothing there without
    /// the skin that an instance gives them.
    SCENE_MORE_NODES = 1,
    /// glTF numbers the parts of a mesh, and readers name what has no name.
    SCENE_NAMES_FREE = 2,
} scene_freedom;

/// All that a scene holds but its name and its repairs, to the bit; of skinned instances not their
/// node, which has no effect. Says where the first difference is.
/// @return 0: equal
int scene_compare(const pelt_scene* a, const pelt_scene* b, uint32_t freedom);

#endif
