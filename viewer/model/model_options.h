// SPDX-License-Identifier: MIT
// How a viewport deforms.
#ifndef PELT_MODEL_OPTIONS_H
#define PELT_MODEL_OPTIONS_H

#include "settings.h"

pelt_deform_options model_options(const view_settings* in, uint32_t view);

/// Whether shaders give what the CPU gives under these options.
bool model_options_fit_gpu(const pelt_deform_options* options, const view_settings* in);

#endif
