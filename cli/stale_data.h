// SPDX-License-Identifier: MIT
// Data of pelt in a file whose meshes were changed since: left out on reading, computed anew here.
#ifndef PELT_STALE_DATA_H
#define PELT_STALE_DATA_H

#include "pelt/pelt.h"

/// Meshes whose data of that kind were left out.
uint32_t stale_data_count(const pelt_scene* scene, pelt_repair_kind kind);

/// Say that data of that kind are computed anew, where there were any.
void stale_data_note(const pelt_scene* scene, pelt_repair_kind kind);

#endif
