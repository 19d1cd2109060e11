// SPDX-License-Identifier: MIT
// Handedness of joints: whether they mirror.
#ifndef PELTI_PALETTE_H
#define PELTI_PALETTE_H

#include "../../include/pelt/pelt.h"

/// Whether some of these joints mirror and others do not.
bool pelti_palette_mixes(const pelt_palette* palette, const pelt_influence* influences,
                         uint32_t count);

#endif
