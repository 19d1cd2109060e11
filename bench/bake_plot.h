// SPDX-License-Identifier: MIT
// Error of animation textures against their size, as a plot.
#ifndef PELT_BAKE_PLOT_H
#define PELT_BAKE_PLOT_H

#include "bake_subject.h"
#include "plot.h"

/// Titles and one series for each encoding.
void bake_plot_begin(plot* out);

/// Add the worst error anywhere against bytes per joint and key. rig:human makes the lines, other
/// characters are loose marks, rig:box is left out: four joints say little.
/// @param encoding  static text: its name, bits and variant, as in "qt 64 pose"
/// @param is_half   at half the rate of the source's keys
void bake_plot_add(plot* out, const char* subject, const char* encoding, bool is_half,
                   const bake_trial* trial);

#endif
