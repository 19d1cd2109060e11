// SPDX-License-Identifier: MIT
// What frames cost, as graphs and figures.
#ifndef PELT_PERFORMANCE_PANE_H
#define PELT_PERFORMANCE_PANE_H

#include "app.h"

void performance_pane_show(view_app* inout, gui_rect rect);

#endif
