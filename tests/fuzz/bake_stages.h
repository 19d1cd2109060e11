// SPDX-License-Identifier: MIT
// What programs do with a bake, with the promises of each stage checked.
#ifndef PELT_BAKE_STAGES_H
#define PELT_BAKE_STAGES_H

#include "pelt/bake.h"

/// Convert a bake back into clips and measure it against the scene that it was made of. Each stage
/// is canceled after two seconds.
/// @param rate  of the clips, as in pelt_unbake_options
void stages_unbake(const pelt_baked* baked, const pelt_scene* scene, float rate);

/// Bake a scene, validate, and go on as above. Joints of any number are allowed.
void stages_bake(const pelt_scene* scene, const pelt_bake_options* options);

#endif
