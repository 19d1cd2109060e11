// SPDX-License-Identifier: MIT
// Colors, color maps and pictures in memory, shared by renderer, legends and shaders. Link libpelt.
#ifndef PELT_COLOR_H
#define PELT_COLOR_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// sRGB with straight (not premultiplied) alpha; 255 is opaque.
typedef struct pelt_color
{
    uint8_t r, g, b, a;
} pelt_color;

/// Rows from top to bottom, packed: pixels[y * width + x].
typedef struct pelt_picture
{
    uint32_t width, height;
    pelt_color* pixels;
} pelt_picture;

/// Convert one channel between linear light and sRGB (IEC 61966-2-1). Linear values are clamped to
/// 0 and 1; NaN becomes 0.
PELT_API uint8_t pelt_srgb_from_linear(float light);
PELT_API float pelt_srgb_to_linear(uint8_t value);

typedef enum pelt_color_map
{
    /// For skinning weights: blue (0), cyan, green, yellow, red (1).
    PELT_COLOR_MAP_WEIGHT = 0,
    /// For distances and errors: dark violet to bright yellow, perceptually uniform, readable in
    /// grayscale and with color blindness.
    PELT_COLOR_MAP_EVEN,
} pelt_color_map;

/// @param t  clamped to 0 and 1; NaN is gray
PELT_API pelt_color pelt_color_map_at(pelt_color_map map, float t);

#ifdef __cplusplus
}
#endif

#endif
