// SPDX-License-Identifier: MIT
// The interface of crowd mode: its view, what can be set, and its timeline.
#ifndef PELT_CROWD_PANE_H
#define PELT_CROWD_PANE_H

#include "app.h"

void crowd_pane_show_view(view_app* inout, gui_rect rect);
void crowd_pane_show_side(view_app* inout, gui_rect rect);
void crowd_pane_show_timeline(view_app* inout, gui_rect rect);

#endif
