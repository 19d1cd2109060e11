// SPDX-License-Identifier: MIT
// Errors of three codes of an offset in four bytes, which the animation texture thesis (2021)
// proposes in sections 4.10 and 5.2.1.
#ifndef PELT_THESIS_RAYS_H
#define PELT_THESIS_RAYS_H

#include "pelt/math3d.h"

#include <stddef.h>

typedef enum thesis_code
{
    THESIS_CODE_BOX,       ///< three coordinates in the box of all; the fourth byte is not used
    THESIS_CODE_RAY,       ///< direction in three bytes, and length up to the longest of all
    THESIS_CODE_ELLIPSOID, ///< the same within an ellipsoid along the axes, about the box's center
    THESIS_CODE_COUNT
} thesis_code;

/// "box", "ray", "ellipsoid".
const char* thesis_code_name(thesis_code code);

/// Distances between offsets and decoded offsets, in their unit.
typedef struct thesis_code_error
{
    double max, rms;
} thesis_code_error;

/// Encode offsets relative to their common volume, decode them and compare.
/// @param offsets  of vertices from rest, at one key or at many
thesis_code_error thesis_code_measure(thesis_code code, const pelt_vec3* offsets, size_t count);

#endif
