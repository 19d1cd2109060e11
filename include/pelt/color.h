// SPDX-License-Identifier: MIT
// Colors, numbers as colors, and pictures in memory: what drawing, legends and shaders agree upon.
// Link libpelt.
#ifndef PELT_COLOR_H
#define PELT_COLOR_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// sRGB with straight alpha: 255 is opaque, and the other three do not depend on it.
typedef struct pelt_color
{
    uint8_t r, g, b, a;
} pelt_color;

/// Rows from top to bottom, without gaps: pixels[y * width + x].
typedef struct pelt_picture
{
    uint32_t width, height;
    pelt_color* pixels;
} pelt_picture;

/// A channel of sRGB (IEC 61966-2-1) from light and back. Light is cut off at 0 and 1; NaN is 0.
PELT_API uint8_t pelt_srgb_from_linear(float light);
PELT_API float pelt_srgb_to_linear(uint8_t value);

typedef enum pelt_color_map
{
    /// Skinning weights: 0 blue, through cyan, green and yellow, 1 red.
    PELT_COLOR_MAP_WEIGHT = 0,
    /// Distances and errors: dark violet to bright yellow, lightness in even steps, so that equal
    /// differences look equal, also in print and to the color-blind.
    PELT_COLOR_MAP_EVEN,
} pelt_color_map;

/// @param t  0 to 1; beyond is the color of the end; NaN is gray
PELT_API pelt_color pelt_color_map_at(pelt_color_map map, float t);

#ifdef __cplusplus
}
#endif

#endif
