// SPDX-License-Identifier: MIT
// The plane of symmetry of a character: which points and joints mirror which.
#ifndef PELT_MESH_MIRROR_H
#define PELT_MESH_MIRROR_H

#include "surface_walk.h"

typedef struct mesh_mirror
{
    bool is_known;      ///< it was looked for
    uint32_t axis;      ///< of bind space: 0 is x
    float center;       ///< of the plane on this axis
    float tolerance;    ///< meters
    uint32_t* partners; ///< of each point of the walk; PELT_NONE: it has none; NULL: the character
                        ///< has no plane of symmetry
} mesh_mirror;

/// Find the plane that has a partner for most points, half of them at least: within 0.5 % of the
/// diagonal of the box. A point of the plane is its own partner, and partners are mutual.
/// @return false: no memory
bool mesh_mirror_find(mesh_mirror* out, const surface_walk* walk, const pelt_scene* scene);
void mesh_mirror_destroy(mesh_mirror* in); ///< {0} is allowed, and remains

/// The joint on the other side: the nearest to the mirrored position of the bind pose; of several,
/// that with the most similar name. A joint of the plane is its own.
/// @param node  a joint of the skin
/// @return node, or PELT_NONE
uint32_t mesh_mirror_joint(const mesh_mirror* in, const pelt_skin* skin, const pelt_scene* scene,
                           uint32_t node);

#endif
