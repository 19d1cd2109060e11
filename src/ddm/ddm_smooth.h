// SPDX-License-Identifier: MIT
// Smoothing of the moments of one joint over the surface.
#ifndef PELTI_DDM_SMOOTH_H
#define PELTI_DDM_SMOOTH_H

#include "ddm_surface.h"

enum
{
    PELTI_DDM_SUMS = 11, ///< x, y, z, xx, xy, xz, yy, yz, zz, 1; 1 by kappa
};

/// The smoothing (I + rate (I - P))^-iterations as a sum of Chebyshev polynomials of P.
typedef struct pelti_ddm_series
{
    uint32_t count; ///< of terms; polynomial count - 1 reaches as many edges far
    double* terms;
} pelti_ddm_series;

/// @param rate  0: no smoothing, one term
/// @return false when out of memory
bool pelti_ddm_series_create(pelti_ddm_series* out, double rate, uint32_t iterations,
                             pelt_arena* scratch);

/// Sums of one joint at a point.
typedef struct pelti_ddm_entry
{
    uint32_t point;
    double sums[PELTI_DDM_SUMS];
} pelti_ddm_entry;

typedef struct pelti_ddm_column
{
    uint32_t count;
    pelti_ddm_entry* entries; ///< by distance from the points that the joint influences; free with
                              ///< pelt_release()
} pelti_ddm_column;

/// @param moments     series of lambda
/// @param weights     series of kappa
/// @param min_weight  of entries
/// @return false when out of memory
bool pelti_ddm_smooth(pelti_ddm_column* out, const pelti_ddm_surface* surface, uint32_t joint,
                      const pelti_ddm_series* moments, const pelti_ddm_series* weights,
                      double min_weight);

#endif
