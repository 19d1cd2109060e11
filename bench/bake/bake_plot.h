// SPDX-License-Identifier: MIT
// Error of animation textures against their size, as a plot.
#ifndef PELT_BAKE_PLOT_H
#define PELT_BAKE_PLOT_H

#include "bake_subject.h"
#include "plot.h"

/// Titles and the series of all encodings.
void bake_plot_begin(plot* out);

/// Add the largest error against bytes per joint and key. rig:human makes the lines, other
/// characters are loose marks. rig:box is left out, as four joints say little, and so is the layout
/// of the thesis.
/// @param encoding    static text: its name and the label of the point, as in "qt 64"
/// @param is_variant  hollow, and not on a line
void bake_plot_add(plot* out, const char* subject, const char* encoding, bool is_variant,
                   const bake_trial* trial);

#endif
