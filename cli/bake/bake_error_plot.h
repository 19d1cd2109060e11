// SPDX-License-Identifier: MIT
// The error of a bake over time as SVG, one panel per clip.
#ifndef PELT_BAKE_ERROR_PLOT_H
#define PELT_BAKE_ERROR_PLOT_H

#include "bake_job.h"
#include "text_stream.h"

/// @param out  free with text_stream_free()
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int bake_error_plot_draw(text_stream* out, const bake_job* in);

#endif
