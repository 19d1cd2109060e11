// SPDX-License-Identifier: MIT
// Scenes without duplicated vertices, for the second benchmark of the animation texture thesis
// (2021), section 4.13.
#ifndef PELT_CROWD_MERGE_H
#define PELT_CROWD_MERGE_H

#include "pelt/pelt.h"

/// Merge the vertices of each skinned mesh that have one position and the same influences: their
/// normals become the mean, tangents, UVs and colors are left out, as are morph targets.
/// @param inout  its meshes are replaced
/// @param arena  owns the new ones
pelt_result crowd_merge_vertices(pelt_scene* inout, pelt_arena* arena, pelt_error* error);

#endif
