// SPDX-License-Identifier: MIT
// Panels of methods next to each other, with a legend.
#ifndef PELT_PANEL_GRID_H
#define PELT_PANEL_GRID_H

#include "method_renderer.h"

/// One row: every method of a renderer at one moment, seen by one camera.
typedef struct panel_row
{
    method_renderer* renderer;
    const char* note;       ///< added to each label; NULL: nothing
    uint32_t width, height; ///< pixels of one panel
} panel_row;

/// Draw the panels of a row and name them.
/// @param out     a picture per method, to be freed by the caller also after a failure
/// @param labels  a text per method
int panel_row_draw(pelt_picture* out, char (*labels)[64], const panel_row* in, float time,
                   const pelt_camera* camera);

/// The part of a picture's height that a legend takes when there is only one panel; 0: none.
float panel_grid_legend_part(const method_renderer* renderer, uint32_t height);

/// Put panels together, or take the only one as it is, with the legend in its lower part.
/// @param pictures  count of one size; the only one is taken away from the caller
/// @param columns   panels in a row; 0: all
int panel_grid_compose(pelt_picture* out, pelt_picture* pictures, char (*labels)[64],
                       uint32_t count, uint32_t columns, const method_renderer* renderer);

#endif
