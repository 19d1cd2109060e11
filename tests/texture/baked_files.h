// SPDX-License-Identifier: MIT
// Files of a bake called "hero" in the folder of a test.
#ifndef PELT_BAKED_FILES_H
#define PELT_BAKED_FILES_H

#include "pelt/pelt.h"

/// Remove hero.json and all files that a bake of that name may have.
void baked_files_remove(void);

/// The built-in box. @return NULL when it could not be built
pelt_scene* baked_files_box(void);

#endif
