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
    PELT_COLOR_MAP_UNIFORM,
    /// For changes in two directions: blue (0), light gray where nothing has changed (0.5), orange
    /// (1). Both ends are equally dark, and distinguishable with color blindness.
    PELT_COLOR_MAP_SIGNED,
} pelt_color_map;

/// @param t  clamped to 0 and 1; NaN is gray
PELT_API pelt_color pelt_color_map_at(pelt_color_map map, float t);

/// A color by its hue: hues of one lightness look equally bright and equally strong.
/// @param degrees    in Oklab: 30 is red, 110 yellow, 145 green, 195 cyan, 260 blue, 330 purple
/// @param lightness  0.65 to 0.75: where screens show all hues
PELT_API pelt_color pelt_color_of_hue(float degrees, float lightness);

enum
{
    PELT_SERIES_COLOR_COUNT = 7,
};

/// Colors of things that are compared, the same in plots, pictures and the viewer. A skinning
/// method has the one of its pelt_method. Distinguishable with color blindness: the palette of
/// Okabe and Ito, "Color Universal Design", 2008, with a darker purple.
/// @param index  after the last color comes the first
PELT_API pelt_color pelt_series_color(uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
