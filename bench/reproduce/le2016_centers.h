// SPDX-License-Identifier: MIT
// Le and Hodgins 2016: parameters and alternatives of the centers of rotation.
#ifndef PELT_LE2016_CENTERS_H
#define PELT_LE2016_CENTERS_H

#include "reproduce.h"

/// Section 4: how far sigma, epsilon, omega and the cutoff move the surface.
pelt_result le2016_measure_parameters(reproduction* inout, pelt_error* error);

/// Section 5: sums over vertices, and a Gaussian similarity.
pelt_result le2016_measure_choices(reproduction* inout, pelt_error* error);

#endif
