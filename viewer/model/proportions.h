// SPDX-License-Identifier: MIT
// Whether clips were made for a skeleton of other proportions. Their translations put joints where
// those of the other skeleton are, which crumples a character; their rotations do not.
#ifndef PELT_PROPORTIONS_H
#define PELT_PROPORTIONS_H

#include "pelt/pelt.h"

/// Whether a character would be deformed visibly: some bone is 5 % longer or shorter.
bool proportions_differ(const pelt_rest_difference* in);

/// Remove all tracks of nodes but rotations from some clips of a scene.
/// @return PELT_OK, or PELT_ERROR_MEMORY with the scene as it was
pelt_result proportions_keep_rotations(pelt_scene* inout, uint32_t first_clip, uint32_t count);

#endif
