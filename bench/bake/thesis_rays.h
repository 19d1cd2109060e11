// SPDX-License-Identifier: MIT
// Three ways to keep an offset in four bytes that the thesis on animation textures names in its
// sections 4.10 and 5.2.1: what each of them loses.
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

/// Distances between offsets and what is left of them, in their unit.
typedef struct thesis_code_error
{
    double max, rms;
} thesis_code_error;

/// Encode offsets together, decode them again and compare.
/// @param offsets  of vertices from their places at rest, at one key or at many
thesis_code_error thesis_code_measure(thesis_code code, const pelt_vec3* offsets, size_t count);

#endif
