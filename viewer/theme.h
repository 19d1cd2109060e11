// SPDX-License-Identifier: MIT
// The colors of the interface.
#ifndef PELT_THEME_H
#define PELT_THEME_H

#ifdef __cplusplus
extern "C" {
#endif

/// sRGB, 0 to 1.
typedef struct theme_color
{
    float red, green, blue;
} theme_color;

/// Text has a contrast of at least 4.5 : 1 to everything that is drawn below it.
typedef struct theme_colors
{
    theme_color ink;   ///< text
    theme_color muted; ///< less important text, on paper and fields
    theme_color light; ///< text on the accent
    theme_color accent;
    theme_color paper, field, edge; ///< panels, fields and lists, outlines

    // Below text, too.
    theme_color button, hovered, chosen, field_hovered;
    theme_color section, title;
    theme_color grab, grab_active; ///< of sliders, with the number over it
    theme_color progress;          ///< the part of a progress bar that is done
} theme_colors;

extern const theme_colors theme;

#ifdef __cplusplus
}
#endif

#endif
