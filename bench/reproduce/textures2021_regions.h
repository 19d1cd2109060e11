// SPDX-License-Identifier: MIT
// The animation texture thesis (2021), section 4.11.1: rates of regions of a clip.
#ifndef PELT_TEXTURES2021_REGIONS_H
#define PELT_TEXTURES2021_REGIONS_H

#include "reproduce.h"

/// Figure 29: bytes of clips that are cut into regions, each with the rate that takes the fewest
/// bytes within a budget, against one rate for each clip.
pelt_result textures2021_measure_regions(reproduction* inout, pelt_error* error);

#endif
