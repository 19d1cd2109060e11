// SPDX-License-Identifier: MIT
// The built-in human with twist joints along a forearm.
#ifndef PELT_DEMO_TWIST_H
#define PELT_DEMO_TWIST_H

#include "pelt/pelt.h"

/// @param human  rig:human
/// @param out    with one clip, at the end of which, after a second, the left hand is turned by
/// half
///               a turn
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int demo_twist_create(pelt_scene** out, const pelt_scene* human, uint32_t count);

#endif
