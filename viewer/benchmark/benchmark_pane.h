// SPDX-License-Identifier: MIT
// What benchmark mode shows: the crowd, controls, a table and a chart of what was found.
#ifndef PELT_BENCHMARK_PANE_H
#define PELT_BENCHMARK_PANE_H

#include "app.h"

/// @param side  of width 0: not shown
void benchmark_pane_show(view_app* inout, gui_rect view, gui_rect side, gui_rect results);

#endif
