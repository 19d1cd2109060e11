// SPDX-License-Identifier: MIT
// What papers report about the cost of methods on a GPU, relative to lbs with standard normals.
#ifndef PELT_GPU_FIGURES_H
#define PELT_GPU_FIGURES_H

#include "pelt/pelt.h"

/// @return ratios with the number of the document; "": none is published
const char* gpu_figure(pelt_method method, pelt_normal_rule rule, uint32_t influence_count);

#endif
