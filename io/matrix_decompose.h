// SPDX-License-Identifier: MIT
// Matrices of files as transforms of nodes.
#ifndef PELT_MATRIX_DECOMPOSE_H
#define PELT_MATRIX_DECOMPOSE_H

#include "pelt/math3d.h"

#include <stdint.h>

/// Write an affine map as one transform, or as two when it shears, which a transform cannot:
/// then a = parts[0] * parts[1], so parts[0] belongs to a node that is put above the file's own.
/// A mirror becomes negative scale. The map must be finite.
/// @return how many parts there are, 1 or 2; with 1, parts[1] is the identity
uint32_t pelti_split_matrix(pelt_transform parts[2], const pelt_mat34* a);

#endif
