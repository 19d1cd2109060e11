// SPDX-License-Identifier: MIT
// Numbers of vertices that viewports show as colors.
#ifndef PELT_MODEL_VALUES_H
#define PELT_MODEL_VALUES_H

#include "model.h"

/// The largest distance between two versions of a character, in meters.
float model_values_farthest(const pelt_scene* scene, const pelt_frame* a, const pelt_frame* b);

/// Fill in the values of the first `count` viewports, as parts of inout->scale, which grows to hold
/// them.
void model_values_fill(view_model* inout, const model_input* input, uint32_t count);

#endif
