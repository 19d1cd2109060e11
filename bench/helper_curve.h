// SPDX-License-Identifier: MIT
// The curve of error against helper joints.
#ifndef PELT_HELPER_CURVE_H
#define PELT_HELPER_CURVE_H

#include "pelt/helpers.h"
#include "plot.h"

/// @param report  of pelt_helpers_add()
void helper_curve_draw(plot* out, const pelt_helpers_report* report);

#endif
