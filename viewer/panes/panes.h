// SPDX-License-Identifier: MIT
// The panes that can be shown and hidden.
#ifndef PELT_PANES_H
#define PELT_PANES_H

#include "app.h"

/// Parameters, Pose, Show and Debug, one below the other.
void panes_show_side(view_app* inout, gui_rect rect);

/// What is drawn: for the pane and for the menu.
void panes_show_list(view_app* inout);

/// Encoding and keys of textures.
void panes_show_baking(view_app* inout);

/// The bar at the foot of the window begins with a button to play or pause; end it as a panel.
void panes_begin_timeline(view_app* inout, gui_rect rect);

/// How fast it plays.
void panes_show_speed(view_app* inout);

#endif
