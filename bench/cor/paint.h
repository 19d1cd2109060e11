// SPDX-License-Identifier: MIT
// A stroke of a painting tool: weights that change on a patch of a mesh.
#ifndef PELT_PAINT_H
#define PELT_PAINT_H

#include "pelt/pelt.h"

/// The vertex that a joint shares most evenly with others; PELT_NONE when it shares none.
uint32_t paint_find_shared(const pelt_weights* weights, uint32_t joint);

/// Move a fifth of the strongest weight of the `count` vertices nearest to `center` to another
/// joint: between the two strongest joints of `center`, where a vertex has one of them.
/// @param before, after  mesh with its weights as they were and as they become; vertices outside
///                       the patch have the same bits in both. They share the mesh's other arrays.
/// @param center         a vertex with two influences or more
pelt_result paint_patch(pelt_mesh* before, pelt_mesh* after, const pelt_mesh* mesh, uint32_t center,
                        uint32_t count, pelt_arena* arena);

#endif
