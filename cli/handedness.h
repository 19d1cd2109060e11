// SPDX-License-Identifier: MIT
// Vertices between joints that mirror and joints that do not: no method but lbs can deform them.
#ifndef PELT_HANDS_H
#define PELT_HANDS_H

#include "method_list.h"

/// Over all instances, in the pose of the frame.
uint32_t handedness_count_mixed(const pelt_scene* scene, const pelt_frame* frame);

/// Say so, if there are any and one of the methods is another than lbs.
void handedness_note_mixed(uint32_t count, const method_list* how);

#endif
