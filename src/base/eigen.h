// SPDX-License-Identifier: MIT
// Eigenvalues of small symmetric matrices, in double precision.
#ifndef PELTI_EIGEN_H
#define PELTI_EIGEN_H

/// a = sum of values[i] * v_i v_i^T with v_i the orthonormal columns of `vectors`, largest value
/// first. Only the upper triangle of a is read.
void pelti_eigen_symmetric3(double values[3], double vectors[3][3], double a[3][3]);

#endif
