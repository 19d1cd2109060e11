// SPDX-License-Identifier: MIT
// What a reader meets that a scene has no place for: counted by kind, listed at the end.
#ifndef PELT_LOSSES_H
#define PELT_LOSSES_H

#include "pelt/pelt.h"

typedef struct pelti_loss
{
    const char *one, *many; ///< "camera", "cameras"; many is NULL: what is said once, as it stands
    uint32_t count;         ///< 0: nothing to say
} pelti_loss;

/// Put what was counted into the scene, behind what it lists already.
/// @param arena  owns the list and its texts
/// @return false when out of memory
bool pelti_losses_add(pelt_scene* inout, pelt_arena* arena, const pelti_loss* losses,
                      uint32_t count);

#endif
