// SPDX-License-Identifier: MIT
// What integers hold of normal factors.
#ifndef PELTI_NORMAL_QUANTIZE_H
#define PELTI_NORMAL_QUANTIZE_H

#include "../../include/pelt/prepare.h"

/// Whether integers of factors->bits hold all numbers of a vertex without loss.
bool pelti_normal_is_quantized(const pelt_normal_factors* factors, uint32_t vertex);

#endif
