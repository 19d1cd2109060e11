// SPDX-License-Identifier: MIT
// The meshes that one skin deforms: what one surface is for solvers.
#ifndef PELTI_SKIN_CHAINS_H
#define PELTI_SKIN_CHAINS_H

#include "../../include/pelt/scene.h"

/// Chains of meshes, each with the first one as its leader. A skinned mesh without an instance that
/// has a skin is a chain of its own.
typedef struct pelti_skin_chains
{
    uint32_t* leaders; ///< of each mesh; PELT_NONE: not skinned
    uint32_t* next;    ///< of each mesh; PELT_NONE: it is the last
} pelti_skin_chains;

/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_skin_chains_find(pelti_skin_chains* out, const pelt_scene* scene,
                                   pelt_arena* scratch);

#endif
