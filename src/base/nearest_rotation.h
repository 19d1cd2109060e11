// SPDX-License-Identifier: MIT
// The rotation that fits a set of vectors best, in the sense of least squares.
#ifndef PELTI_NEAREST_ROTATION_H
#define PELTI_NEAREST_ROTATION_H

/// The rotation R for which the sum of R_ij sum_ij is largest (Kabsch 1976): never a mirror. Where
/// sum has rank 2, as of a flat ring, it is still unique; below that one of the best is taken.
/// @param sum    of w to from^T over vectors `from` and what they become, with weights w
/// @param bound  at least the largest sum of R_ij sum_ij, where to begin: the root of the sums of
///               w from^2 and w to^2, multiplied; INFINITY: unknown
void pelti_nearest_rotation(double rotation[3][3], double sum[3][3], double bound);

#endif
